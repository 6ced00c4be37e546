import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { decodeDeploymentAuthorization } from '../../../src/api/authorization.js';
import { DecodeIssues, type Decoder } from '../../../src/api/decode.js';
import { decodeIntegrationInstall } from '../../../src/api/install.js';
import { jsonPreview } from '../../../src/api/json.js';
import { unknownFields } from '../../../src/api/unknownFields.js';
import { account, authorization, connection, requirement } from '../../support/service/data.js';

function decode(value: unknown, decoder: Decoder<object> = decodeDeploymentAuthorization) {
  const problems = new DecodeIssues();
  return { value: decoder(value, problems), problems };
}

const good = authorization(
  [account({ extra: { deep: [1] } }), account({ error: { code: 'x', hint: 1 } as object }), account({ error: null })],
  [requirement({ satisfied: false }), {}],
);

describe('decoding a deployment authorization', () => {
  it('yields the very same object if all is well', () => {
    const { value, problems } = decode(good);
    assert.equal(value, good);
    assert.equal(problems.count, 0);
  });

  for (const [name, sent, kept, paths] of [
    [
      'null rows',
      { accounts: [null, {}], requirements: [null] },
      { accounts: [{}], requirements: [] },
      ['accounts[0] null', 'requirements[0] null'],
    ],
    ['accounts absent', { requirements: [{}] }, { accounts: [], requirements: [{}] }, ['accounts absent']],
    [
      'requirements wrong',
      { accounts: [{}], requirements: 'x' },
      { accounts: [{}], requirements: [] },
      ['requirements string'],
    ],
    [
      'wrong fields',
      { accounts: [{ id: 1, label: 'a', odd: 1 }], requirements: [{ satisfied: 'no', serviceId: 's' }] },
      { accounts: [{ label: 'a', odd: 1 }], requirements: [{ serviceId: 's' }] },
      ['accounts[0].id number', 'requirements[0].satisfied string'],
    ],
    [
      'wrong at depth',
      { accounts: [{ scopes: ['a', null, 'b'] }], requirements: [{ connections: [{ requiredScopes: [{}, 'c'] }] }] },
      { accounts: [{ scopes: ['a', 'b'] }], requirements: [{ connections: [{ requiredScopes: ['c'] }] }] },
      ['accounts[0].scopes[1] null', 'requirements[0].connections[0].requiredScopes[0] object'],
    ],
    [
      'errors',
      {
        accounts: [{ error: null }, { error: {} }, { error: 'x' }, { error: [] }, { error: { code: 7 } }],
        requirements: [],
      },
      { accounts: [{ error: null }, { error: {} }, {}, {}, { error: {} }], requirements: [] },
      ['accounts[2].error string', 'accounts[3].error array', 'accounts[4].error.code number'],
    ],
    [
      'null fields',
      { accounts: [{ label: null }], requirements: [] },
      { accounts: [{}], requirements: [] },
      ['accounts[0].label null'],
    ],
  ] as const) {
    it(`drops what is wrong, and only that: ${name}`, () => {
      const before = JSON.stringify(sent);
      const { value, problems } = decode(sent);
      assert.deepEqual(value, kept);
      assert.deepEqual(
        problems.list.map(({ path, found }) => `${path} ${found}`),
        paths,
      );
      assert.equal(JSON.stringify(sent), before, 'what came is not changed');
    });
  }

  for (const value of [
    null,
    undefined,
    1,
    'x',
    true,
    [],
    [good],
    {},
    { error: {} },
    { accounts: null, requirements: 1 },
  ]) {
    it(`finds nothing usable in ${JSON.stringify(value)}`, () => assert.equal(decode(value).value, undefined));
  }

  it('lists the first 100 problems and counts them all', () => {
    const { problems } = decode({ accounts: Array.from({ length: 250 }, () => null), requirements: [] });
    assert.equal(problems.list.length, 100);
    assert.equal(problems.list[99]?.path, 'accounts[99]');
    assert.equal(problems.count, 250);
  });

  it('takes fields of the prototype for what they are', () => {
    const sent: unknown = JSON.parse(
      '{"__proto__":{"accounts":[1]},"constructor":1,"accounts":[{"__proto__":{"id":"x"},"id":1}],"requirements":[]}',
    );
    const { value } = decode(sent);
    assert.equal(
      JSON.stringify(value),
      '{"__proto__":{"accounts":[1]},"constructor":1,"accounts":[{"__proto__":{"id":"x"}}],"requirements":[]}',
    );
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  it('survives 100,000-fold nesting', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const sent: unknown = JSON.parse(`{"accounts":[{"id":${deep},"odd":${deep}}],"requirements":[]}`);
    const { value, problems } = decode(sent);
    assert.ok(value !== undefined);
    assert.deepEqual(
      problems.list.map(({ path }) => path),
      ['accounts[0].id'],
    );
  });

  it('never throws, whatever comes', () => {
    const named = fc.oneof(fc.string(), fc.constantFrom('accounts', 'requirements', 'id', 'error', 'connections'));
    const { anything } = fc.letrec((tie) => ({
      anything: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue(),
        fc.array(tie('anything'), { maxLength: 4 }),
        fc.dictionary(named, tie('anything'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(fc.property(anything, (value) => void decode(value)));
  });

  it('never loses a good sibling, nor the order', () => {
    const row = fc.oneof(
      fc.constant(null),
      fc.integer(),
      fc.string(),
      fc.nat(9).map((n) => account({ id: `acc_${n}` })),
    );
    fc.assert(
      fc.property(fc.array(row), fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null))), (rows, scopes) => {
        const sent = {
          accounts: rows,
          requirements: [{ ...requirement(), connections: [{ ...connection(), minimalScopes: scopes }] }],
        };
        const { value } = decode(sent);
        assert.deepEqual(value, {
          accounts: rows.filter((one) => typeof one === 'object' && one !== null),
          requirements: [
            requirement({
              connections: [connection({ minimalScopes: scopes.filter((one) => typeof one === 'string') })],
            }),
          ],
        });
      }),
    );
  });
});

describe('decoding a pending installation', () => {
  const install = { expiresAt: '2026-11-20T12:00:00Z', label: 'Acme CRM', requiredPlan: 'pro', serviceId: 'crm' };
  const whole = { ...install, serviceName: 'CRM', serviceSub: 'T1' };

  it('yields the very same object if all is well, with unknown values and fields', () => {
    const sent = { ...whole, requiredPlan: 'enterprise', expiresAt: 'never', odd: [1] };
    const { value, problems } = decode(sent, decodeIntegrationInstall);
    assert.equal(value, sent);
    assert.equal(problems.count, 0);
  });

  it('says which of the required fields are absent or wrong, and keeps the others', () => {
    const { expiresAt, serviceId, serviceName } = whole;
    const sent = { expiresAt, serviceId, serviceName, requiredPlan: null };
    const { value, problems } = decode(sent, decodeIntegrationInstall);
    assert.deepEqual(value, { expiresAt, serviceId, serviceName });
    assert.deepEqual(
      problems.list.map(({ path, expected, found }) => `${path} ${expected} ${found}`),
      ['label string absent', 'requiredPlan string null', 'serviceSub string absent'],
    );
  });

  it('finds nothing usable in anything else', () => {
    for (const value of [null, [], 'x', {}, { data: whole }, { label: 1 }]) {
      assert.equal(decode(value, decodeIntegrationInstall).value, undefined);
    }
  });
});

describe('unknown fields', () => {
  it('are those that docs/service.md does not name, in their order', () => {
    const sent: object = JSON.parse('{"z":1,"id":"a","error":{"code":"c","why":2},"__proto__":3,"satisfied":true}');
    assert.deepEqual(unknownFields(sent, 'account'), ['z', '__proto__', 'satisfied']);
    assert.deepEqual(unknownFields({ code: 'c', why: 2 }, 'accountError'), ['why']);
    assert.deepEqual(unknownFields({ satisfied: true, id: 1 }, 'requirement'), ['id']);
    assert.deepEqual(unknownFields({ minimalScopes: [], toString: 1 }, 'connection'), ['toString']);
    assert.deepEqual(unknownFields({ accounts: [], next: 1 }, 'deploymentAuthorization'), ['next']);
    assert.deepEqual(unknownFields({ requiredPlan: 'x', iconUrl: 'y' }, 'integrationInstall'), ['iconUrl']);
  });

  it('are shown as JSON of a bounded length', () => {
    assert.equal(jsonPreview({ a: [1, null, 'x"'], b: {} }, 200), '{"a":[1,null,"x\\""],"b":{}}');
    assert.equal(jsonPreview('x'.repeat(1000), 10), '"xxxxxxxx…');
    assert.equal(jsonPreview(['😀', '😀'], 4), '["…');
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 50 }), (value, longest) => {
        const text = jsonPreview(value, longest);
        assert.ok(text.length <= longest);
        const whole = JSON.stringify(value);
        assert.ok(text === whole || text.endsWith('…') || whole.includes('-0'), `${text} for ${whole}`);
      }),
    );
  });

  it('may be nested 100,000 deep', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    assert.ok(jsonPreview(deep, 200).length <= 200);
    const objects: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    assert.equal(jsonPreview(objects, 9), '{"a":{"a…');
  });
});
