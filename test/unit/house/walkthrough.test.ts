import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';

const languages = ['', '.de', '.ja', '.zh-cn'];

/** By step: what the product says in its picture, as it stands in the code. */
const steps: Readonly<Record<string, readonly string[]>> = {
  'sign-in': [
    'Sign In',
    'The access token.',
    'It is stored in VS Code’s secret storage and sent only to {host}.',
  ],
  'add-deployment': ['{account} failed', 'Not found'],
  tree: [
    [
      '{account} failed',
      'Reconnect {account}',
      'with {scopes}',
      'needs {account}',
      'Not found',
      '{count} failing',
    ],
    ['{count} of {total} granted', 'granted', 'missing', 'required', 'minimal'],
    ['{count} satisfied', 'missing {scopes}'],
  ].flat(),
  editor: [
    '{account} failed: {reason}',
    'Reconnect {account} with the scope {scopes}.',
    'Seen since {time}.',
    'Copy Request',
    'Notify When Fixed',
    'Mute...',
  ],
  fix: [
    'Copied the request for {owners}.',
    'Notify When Fixed',
    'Mute Problem...',
    '{accounts} works again.',
    '{count} deployments have no problem left.',
    'Reveal in Deployments View',
  ],
  keyboard: [],
};

/** Names of the sample, ids, services, files and keys, which are the same in every language. */
const sample = [
  [
    'Billing sync',
    'Lead intake',
    'Nightly report',
    'chat:write',
    'channels:read',
    'dep_77',
    'ledger',
    'notifier',
  ],
  [
    '"automationPlatform.deployments": [',
    '"dep_77",',
    '{ "id": "dep_billing_sync", "label": "Billing sync" }',
  ],
  [
    '.vscode/settings.json',
    'deploy.yaml',
    'jobs:',
    '- name: billing',
    'deployment: dep_billing_sync',
  ],
  ['slack-oauth', 'Finance Slack', 'token_revoked', 'archive, ledger'],
  ['Ctrl C', 'Ctrl K Ctrl I', 'Shift F10', 'F8', 'DEPLOYMENTS'],
].flat();

const file = (id: string, language = '') => `media/walkthrough/${id}${language}.svg`;
const picture = (id: string, language = '') => readFileSync(file(id, language), 'utf8');
const texts = (path: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(path, 'utf8'));
const textElement = /<text([^>]*)>([^]*?)<\/text>/g;

const linesOf = (svg: string) =>
  [...svg.matchAll(textElement)].flatMap(([, , content]) =>
    content!.split('</tspan>').map((line) => line.replace(/<[^>]*>/g, '').trim()),
  );

/** All but the words, and where and how large they stand: that goes with their length. */
const shapes = (svg: string) =>
  svg.replace(
    textElement,
    (_, attributes: string) => `<text${attributes.replace(/ (x|font-size)="\d+"/g, '')}>`,
  );

/** A key is the English text, for some with what translators are told. */
function translated(bundle: Readonly<Record<string, string>>, text: string): string {
  const key = Object.keys(bundle).find(
    (candidate) => candidate === text || candidate.startsWith(`${text}/`),
  );
  assert.ok(key, `no translation of ${text}`);
  return bundle[key]!;
}

/** Sentences are broken over lines wherever the language allows. */
const unbroken = (text: string) => text.replace(/\s/g, '');

it("the walkthrough's texts have no backticks, which VS Code shows there as they are", () => {
  const shown = Object.entries(texts('package.nls.json')).filter(([key]) =>
    key.startsWith('walkthrough.'),
  );
  assert.ok(shown.length > 0);
  for (const [, text] of shown) assert.doesNotMatch(text, /`/);
});

describe("the walkthrough's pictures", () => {
  it('are those that the steps name in each language, and small', () => {
    const named = readFileSync('package.json', 'utf8').matchAll(
      /"svg": "%walkthrough\.([\w-]+)\.svg%"/g,
    );
    assert.equal(Object.keys(steps).join(), Array.from(named, ([, id]) => id).join());
    for (const language of languages) {
      const nls = texts(`package.nls${language}.json`);
      for (const id of Object.keys(steps))
        assert.equal(nls[`walkthrough.${id}.svg`], file(id, language));
    }
    const there = readdirSync('media/walkthrough').map((name) => `media/walkthrough/${name}`);
    assert.equal(there.length, languages.length * Object.keys(steps).length);
    for (const path of there) assert.ok(statSync(path).size <= 6_000, path);
  });

  for (const [id, phrases] of Object.entries(steps)) {
    for (const language of languages) {
      it(`${id}${language} says what the product says, and differs from the English one in no shape but in all words`, () => {
        const lines = linesOf(picture(id, language));
        const bundle = language && texts(`l10n/bundle.l10n${language}.json`);
        for (const text of phrases) {
          const parts = unbroken(bundle ? translated(bundle, text) : text).split(/\{\w+\}/);
          const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
          assert.match(unbroken(lines.join('')), new RegExp(escaped.join('.+')));
        }
        assert.equal(shapes(picture(id, language)), shapes(picture(id)));
        const english = new Set(
          linesOf(picture(id)).filter((line) => /\p{Script=Latin}/u.test(line)),
        );
        const same = language
          ? lines.filter((line) => english.has(line) && !sample.includes(line))
          : [];
        assert.deepEqual(same, []);
      });
    }
  }
});
