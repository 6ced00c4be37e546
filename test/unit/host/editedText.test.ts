import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { parse, visit } from 'jsonc-parser';
import { editedText, mayHaveComments } from '../../../src/host/list/editedText.js';
import { withId, withLabel, withoutKeys } from '../../../src/model/entered/listEntries.js';

const path = ['automationPlatform.deployments'];

type Change = (list: readonly unknown[]) => readonly unknown[];

/** A settings file with this list, and comments and another setting around the list. */
function file(list: string): string {
  return `{\n  // "automationPlatform.deployments": [],\n  "other": [1, // one\n  2],\n  "${path[0]}": ${list},\n}\n`;
}

/** The list in a settings file. */
function listIn(text: string): readonly unknown[] {
  const settings: Readonly<Record<string, readonly unknown[]>> = parse(text);
  return settings[path[0]!]!;
}

/** The text of a settings file after a change of its list; none if the text cannot be changed. */
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
    withoutKeys(list, new Set(ids));

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
  for (const [title, change, before, after] of [
    [
      'appends entries behind the comment of the last entry',
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
      'removes the last entry with the comma before it',
      without('c'),
      list,
      list.replace('"B" },', '"B" }').replace('    "c" // test\n', ''),
    ],
    [
      'turns a string into an object when it gets a label',
      label('a', 'A'),
      list,
      list.replace('"a"', '{ "id": "a", "label": "A" }'),
    ],
    [
      'adds a label to an object before its comment',
      label('a', 'A'),
      '[{\n  "id": "a" // x\n}]',
      '[{\n  "id": "a", // x\n  "label": "A"\n}]',
    ],
    [
      'inserts entries behind the entries before them',
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
      'keeps the line endings of Windows',
      add('b'),
      '[\r\n\t"a" // Ann\r\n]',
      '[\r\n\t"a", // Ann\r\n\t"b"\r\n]',
    ],
    ['appends entries in one line', add('b', 'c'), '["a" /* Ann */]', '["a", "b", "c" /* Ann */]'],
    [
      'removes an entry in one line',
      without('b'),
      '["a" /* Ann */, "b", "c"]',
      '["a" /* Ann */, "c"]',
    ],
    [
      'removes an entry up to its comma in the next line',
      without('a'),
      '["a" // Ann\n, "b"]',
      '["b"]',
    ],
    [
      'adds an entry to a list of comments',
      add('a'),
      '[\n    // none yet\n  ]',
      '[\n    "a"\n    // none yet\n  ]',
    ],
  ] as const) {
    it(title, () => assert.equal(edited(file(before), change), file(after)));
  }

  it('finds the list of a .code-workspace file', () => {
    const text = '{ "settings": { "automationPlatform.deployments": [ /* none */ ] } }';
    assert.equal(editedText(text, ['settings', ...path], [], ['a']), text.replace('[', '[ "a"'));
  });

  for (const other of ['["a", "b" /* Bob */]', '"a" // Ann', '["a" // Ann\n', '["a" "b"] // Ann']) {
    it(`refuses a text that has ${other.replace('\n', '⏎')} in place of the list`, () => {
      assert.equal(editedText(file(other), path, ['a'], []), undefined);
    });
  }

  it('refuses an empty text', () => {
    assert.equal(editedText('', path, ['a'], []), undefined);
  });
});

describe('mayHaveComments()', () => {
  for (const [value, expected] of [
    ['["a"]', false],
    ['["a" // Ann\n]', true],
    ['[/* none */]', true],
    ['["a // no comment, but it may be one"]', true],
  ] as const) {
    it(`is ${expected} for ${value.replace('\n', '⏎')}`, () =>
      assert.equal(mayHaveComments(file(value), path), expected));
  }
});

/** Returns the comments of a settings file in their order. */
function commentsIn(text: string): readonly string[] {
  const found: string[] = [];
  visit(text, {
    onComment: (offset, length) => {
      found.push(text.slice(offset, offset + length));
    },
  });
  return found;
}

describe('editedText() of any list and any change', () => {
  const labels = fc.constantFrom('A', '*/', '\n');
  const ids = fc.constantFrom('a', 'b', 'c', 'a"b', '//', '/*', ',');
  const entry = fc.oneof(
    ids,
    fc.record({ id: ids, label: labels }, { noNullPrototype: true }),
    fc.constantFrom(null, 5),
  );
  const inLine = fc.constantFrom('', ' ', ' /* , */ ');
  const gap = fc.oneof(inLine, fc.constantFrom('\n  ', ' // x\n ', '\n\t/* "\n" */\t', '\n// y\n'));
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

  /** Checks a fact about any settings file, any change of its list, and the text after the change. */
  function always(fact: (text: string, apply: Change, result: string | undefined) => void): void {
    fc.assert(
      fc.property(entries, gap, fc.boolean(), change, (all, end, hasComma, apply) => {
        const texts = all.map(
          ([before, value, after]) => `${before}${JSON.stringify(value)}${after}`,
        );
        const lastComma = hasComma && all.length > 0 ? ',' : '';
        const text = file(`[${texts.join(',')}${lastComma}${end}]`);
        fact(text, apply, edited(text, apply));
      }),
      { numRuns: 500 },
    );
  }

  it('has the changed list', () =>
    always((text, apply, result) => {
      if (result !== undefined) assert.deepEqual(listIn(result), apply(listIn(text)), text);
    }));

  it('keeps every comment when entries are only added', () =>
    always((text, _, result) => {
      if (result === undefined) return;
      const listAfter = listIn(result);
      const isOnlyAdded = listIn(text).every((value, index) => value === listAfter[index]);
      if (isOnlyAdded) assert.deepEqual(commentsIn(result), commentsIn(text), text);
    }));

  it('refuses no list with a comment', () =>
    always((text, _, result) => {
      if (result === undefined) assert.deepEqual(commentsIn(text), commentsIn(file('[]')), text);
    }));
});

describe('editedText() of owners', () => {
  const owners = `{
    // Finance
    "acc_1": "Maria", // until May
    "acc_2": "Bob" /* or Ann */
  }`;
  /** The settings file after this owner was set, or removed without a value. */
  const withOwner = (key: string, value: string | undefined) => {
    const text = file(owners);
    const { [path[0]!]: before } = parse(text) ?? {};
    const { [key]: _, ...others } = before ?? {};
    const after = value === undefined ? others : { ...before, [key]: value };
    return editedText(text, path, before, after);
  };

  for (const [title, key, value, after] of [
    ['replaces a name', 'acc_1', 'Eve "x"', owners.replace('"Maria"', '"Eve \\"x\\""')],
    [
      'removes an entry with the comment in its line',
      'acc_1',
      undefined,
      owners.replace(/\n *"acc_1".*/, ''),
    ],
    [
      'appends an entry behind the last comment',
      'acc_3',
      'Eve',
      owners.replace('"Bob" /* or Ann */', '"Bob", /* or Ann */\n    "acc_3": "Eve"'),
    ],
    ['changes nothing when an unknown owner is removed', 'acc_3', undefined, owners],
  ] as const) {
    it(title, () => assert.equal(withOwner(key, value), file(after)));
  }
});
