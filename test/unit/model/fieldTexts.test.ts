import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { fieldTexts } from '../../../src/model/fieldTexts.js';
import { shorten } from '../../../src/model/inertText.js';

function show(object: object, without: readonly string[] = [], max = 7): string {
  const { shown, more } = fieldTexts(object, without, max);
  return [...shown, ...(more > 0 ? [`+${more}`] : [])].join(' · ');
}

/** A list that must not be read from this place on. */
function listUntil(length: number, item: unknown): unknown[] {
  const list = Array<unknown>(1000).fill(item);
  Object.defineProperty(list, length, { get: () => assert.fail('was read') });
  return list;
}

describe('the texts of fields', () => {
  for (const [what, object, expected] of [
    ['are in the order of the answer', { b: 'x', a: 1, c: null }, 'b x · a 1 · c null'],
    ['list texts with commas', { scopes: ['a', 'b'], none: [] }, 'scopes a, b · none '],
    ['are JSON where there is no other form', { a: [1, { b: ['c', 2] }] }, 'a [1,{"b":["c",2]}]'],
    [
      'name the fields of an object in it one by one',
      { error: { code: 'x', at: { b: 1 } } },
      'error.code x · error.at {"b":1}',
    ],
    ['name an empty object', { error: {} }, 'error {}'],
    [
      'leave out what is said elsewhere',
      { id: 1, said: 2, error: { code: 1, said: 2 } },
      'id 1 · error.code 1',
    ],
  ] as const) {
    it(what, () => assert.equal(show(object, ['said', 'error.said']), expected));
  }

  it('count what is not shown, also in objects', () => {
    assert.equal(
      show({ a: 1, b: { c: 1, d: 2, said: 3 }, e: { f: 1, g: 1 }, said: 4 }, ['said', 'b.said'], 2),
      'a 1 · b.c 1 · +3',
    );
  });

  it('are the beginning of the JSON of whatever the platform sends', () => {
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

  it('read no more of a value than they show', () => {
    assert.equal(show({ a: listUntil(200, '') }), `a ${', '.repeat(99)},…`);
    assert.equal(show({ a: listUntil(200, 0) }), `a [${'0,'.repeat(99)}…`);
    assert.equal(show({ a: [{ b: listUntil(200, 1) }] }), `a [{"b":[${'1,'.repeat(96)}…`);
  });

  it('are cut in a value that is nested 100,000 times', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    assert.equal(show({ a: deep }), `a ${'['.repeat(199)}…`);
  });
});
