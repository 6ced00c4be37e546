import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { hostileAnswers } from '../../support/service/hostile.js';

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');

describe('CONTRIBUTING', () => {
  it('counts the hostile answers that there are', () => {
    const count = Object.values(hostileAnswers()).reduce((sum, table) => sum + Object.keys(table).length, 0);
    assert.ok(contributing.includes(`against ${count} hostile answers`), `there are ${count}`);
  });

  it('names every package that comes along at run time', () => {
    const manifest: { dependencies?: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [, part = ''] = contributing.split('## The hostile world');
    assert.deepEqual(
      Object.keys(manifest.dependencies ?? {}).filter((name) => !part.includes(`[${name}]`)),
      [],
    );
  });
});

describe('the README', () => {
  it('begins with the description of the manifest', () => {
    const { description }: { description: string } = JSON.parse(readFileSync('package.nls.json', 'utf8'));
    const [, first] = readFileSync('README.md', 'utf8').split('\n\n');
    assert.equal(first, description);
  });
});
