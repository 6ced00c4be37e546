import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** How the names of files end, English first. */
const languages = ['', '.de', '.ja', '.zh-cn'];

/** The texts of the product that the picture of each step shows, as they stand in the source. */
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

/** Names, IDs, services, files, keys, and code, which are the same in every language. */
const sharedLines = [
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

const pathOf = (step: string, language: string) => `media/walkthrough/${step}${language}.svg`;
const pictureOf = (step: string, language: string) => readFileSync(pathOf(step, language), 'utf8');

function readTexts(path: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const textElement = /<text([^>]*)>([^]*?)<\/text>/g;

/** The lines of text in a picture, in their order. */
function linesOf(svg: string): readonly string[] {
  const texts = Array.from(svg.matchAll(textElement), ([, , content]) => content!);
  const lines = texts.flatMap((content) => content.split('</tspan>'));
  return lines.map((line) => line.replace(/<[^>]*>/g, '').trim());
}

/** A picture without its words, and without their place and size, which depend on their length. */
function shapesOf(svg: string): string {
  return svg.replace(
    textElement,
    (_, attributes: string) => `<text${attributes.replace(/ (x|font-size)="\d+"/g, '')}>`,
  );
}

/** A text of the product in a language. A key may be the English text with a comment behind a slash. */
function translate(text: string, language: string): string {
  if (language === '') return text;
  const bundle = readTexts(`l10n/bundle.l10n${language}.json`);
  const key = Object.keys(bundle).find((one) => one === text || one.startsWith(`${text}/`));
  assert.ok(key, `no translation of ${text}`);
  return bundle[key]!;
}

/** A picture breaks sentences wherever the language allows. */
const withoutSpace = (text: string) => text.replace(/\s/g, '');

/** Finds a text of the product with any values for its placeholders. */
function patternOf(text: string): RegExp {
  const parts = withoutSpace(text).split(/\{\w+\}/);
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(escaped.join('.+'));
}

describe('the walkthrough', () => {
  const all = Object.keys(steps).flatMap((step) =>
    languages.map((language) => ({ step, language, path: pathOf(step, language) })),
  );

  it('has no backticks in its texts, because VS Code would show them', () => {
    const texts = Object.entries(readTexts('package.nls.json'));
    const shown = texts.filter(([key]) => key.startsWith('walkthrough.'));
    const withBackticks = shown.filter(([, text]) => text.includes('`'));
    assert.notDeepEqual(shown, []);
    assert.deepEqual(withBackticks, []);
  });

  it('has one picture for each step', () => {
    const named = readFileSync('package.json', 'utf8').matchAll(
      /"svg": "%walkthrough\.([\w-]+)\.svg%"/g,
    );
    assert.deepEqual(
      Array.from(named, ([, step]) => step),
      Object.keys(steps),
    );
  });

  it('has pictures of its own in each language', () => {
    for (const { step, language, path } of all) {
      const named = readTexts(`package.nls${language}.json`)[`walkthrough.${step}.svg`];
      assert.equal(named, path);
    }
  });

  it('uses all pictures of media/walkthrough', () => {
    const files = readdirSync('media/walkthrough').map((name) => `media/walkthrough/${name}`);
    assert.deepEqual(files.toSorted(), all.map(({ path }) => path).toSorted());
  });

  it('has pictures of at most 6,000 bytes', () => {
    const sizes = all.map(({ path }) => ({ path, size: statSync(path).size }));
    const large = sizes.filter(({ size }) => size > 6_000);
    assert.deepEqual(large, []);
  });

  for (const { step, language } of all.filter((one) => steps[one.step]!.length > 0)) {
    it(`shows the words of the product in ${step}${language}.svg`, () => {
      const words = withoutSpace(linesOf(pictureOf(step, language)).join(''));
      for (const text of steps[step]!)
        assert.match(words, patternOf(translate(text, language)), text);
    });
  }

  for (const { step, language } of all.filter((one) => one.language !== '')) {
    it(`has the shapes of the English picture in ${step}${language}.svg`, () => {
      const shapes = shapesOf(pictureOf(step, language));
      assert.equal(shapes, shapesOf(pictureOf(step, '')));
    });

    it(`has no line in English in ${step}${language}.svg`, () => {
      const englishLines = linesOf(pictureOf(step, '')).filter((line) =>
        /\p{Script=Latin}/u.test(line),
      );
      const leftOver = linesOf(pictureOf(step, language)).filter(
        (line) => englishLines.includes(line) && !sharedLines.includes(line),
      );
      assert.deepEqual(leftOver, []);
    });
  }
});
