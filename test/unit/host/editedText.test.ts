import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { parse, visit } from 'jsonc-parser';
import { editedText, mayHaveComments } from '../../../src/host/list/editedText.js';
import { withId, withLabel, withoutIds } from '../../../src/model/entered/listEntries.js';

const path = ['automationPlatform.deployments'];

type Change = (list: readonly unknown[]) => readonly unknown[];

/** A settings file with this list; what stands around it is no affair of the list's. */
function file(list: string): string {
  return `{\n  // "automationPlatform.deployments": [],\n  "other": [1, // one\n  2],\n  "${path[0]}": ${list},\n}\n`;
}

function listIn(text: string): readonly unknown[] {
  const settings: Readonly<Record<string, readonly unknown[]>> = parse(text);
  return settings[path[0]!]!;
}

function edited(text: string, change: Change): string | undefined {
  const before = listIn(text);
  return editedText(text, path, before, change(before));
}

const add =
  (...added: readonly unknown[]): Change =>
  (list) => [...list, ...added];
const without =
  (...ids: readonly string[]): Change =>
  (list) =>
    withoutIds(list, new Set(ids));

const label =
  (id: string, text?: string): Change =>
  (list) =>
    withLabel(list, id, text);

const list = `[
    // The important ones
    "a", // production, ask Ann
    { "id": "b", /* of Bob */ "label": "B" },
    /* to be removed? */
    "c" // test
    // "d"
  ]`;

describe('editedText()', () => {
  for (const [what, change, before, after] of [
    [
      'appends behind the comment of the last entry',
      add('e', { id: 'f', label: 'F' }),
      list,
      list.replace('"c" // test', '"c", // test\n    "e",\n    { "id": "f", "label": "F" }'),
    ],
    [
      'removes an entry with the comment in its line',
      without('a'),
      list,
      list.replace('    "a", // production, ask Ann\n', ''),
    ],
    [
      'removes the last entry, and the comma before it',
      without('c'),
      list,
      list.replace('"B" },', '"B" }').replace('    "c" // test\n', ''),
    ],
    ['labels a string', label('a', 'A'), list, list.replace('"a"', '{ "id": "a", "label": "A" }')],
    [
      'adds a property',
      label('a', 'A'),
      '[{\n  "id": "a" // x\n}]',
      '[{\n  "id": "a", // x\n  "label": "A"\n}]',
    ],
    [
      'inserts behind the entry before',
      (all: readonly unknown[]) => ['n', ...all.slice(0, 2), 'm', ...all.slice(2)],
      list,
      list.replace('[', '[\n    "n",').replace('"B" },', '"B" },\n    "m",'),
    ],
    [
      'keeps the comma behind the last entry',
      add('b'),
      '[\n\t"a", // Ann\n]',
      '[\n\t"a", // Ann\n\t"b",\n]',
    ],
    [
      'keeps lines of Windows',
      add('b'),
      '[\r\n\t"a" // Ann\r\n]',
      '[\r\n\t"a", // Ann\r\n\t"b"\r\n]',
    ],
    ['appends in one line', add('b', 'c'), '["a" /* Ann */]', '["a", "b", "c" /* Ann */]'],
    ['removes in one line', without('b'), '["a" /* Ann */, "b", "c"]', '["a" /* Ann */, "c"]'],
    ['removes up to a comma in the next line', without('a'), '["a" // Ann\n, "b"]', '["b"]'],
    [
      'fills a list that has comments only',
      add('a'),
      '[\n    // none yet\n  ]',
      '[\n    "a"\n    // none yet\n  ]',
    ],
  ] as const) {
    it(`${what}, and leaves every other comment`, () =>
      assert.equal(edited(file(before), change), file(after)));
  }

  for (const [value, expected] of [
    ['["a"]', false],
    ['["a" // Ann\n]', true],
    ['[/* none */]', true],
    ['["a // no comment, but it may be one"]', true],
  ] as const) {
    it(`says that ${value.replace('\n', '⏎')} ${expected ? 'may have' : 'has no'} comments`, () =>
      assert.equal(mayHaveComments(file(value), path), expected));
  }

  it('finds the list of a .code-workspace file', () => {
    const text = '{ "settings": { "automationPlatform.deployments": [ /* none */ ] } }';
    assert.equal(editedText(text, ['settings', ...path], [], ['a']), text.replace('[', '[ "a"'));
  });

  it('leaves a text alone whose list is another one, or can’t be read', () => {
    const others = ['["a", "b" /* Bob */]', '"a" // Ann', '["a" // Ann\n', '["a" "b"] // Ann'];
    for (const other of others)
      assert.equal(editedText(file(other), path, ['a'], []), undefined, other);
    assert.equal(editedText('', path, ['a'], []), undefined);
  });

  it('gives the list that is wanted and keeps every comment of additions, whatever the list is made of', () => {
    const labels = fc.constantFrom('A', '*/', '\n');
    const ids = fc.constantFrom('a', 'b', 'c', 'a"b', '//', '/*', ',');
    const entry = fc.oneof(
      ids,
      fc.record({ id: ids, label: labels }, { noNullPrototype: true }),
      fc.constantFrom(null, 5),
    );
    const inLine = fc.constantFrom('', ' ', ' /* , */ ');
    const gap = fc.oneof(
      inLine,
      fc.constantFrom('\n  ', ' // x\n ', '\n\t/* "\n" */\t', '\n// y\n'),
    );
    const change = fc.oneof(
      fc.array(entry).map((added) => add(...added)),
      fc.subarray(['a', 'b', 'c', '//', ',']).map((removed) => without(...removed)),
      fc.tuple(ids, labels).map(([id, text]) => label(id, text)),
      ids.map((id) => label(id)),
      fc.tuple(ids, ids).map(
        ([id, changed]): Change =>
          (all) =>
            withId(all, id, changed),
      ),
    );
    const entries = fc.array(fc.tuple(gap, entry, inLine), { maxLength: 6 });
    fc.assert(
      fc.property(entries, gap, fc.boolean(), change, (all, end, hasComma, apply) => {
        const texts = all.map(
          ([before, value, after]) => `${before}${JSON.stringify(value)}${after}`,
        );
        const text = file(`[${texts.join(',')}${hasComma && all.length > 0 ? ',' : ''}${end}]`);
        const result = edited(text, apply);
        if (result === undefined) return assert.deepEqual(commentsIn(text), commentsIn(file('[]')));
        assert.deepEqual(listIn(result), apply(listIn(text)), text);
        if (listIn(text).every((value, index) => value === listIn(result)[index])) {
          assert.deepEqual(commentsIn(result), commentsIn(text));
        }
      }),
      { numRuns: 500 },
    );
  });
});

function commentsIn(text: string): readonly string[] {
  const found: string[] = [];
  visit(text, {
    onComment: (offset, length) => void found.push(text.slice(offset, offset + length)),
  });
  return found;
}

describe('editedText() of owners', () => {
  const owners = `{
    // Finance
    "acc_1": "Maria", // until May
    "acc_2": "Bob" /* or Ann */
  }`;
  const set = (key: string, value: string | undefined, text = file(owners)) => {
    const { [path[0]!]: before } = parse(text) ?? {};
    const { [key]: _, ...others } = before ?? {};
    return editedText(
      text,
      path,
      before,
      value === undefined ? others : { ...before, [key]: value },
    );
  };

  for (const [what, key, value, after] of [
    ['replaces a value', 'acc_1', 'Eve "x"', owners.replace('"Maria"', '"Eve \\"x\\""')],
    [
      'removes an entry with the comment in its line',
      'acc_1',
      undefined,
      owners.replace(/\n *"acc_1".*/, ''),
    ],
    [
      'appends behind the last comment',
      'acc_3',
      'Eve',
      owners.replace('"Bob" /* or Ann */', '"Bob", /* or Ann */\n    "acc_3": "Eve"'),
    ],
    ['leaves alone what is not there', 'acc_3', undefined, owners],
  ] as const) {
    it(what, () => assert.equal(set(key, value), file(after)));
  }
});
