import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { deploymentLink, readDeepLink } from '../../../src/model/deepLinks.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';
const another = uuid.replace('0a', '1a');

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
    it(`to ${path} with ${query!.slice(0, 60)} is refused: ${reason}`, () => {
      assert.deepEqual(readDeepLink(path!, query!), { kind: 'refused', reason, ...(parameter && { parameter }) });
    });
  }
});

/** As VS Code does before an extension gets a link. */
function read(link: string) {
  const [path = '', query = ''] = link.split('?');
  return readDeepLink(path, decodeURIComponent(query));
}

function isPlain(value: string): boolean {
  return value.trim() === value && !/\p{Surrogate}/u.test(value);
}

describe('deploymentLink()', () => {
  const hostile = ['&', '%', '2', '5', '6', '=', '#', '?', '/', ' ', '+', 'id=', '日', '[x](y)', '\ud800'];
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.array(fc.constantFrom(...hostile), { maxLength: 12 }).map((parts) => parts.join('')),
  );

  it('makes links that are read as the same deployment, whatever ID and label are made of', () => {
    fc.assert(
      fc.property(text, text, (id, label) => {
        const link = deploymentLink(id, label);
        if (id === '' || !isPlain(id)) return;
        const expected = { kind: 'deployment', id, ...(label !== '' && isPlain(label) && { label }) };
        assert.deepEqual(read(link!), expected);
        assert.match(link!, /^\/deployment\?id=[^&\s#]+(&label=[^&\s#]+)?$/);
      }),
    );
  });

  it('is readable where nothing has to be encoded twice', () => {
    assert.equal(deploymentLink('dep_1', 'Sales 100 %'), '/deployment?id=dep_1&label=Sales%20100%20%25');
    assert.equal(deploymentLink('a%26b', 'Sales & Ops'), '/deployment?id=a%252526b&label=Sales%20%2526%20Ops');
  });

  it('leaves out a label that would be refused, and makes no link to such an ID', () => {
    for (const label of ['', ' x', 'a'.repeat(201), 'half \ud800']) {
      assert.equal(deploymentLink('dep_1', label), '/deployment?id=dep_1');
    }
    for (const id of ['', ' dep_1', 'a'.repeat(501), 'half \ud800']) assert.equal(deploymentLink(id, ''), undefined);
  });
});
