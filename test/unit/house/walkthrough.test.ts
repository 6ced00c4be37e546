import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const languages = ['de', 'ja', 'zh-cn'] as const;
type Language = (typeof languages)[number];

/** A text of the product in a picture: the English one of the bundle, and what stands for its placeholders. */
interface Phrase {
  readonly text: string;
  readonly values?: Readonly<Record<string, string>>;
}

interface Step {
  readonly id: string;
  /** What the product says, which is in the bundle of each language. */
  readonly phrases: readonly Phrase[];
  /** What only the picture says. It is translated in the picture. */
  readonly own: readonly string[];
}

const at = '09:02 AM';
const hour = '1 hour ago';
/** What the editor's clock and `Intl` write in other languages. */
const times: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  de: { [at]: '09:02', [hour]: 'vor 1 Stunde' },
  ja: { [at]: '09:02', [hour]: '1 時間前' },
  'zh-cn': { [at]: '09:02', [hour]: '1小时前' },
};

const failed: Phrase = { text: '{account} failed', values: { account: 'Finance Slack' } };
const notFound: Phrase = { text: 'Not found' };

const steps: readonly Step[] = [
  {
    id: 'sign-in',
    phrases: [
      { text: 'Sign In' },
      { text: 'The access token.' },
      {
        text: 'It is stored in this machine’s keyring and only sent to {host}.',
        values: { host: 'automation.example' },
      },
    ],
    own: ['base URL', 'access token', 'name'],
  },
  { id: 'add-deployment', phrases: [failed, notFound], own: [] },
  {
    id: 'tree',
    phrases: [
      { text: '{count} failing', values: { count: '2' } },
      { text: '{count} unknown', values: { count: '1' } },
      failed,
      notFound,
      { text: 'missing {scopes}', values: { scopes: 'channels:read' } },
      { text: 'Grant {scopes}', values: { scopes: 'channels:read' } },
      { text: '{count} of {total} granted', values: { count: '1', total: '2' } },
      { text: 'granted' },
      { text: 'missing' },
      { text: 'required' },
      { text: 'minimal' },
      { text: '{count} of {total} not satisfied', values: { count: '2', total: '5' } },
      { text: 'stale, read {time}', values: { time: hour } },
      { text: '{count} of {total} satisfied', values: { count: '4', total: '4' } },
    ],
    own: ['DEPLOYMENTS'],
  },
  {
    id: 'editor',
    phrases: [
      {
        text: '{account} failed: {message}.',
        values: { account: 'Finance Slack (slack)', message: 'token_revoked' },
      },
      {
        text: 'Reconnect {account} with the scope {scopes}.',
        values: { account: 'Finance Slack (slack)', scopes: 'channels:read' },
      },
      { text: 'Seen since {time}.', values: { time: at } },
      { text: 'Check Again' },
      { text: 'Reveal in Sidebar' },
      { text: 'Copy Authorization Report' },
    ],
    own: [],
  },
  {
    id: 'keyboard',
    phrases: [],
    own: [
      'move from row to row',
      'expand and collapse a row',
      'copy the IDs of the selected rows',
      'show the hover of a row or an ID',
      'go to the next problem in a file',
      'show the actions of a row',
    ],
  },
];

/** Names of the sample, ids, services, files, and what is written in files: the same in every language. */
const samples = [
  ['Acme production', 'Billing sync', 'Nightly report', 'Lead intake', 'Finance Slack', 'notifier', 'ledger'],
  ['dep_77', 'slack-oauth', 'slack', 'stripe', 'token_revoked', 'chat:write', 'channels:read'],
  ['"automationPlatform.deployments": [', '"dep_77",', '{ "id": "dep_billing_sync", "label": "Billing sync" }'],
  ['.vscode/settings.json', 'deploy.yaml', 'jobs:', '- name: billing', 'deployment: dep_billing_sync'],
].flat();
/** The caps of keys; a German keyboard has its own. */
const keys = ['Ctrl C', 'Ctrl K Ctrl I', 'Shift F10', 'F8'];
/** Words of the pictures' own sentences that are the same in another language. */
const sameWord: Readonly<Record<Language, readonly string[]>> = {
  de: ['DEPLOYMENTS', 'URL', 'Name', 'Problem', 'Hover', 'in', 'ID', 'IDs'],
  ja: ['URL', 'ID'],
  'zh-cn': ['URL', 'ID'],
};

const json = (file: string): Readonly<Record<string, string>> => JSON.parse(readFileSync(file, 'utf8'));
const suffix = (language: Language | undefined) => (language === undefined ? '' : `.${language}`);
const file = (id: string, language?: Language) => `media/walkthrough/${id}${suffix(language)}.svg`;
const picture = (id: string, language?: Language) => readFileSync(file(id, language), 'utf8');

const textElement = /<text([^>]*)>([^]*?)<\/text>/g;

/** The words of a picture, line by line. */
const linesOf = (svg: string): string =>
  [...svg.matchAll(textElement)]
    .map(([, , content]) =>
      content!
        .replace(/<\/tspan>/g, '\n')
        .replace(/<[^>]*>/g, '')
        .trim(),
    )
    .join('\n');

/** All but the words, and where and how large they stand: that goes with their length. */
const shapes = (svg: string): string =>
  svg.replace(textElement, (_, attributes: string) => `<text${attributes.replace(/ (x|font-size)="\d+"/g, '')}>`);

/** What is left of the lines when these are taken out, however they are broken over lines; names those that are not there. */
function without(lines: string, texts: readonly string[]) {
  let left = lines;
  const absent: string[] = [];
  for (const text of [...new Set(texts)].toSorted((a, b) => b.length - a.length)) {
    const letters = text
      .split('')
      .map((letter) => (letter === ' ' ? String.raw`\s` : letter.replace(/[^\p{L}\p{N}]/u, String.raw`\$&`)));
    const before = left;
    left = left.replace(new RegExp(letters.join(String.raw`\n?`), 'g'), '\u0000');
    if (left === before) absent.push(text);
  }
  return { left, absent };
}

const wordsOf = (text: string): string[] => text.match(/\p{Script=Latin}{2,}/gu) ?? [];

function fill(text: string, values: Readonly<Record<string, string>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
}

describe("the walkthrough's pictures", () => {
  it('are those that there are files for', () => {
    const wanted = steps.flatMap(({ id }) => [undefined, ...languages].map((language) => file(id, language)));
    assert.deepEqual(
      readdirSync('media/walkthrough')
        .map((name) => `media/walkthrough/${name}`)
        .toSorted(),
      wanted.toSorted(),
    );
  });

  it('are named for each step, by each language', () => {
    const manifest: {
      contributes: { walkthroughs: readonly { steps: readonly { media: { svg: string } }[] }[] };
    } = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.deepEqual(
      manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps.map(({ media }) => media.svg)),
      steps.map(({ id }) => `%walkthrough.${id}.svg%`),
    );
    for (const language of [undefined, ...languages]) {
      const texts = json(`package.nls${suffix(language)}.json`);
      assert.deepEqual(
        steps.map(({ id }) => texts[`walkthrough.${id}.svg`]),
        steps.map(({ id }) => file(id, language)),
      );
    }
  });

  it('are small', () => {
    for (const { id } of steps) {
      for (const language of [undefined, ...languages]) {
        const { length } = Buffer.from(picture(id, language));
        assert.ok(length <= 6_000, `${file(id, language)}: ${length} bytes`);
      }
    }
  });

  for (const { id, phrases, own } of steps) {
    describe(id, () => {
      const english = linesOf(picture(id));

      it('says in English what the product says, sample data, and words of its own that are listed', () => {
        const said = phrases.map(({ text, values }) => fill(text, values));
        const { left, absent } = without(english, [...said, ...own, ...samples, ...keys]);
        assert.deepEqual(wordsOf(left), []);
        assert.deepEqual(
          absent.filter((text) => said.includes(text) || own.includes(text)),
          [],
        );
      });

      for (const language of languages) {
        it(`has the same shapes in ${language}`, () => {
          assert.equal(shapes(picture(id, language)), shapes(picture(id)));
        });

        it(`says in ${language} what the product says there, and no English`, () => {
          const bundle = json(join('l10n', `bundle.l10n.${language}.json`));
          const said = phrases.map(({ text, values = {} }) =>
            fill(
              bundle[text]!,
              Object.fromEntries(Object.entries(values).map(([key, value]) => [key, times[language][value] ?? value])),
            ),
          );
          const wanted = [...said, ...own.flatMap((text) => times[language][text] ?? [])];
          const { left, absent } = without(linesOf(picture(id, language)), [
            ...wanted,
            ...samples,
            ...(language === 'de' ? [] : keys),
          ]);
          assert.deepEqual(
            absent.filter((text) => wanted.includes(text)),
            [],
          );
          const inEnglish = new Set(wordsOf(english).map((word) => word.toLowerCase()));
          assert.deepEqual(
            wordsOf(left).filter((word) => inEnglish.has(word.toLowerCase()) && !sameWord[language].includes(word)),
            [],
          );
        });
      }
    });
  }
});
