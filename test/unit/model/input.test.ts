import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  asEnteredId,
  enteredIds,
  idProblem,
  installTokenIn,
  prefills,
  readDeepLink,
  readToken,
  textPrefill,
} from '../../../src/model/input.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';
const another = uuid.replace('0a', '1a');
const survives = (id: string) => assert.deepEqual(enteredIds(asEnteredId(id)), [{ id, fromUrl: false }]);
const holdsToken = (text: string) => text.includes('tok_1');

describe('a pasted token', () => {
  it('is found behind what people paste with it', () => {
    for (const token of ['tok_AbC.123~+/==', 'bearer_1', 'a'.repeat(16_384)]) {
      assert.deepEqual(readToken(token), { kind: 'token', token, cleaned: false });
    }
    for (const pasted of ['\r\ntok_1\r\n', 'bearer   tok_1 ', 'Authorization: Bearer tok_1', 'BEARER\ttok_1']) {
      assert.deepEqual(readToken(pasted), { kind: 'token', token: 'tok_1', cleaned: true }, pasted);
    }
  });

  for (const [kind, ...texts] of [
    ['empty', '', '  \n', 'Bearer', 'Authorization: Bearer '],
    ['gaps', 'tok_1 tok_2', 'tok_1\ntok_2', 'tok\u00a01'],
    ['illegal', 'tok\u0000en', 'tok\u200ben', 'tökén', 'tok\u007f'],
    ['tooLong', 'a'.repeat(16_385)],
  ]) {
    it(`is refused as ${kind}`, () => texts.forEach((text) => assert.deepEqual(readToken(text), { kind }, text)));
  }
});

describe('an install token', () => {
  for (const text of [
    `{${uuid.toUpperCase()}}`,
    `urn:uuid:${uuid}`,
    `https://host.example/login?next=%2Finstalls%2F${uuid}`,
    `https://host.example/login?next=%252Finstalls%252F${uuid}%253Fa`,
    `https://host.example/?token=${uuid}&again=${uuid.toUpperCase()}`,
    `100% \u200B${uuid}\uFEFF`,
  ]) {
    it(`is in ${JSON.stringify(text)}`, () => assert.deepEqual(installTokenIn(text), { kind: 'one', token: uuid }));
  }

  it('is no part of another word, and one of several is none', () => {
    const wrong = ['', uuid.slice(1), `${uuid}0`, `${uuid}-1`, `_${uuid}`, `é${uuid}`, uuid.replace('a', 'g')];
    for (const text of wrong) assert.deepEqual(installTokenIn(text), { kind: 'none' }, text);
    assert.deepEqual(installTokenIn(`${uuid} ${another} ${another}`), { kind: 'several', count: 2 });
  });
});

describe('an id that somebody enters', () => {
  for (const [problem, ...ids] of [
    [undefined, 'a/b', 'a b', '%2e%2e', '...', '日本', '😀', '[x](y)', 'a'.repeat(1000)],
    ['empty', ''],
    ['dotSegment', '.', '..'],
    ['loneSurrogate', 'a\ud800'],
    ['tooLong', 'a'.repeat(1001)],
    ['token', 'x tok_1 y'],
  ] as const) {
    it(`is ${problem ?? 'taken'}`, () => ids.forEach((id) => assert.equal(idProblem(id, holdsToken), problem, id)));
  }

  for (const [text, ...ids] of [
    [' dep_1, dep_2\tdep_1,,dep_3\n', 'dep_1', 'dep_2', 'dep_3'],
    [' , '],
    ['"dep 1", "a,b" c"d', 'dep 1', 'a,b', 'c"d'],
    ['"a"" b" """q""" "c d', 'a" b', '"q"', '"c', 'd'],
    ['https://dash.example/deployments/dep%201/?tab=a#top x/y', 'dep 1 (of a URL)', 'x/y'],
    ['vscode://a.b/c/50%', '50% (of a URL)'],
    ['https://dash.example/ "https://dash.example/a" https://', ' (of a URL)', 'https://dash.example/a', 'https://'],
  ] as const) {
    it(`is one of ${JSON.stringify(ids)} in ${JSON.stringify(text)}`, () => {
      const found = enteredIds(text).map(({ id, fromUrl }) => id + (fromUrl ? ' (of a URL)' : ''));
      assert.deepEqual(found, ids);
    });
  }

  it('asEnteredId() gives what enteredIds() reads as exactly this ID, whatever it is made of', () => {
    for (const id of ['a" b', '"q"', '"', '""', 'urn://x/y', 'a,"b']) survives(id);
    const ids = fc.string({ unit: fc.constantFrom('a', 'ü', '"', ' ', ',', '/', ':', '.', '\\', "'") });
    fc.assert(
      fc.property(ids, (id) => {
        fc.pre(id.trim() === id && id !== '');
        survives(id);
      }),
    );
    for (const id of ['dep_1', 'c"d', "it's"]) assert.equal(asEnteredId(id), id, 'quotes only if need be');
  });
});

describe('arguments of other programs', () => {
  it('prefill with text, and of another kind with nothing', () => {
    assert.equal(textPrefill(' key_1 '), 'key_1');
    const wrong = [undefined, 1, {}, ['key_1'], () => 'key_1', '  ', 'a'.repeat(2001)];
    for (const argument of wrong) assert.equal(textPrefill(argument), undefined);
  });

  it('prefill field by field', () => {
    const argument = { baseUrl: ' https://a.example/api/v1', name: 1, token: 'tok_1' };
    assert.deepEqual(prefills(argument, 'baseUrl', 'name'), { baseUrl: 'https://a.example/api/v1' });
    for (const other of ['dep_1', undefined, null]) assert.deepEqual(prefills(other, 'id'), {});
  });
});

describe('a deep link', () => {
  for (const [path, query, expected] of [
    ['/deployment', 'label=Billing sync&id=dep_1', { kind: 'deployment', id: 'dep_1', label: 'Billing sync' }],
    // Not decoded a second time.
    ['/deployment', 'id=a+b%2Fc=d', { kind: 'deployment', id: 'a+b%2Fc=d' }],
    // VS Code's own parameter.
    ['/deployment', 'windowId=_blank&id=dep_1', { kind: 'deployment', id: 'dep_1' }],
    ['/deployment', `id=${'a'.repeat(500)}`, { kind: 'deployment', id: 'a'.repeat(500) }],
    ['/install', `token=${uuid.toUpperCase()}`, { kind: 'install', token: uuid }],
  ] as const) {
    it(`to ${path} with ${query.slice(0, 60)} is understood`, () =>
      assert.deepEqual(readDeepLink(path, query), expected));
  }

  // An unknown parameter may be the rest of an id with an & in it, and half an id is none.
  for (const [path, query, reason, parameter] of [
    ['/', 'id=dep_1', 'path'],
    ['/deployment/', 'id=dep_1', 'path'],
    ['/Deployment', 'id=dep_1', 'path'],
    ['/constructor', 'id=dep_1', 'path'],
    ['/deployment', 'id=&id=dep_1', 'repeated', 'id'],
    ['/deployment', `id=${'a'.repeat(501)}`, 'tooLong', 'id'],
    ['/deployment', `id=dep_1&label=${'a'.repeat(201)}`, 'tooLong', 'label'],
    ['/install', `token=${uuid}   ${'a'.repeat(500)}`, 'tooLong', 'token'],
    ['/deployment', 'id=a&b', 'unknownParameter'],
    ['/install', `token=${uuid}&id=dep_1`, 'unknownParameter'],
    ['/deployment', 'id= ', 'missing', 'id'],
    ['/install', 'token', 'missing', 'token'],
    ['/install', `token=${uuid} ${another}`, 'noToken'],
  ]) {
    it(`to ${path} with ${query!.slice(0, 60)} is refused`, () => {
      assert.deepEqual(readDeepLink(path!, query!), { kind: 'refused', reason, ...(parameter && { parameter }) });
    });
  }
});
