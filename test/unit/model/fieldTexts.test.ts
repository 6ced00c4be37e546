import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { fieldTexts } from '../../../src/model/fieldTexts.js';
import { shorten } from '../../../src/model/inertText.js';

/** The shown fields, and how many more there are: “a 1 · +3”. */
function show(object: object, without: readonly string[] = [], max = 7): string {
  const { shown, more } = fieldTexts(object, without, max);
  return [...shown, ...(more > 0 ? [`+${more}`] : [])].join(' · ');
}

/** Makes a list of 1,000 items that fails when its item at this index is read. */
function listUntil(length: number, item: unknown): unknown[] {
  const list = Array<unknown>(1000).fill(item);
  Object.defineProperty(list, length, { get: () => assert.fail('was read') });
  return list;
}

describe('the fields of an answer', () => {
  for (const [title, object, expected] of [
    ['stand in the order of the answer', { b: 'x', a: 1, c: null }, 'b x · a 1 · c null'],
    ['list texts with commas', { scopes: ['a', 'b'], none: [] }, 'scopes a, b · none '],
    ['are JSON when they have no simpler form', { a: [1, { b: ['c', 2] }] }, 'a [1,{"b":["c",2]}]'],
    [
      'stand one by one when they are in an object',
      { error: { code: 'x', at: { b: 1 } } },
      'error.code x · error.at {"b":1}',
    ],
    ['are {} when they are an empty object', { error: {} }, 'error {}'],
    [
      'are left out when another text says them',
      { id: 1, said: 2, error: { code: 1, said: 2 } },
      'id 1 · error.code 1',
    ],
  ] as const) {
    it(title, () => assert.equal(show(object, ['said', 'error.said']), expected));
  }

  it('are counted when there is no room for them', () => {
    const object = { a: 1, b: { c: 1, d: 2, said: 3 }, e: { f: 1, g: 1 }, said: 4 };
    assert.equal(show(object, ['said', 'b.said'], 2), 'a 1 · b.c 1 · +3');
  });

  it('are cut JSON whatever the platform sends', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const isText =
          typeof value === 'string' ||
          (Array.isArray(value) && value.every((one) => typeof one === 'string'));
        fc.pre(!isText);
        // One level deeper, because the fields of an object in it stand one by one.
        assert.equal(show({ a: [0, value] }), `a ${shorten(JSON.stringify([0, value]), 200)}`);
      }),
    );
  });

  for (const [what, value, expected] of [
    ['a list of texts', listUntil(200, ''), `${', '.repeat(99)},…`],
    ['a list of numbers', listUntil(200, 0), `[${'0,'.repeat(99)}…`],
    ['a nested list', [{ b: listUntil(200, 1) }], `[{"b":[${'1,'.repeat(96)}…`],
  ] as const) {
    it(`are read only as far as they are shown when a value is ${what}`, () => {
      assert.equal(show({ a: value }), `a ${expected}`);
    });
  }

  it('are cut when a value is nested 100,000 times', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    assert.equal(show({ a: deep }), `a ${'['.repeat(199)}…`);
  });
});
