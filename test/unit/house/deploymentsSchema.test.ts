import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { readEntry, unusableFields } from '../../../src/model/entered/listEntries.js';

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly items?: unknown }>>;
    }[];
  };
}

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const settings = manifest.contributes.configuration.flatMap(({ properties }) =>
  Object.entries(properties),
);
const schema = Object.fromEntries(settings)['automationPlatform.deployments']!;

// VS Code has keywords of its own, such as `markdownDescription`.
const isRight = new Ajv({ strict: false }).compile(schema);

/** Whether the extension uses each field of the entry. */
function isUsable(entry: unknown): boolean {
  return readEntry(entry) !== undefined && unusableFields(entry).length === 0;
}

/** Sixty emoji of one code point each, which have two UTF-16 units. */
const sixtyEmoji = '🚀'.repeat(60);

const usableEntries: readonly unknown[] = [
  'dep_1',
  { id: 'dep_1' },
  { id: 'dep_1', label: 'Billing' },
  { id: 'dep_1', label: '' },
  { id: 'dep_1', group: 'payments' },
  { id: 'dep_1', group: ' payments ' },
  { id: 'dep_1', group: '支払い' },
  { id: 'dep_1', label: 'Billing', group: 'payments' },
  { id: 'dep_1', group: 'x'.repeat(60) },
  { id: 'dep_1', group: sixtyEmoji },
];

const unusableEntries: readonly unknown[] = [
  '',
  ' ',
  5,
  null,
  true,
  ['dep_1'],
  {},
  { id: '' },
  { id: ' ' },
  { id: 5 },
  { label: 'Billing', group: 'payments' },
  { id: 'dep_1', label: 5 },
  { id: 'dep_1', label: null },
  { id: 'dep_1', group: 5 },
  { id: 'dep_1', group: null },
  { id: 'dep_1', group: ['payments'] },
  { id: 'dep_1', group: { name: 'payments' } },
  { id: 'dep_1', group: '' },
  { id: 'dep_1', group: ' \t\u00A0\u3000' },
  { id: 'dep_1', group: 'x'.repeat(61) },
  { id: 'dep_1', group: `${sixtyEmoji}🚀` },
];

/** Entries as titles name them. */
function shown(entry: unknown): string {
  return JSON.stringify(entry).slice(0, 50);
}

describe('the schema of deployments', () => {
  for (const entry of usableEntries) {
    it(`accepts ${shown(entry)}`, () => assert.equal(isRight([entry]), true));
    it(`accepts ${shown(entry)} as the extension does`, () => assert.equal(isUsable(entry), true));
  }

  for (const entry of unusableEntries) {
    it(`refuses ${shown(entry)}`, () => assert.equal(isRight([entry]), false));
    it(`refuses ${shown(entry)} as the extension does`, () => assert.equal(isUsable(entry), false));
  }

  for (const [what, entry] of [
    ['an ID that a URL would resolve', '..'],
    ['an ID with a line break', 'dep\n1'],
    ['an ID of more than 1,000 characters', 'x'.repeat(1001)],
    ['a group that nobody sees', { id: 'dep_1', group: '\u200B\u2060\u3164' }],
  ] as const) {
    it(`cannot know that ${what} is unusable`, () => assert.equal(isRight([entry]), true));
  }

  it('refuses a field that does not exist, although the extension ignores it', () => {
    assert.equal(isRight([{ id: 'dep_1', grupe: 'payments' }]), false);
  });

  it('refuses an entry that stands twice, although the extension reads it once', () => {
    assert.equal(isRight(['dep_1', 'dep_1']), false);
  });

  it('accepts an empty list', () => assert.equal(isRight([]), true));
});
