import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { rightEntries, wrongEntries } from '../model/entered/muteEntryCases.js';

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, object>>;
    }[];
  };
}

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const settings = manifest.contributes.configuration.flatMap(({ properties }) =>
  Object.entries(properties),
);
const schema = Object.fromEntries(settings)['automationPlatform.mutes']!;

// VS Code has keywords of its own, such as `markdownDescription`.
const isRight = new Ajv({ strict: false }).compile(schema);

/** What the parser agrees on with the schema is tested in muteEntries.test.ts. */
describe('the schema of mutes', () => {
  for (const { when, entry, isRightBySchema = false } of wrongEntries) {
    it(`${isRightBySchema ? 'accepts' : 'refuses'} an entry when ${when}`, () => {
      assert.equal(isRight([entry]), isRightBySchema);
    });
  }

  for (const { when, entry, isWrongBySchema = false } of rightEntries) {
    it(`${isWrongBySchema ? 'refuses' : 'accepts'} an entry when ${when}`, () => {
      assert.equal(isRight([entry]), !isWrongBySchema);
    });
  }

  for (const value of [null, 5, true, 'acc_1', {}]) {
    it(`refuses ${JSON.stringify(value)} in place of a list`, () => {
      assert.equal(isRight(value), false);
    });
  }

  it('accepts an empty list', () => assert.equal(isRight([]), true));
});
