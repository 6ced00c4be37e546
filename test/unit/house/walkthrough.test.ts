import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const languages = ['de', 'ja', 'zh-cn'] as const;
type Language = (typeof languages)[number];

const at = '09:02 AM';
const hour = '1 hour ago';
/** What the editor's clock and `Intl` write in other languages. */
const times: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  de: { [at]: '09:02', [hour]: 'vor 1 Stunde' },
  ja: { [at]: '09:02', [hour]: '1 時間前' },
  'zh-cn': { [at]: '09:02', [hour]: '1小时前' },
};

/** A text of the product in a picture: the English one of the bundle, and what stands for its placeholders. */
type Phrase = readonly [text: string, values?: Readonly<Record<string, string>>];

const failed: Phrase = ['{account} failed', { account: 'Finance Slack' }];
const notFound: Phrase = ['Not found'];
const account = 'Finance Slack (slack)';
const scopes = 'channels:read';

interface Step {
  /** What the product says, which is in the bundle of each language. */
  readonly phrases: readonly Phrase[];
  /** What only the picture says. It is translated in the picture. */
  readonly own?: readonly string[];
}

const steps: Readonly<Record<string, Step>> = {
  'sign-in': {
    phrases: [
      ['Sign In'],
      ['The access token.'],
      ['It is stored in this machine’s keyring and only sent to {host}.', { host: 'automation.example' }],
    ],
    own: ['base URL', 'access token', 'name'],
  },
  'add-deployment': { phrases: [failed, notFound] },
  tree: {
    phrases: [
      ['{count} failing', { count: '2' }],
      ['{count} unknown', { count: '1' }],
      failed,
      notFound,
      ['missing {scopes}', { scopes }],
      ['Grant {scopes}', { scopes }],
      ['{count} of {total} granted', { count: '1', total: '2' }],
      ['granted'],
      ['missing'],
      ['required'],
      ['minimal'],
      ['{count} of {total} not satisfied', { count: '2', total: '5' }],
      ['stale, read {time}', { time: hour }],
      ['{count} of {total} satisfied', { count: '4', total: '4' }],
    ],
    own: ['DEPLOYMENTS'],
  },
  editor: {
    phrases: [
      ['{account} failed: {message}.', { account, message: 'token_revoked' }],
      ['Reconnect {account} with the scope {scopes}.', { account, scopes }],
      ['Seen since {time}.', { time: at }],
      ['Check Again'],
      ['Reveal in Sidebar'],
      ['Copy Authorization Report'],
    ],
  },
  keyboard: {
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
};

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
  Array.from(svg.matchAll(textElement), ([, , content]) => {
    return content!
      .replaceAll('</tspan>', '\n')
      .replace(/<[^>]*>/g, '')
      .trim();
  }).join('\n');

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

/** What the product says in a picture, in English or another language. */
function said(phrases: readonly Phrase[], language?: Language): readonly string[] {
  const bundle = language && json(join('l10n', `bundle.l10n.${language}.json`));
  return phrases.map(([text, values = {}]) =>
    (bundle ? bundle[text]! : text).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name]!;
      return (language && times[language][value]) ?? value;
    }),
  );
}

describe("the walkthrough's pictures", () => {
  it('are those that there are files for', () => {
    const wanted = Object.keys(steps).flatMap((id) => [undefined, ...languages].map((language) => file(id, language)));
    const there = readdirSync('media/walkthrough').map((name) => `media/walkthrough/${name}`);
    assert.deepEqual(there.toSorted(), wanted.toSorted());
  });

  it('are named for each step, by each language', () => {
    const named = readFileSync('package.json', 'utf8').matchAll(/"svg": "%walkthrough\.([\w-]+)\.svg%"/g);
    assert.equal(Array.from(named, ([, id]) => id).join(), Object.keys(steps).join());
    for (const language of [undefined, ...languages]) {
      const texts = json(`package.nls${suffix(language)}.json`);
      for (const id of Object.keys(steps)) assert.equal(texts[`walkthrough.${id}.svg`], file(id, language));
    }
  });

  it('are small', () => {
    const large = readdirSync('media/walkthrough').filter((name) => statSync(`media/walkthrough/${name}`).size > 6_000);
    assert.deepEqual(large, []);
  });

  for (const [id, { phrases, own = [] }] of Object.entries(steps)) {
    const english = linesOf(picture(id));

    it(`${id} says in English what the product says, sample data, and words of its own that are listed`, () => {
      const wanted = [...said(phrases), ...own];
      const { left, absent } = without(english, [...wanted, ...samples, ...keys]);
      assert.deepEqual([wordsOf(left), absent.filter((text) => wanted.includes(text))], [[], []]);
    });

    for (const language of languages) {
      it(`${id} has the same shapes in ${language}, and says what the product says there, and no English`, () => {
        const wanted = said(phrases, language);
        const known = [...wanted, ...samples, ...(language === 'de' ? [] : keys)];
        const { left, absent } = without(linesOf(picture(id, language)), known);
        const inEnglish = new Set(wordsOf(english.toLowerCase()));
        const words = wordsOf(left).filter((word) => inEnglish.has(word.toLowerCase()));
        assert.equal(shapes(picture(id, language)), shapes(picture(id)));
        assert.deepEqual(
          [words.filter((word) => !sameWord[language].includes(word)), absent.filter((text) => wanted.includes(text))],
          [[], []],
        );
      });
    }
  }
});
