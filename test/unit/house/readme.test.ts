import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { hostileAnswers } from '../../support/service/hostile.js';

const readme = readFileSync('README.md', 'utf8');

describe("the README's contributor part", () => {
  it('counts the hostile answers that there are', () => {
    const count = Object.values(hostileAnswers()).reduce((sum, table) => sum + Object.keys(table).length, 0);
    assert.ok(readme.includes(`against ${count} hostile answers`), `there are ${count}`);
  });

  it('names every package that comes along at run time', () => {
    const manifest: { dependencies?: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [, part = ''] = readme.split('### The hostile world');
    assert.deepEqual(
      Object.keys(manifest.dependencies ?? {}).filter((name) => !part.includes(`[${name}]`)),
      [],
    );
  });
});
