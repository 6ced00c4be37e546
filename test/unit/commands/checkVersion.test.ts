import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { checkVersion, isOlder } from '../../../src/commands/addCheck/checkVersion.js';
import { CheckProgram } from '../check/run.js';

const versionIn = (text: string) => checkVersion(Buffer.from(text));

describe('the version of a check', () => {
  it('is that of the extension in the program that the package holds', async function () {
    this.timeout(60_000);
    const { file, remove } = await CheckProgram.build();
    const program = await readFile(file);
    await remove();
    const { version }: { version: string } = JSON.parse(await readFile('package.json', 'utf8'));

    assert.equal(checkVersion(program), version);
  });

  const named = {
    '0.12.0': '// Automation Platform check 0.12.0, for Node 20.3 or newer.\n',
    '0.12.0-rc.1': '// Automation Platform check 0.12.0-rc.1, for Node 20.3 or newer.\r\n',
    '10.20.30': '\uFEFF// Automation Platform check 10.20.30, for Node 22.',
  };
  for (const [version, text] of Object.entries(named)) {
    it(`is ${version} for ${JSON.stringify(text)}`, () => assert.equal(versionIn(text), version));
  }

  const unnamed = {
    'the file is empty': '',
    'the file is another program': '#!/usr/bin/env node\n',
    'the second line has it': '\n// Automation Platform check 0.12.0, for Node 20.3\n',
    'it has two numbers': '// Automation Platform check 0.12, for Node 20.3\n',
    'the file ends with it': '// Automation Platform check 0.12.0',
    'it has an invisible character': '// Automation Platform check 0.12.0\u200B, for Node 20.3\n',
    'it is written from right to left':
      '// Automation Platform check \u202E0.12.0, for Node 20.3\n',
    'it has a link': '// Automation Platform check 0.12.0[x](command:y), for Node 20.3\n',
    'it ends with a line break': '// Automation Platform check 0.12.0\n, for Node 20.3\n',
    'its digits are of another script': '// Automation Platform check ٠.١٢.٠, for Node 20.3\n',
    'it has a thousand letters': `// Automation Platform check 0.12.0-${'a'.repeat(1000)}, for Node\n`,
    'the file is in UTF-16': Buffer.from(
      '// Automation Platform check 0.12.0, for',
      'utf16le',
    ).toString(),
  };
  for (const [what, text] of Object.entries(unnamed)) {
    it(`is unknown when ${what}`, () => assert.equal(versionIn(text), undefined));
  }
});

describe('the order of versions', () => {
  const pairs: readonly (readonly [older: string, newer: string])[] = [
    ['0.9.0', '0.13.0'],
    ['0.12.9', '0.13.0'],
    ['0.99.99', '1.0.0'],
    ['0.13.0', '0.13.1'],
    ['0.13.0-rc.1', '0.13.1-rc.0'],
  ];
  for (const [older, newer] of pairs) {
    it(`has ${older} before ${newer}`, () => assert.equal(isOlder(older, newer), true));

    it(`has ${newer} not before ${older}`, () => assert.equal(isOlder(newer, older), false));
  }

  for (const [version, other] of [
    ['0.13.0', '0.13.0'],
    ['0.13.0', '0.13.0-rc.1'],
    ['0.13.0-rc.1', '0.13.0'],
  ] as const) {
    it(`has ${version} not before ${other}`, () => assert.equal(isOlder(version, other), false));
  }
});
