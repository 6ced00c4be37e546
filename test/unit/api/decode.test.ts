import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { accountFields, connectionFields, decodeDeploymentAuthorization } from '../../../src/api/authorization.js';
import { DecodeIssues, type Decoder, unknownFields } from '../../../src/api/decode.js';
import { decodeIntegrationInstall } from '../../../src/api/install.js';
import { jsonPreview } from '../../../src/api/json.js';
import { account, authorization, requirement } from '../../support/service/data.js';

function decoded<T>(value: unknown, decoder: Decoder<T>) {
  const problems = new DecodeIssues();
  return { value: decoder(value, problems), problems };
}

const decode = (value: unknown) => decoded(value, decodeDeploymentAuthorization);
const decodeInstall = (value: unknown) => decoded(value, decodeIntegrationInstall);

describe('decoding a deployment authorization', () => {
  it('yields the very same rows if all is well, with unknown fields', () => {
    const accounts = [account({ extra: { deep: [1] } }), account({ error: { code: 'x', hint: 1 } as object })];
    const good = authorization(accounts, [requirement({ satisfied: false }), {}]);
    const { value, problems } = decode(good);
    assert.deepEqual(value, good);
    assert.ok(value?.accounts === good.accounts && value.requirements === good.requirements);
    assert.equal(problems.count, 0);
  });

  const errors = [null, {}, 'x', [], { code: 7 }].map((error) => ({ error }));
  const table: [sent: object, kept: object, paths: readonly string[]][] = [
    [{ requirements: [{}] }, { accounts: [], requirements: [{}] }, ['accounts absent']],
    [
      { accounts: [null, {}], requirements: 'x' },
      { accounts: [{}], requirements: [] },
      ['accounts[0] null', 'requirements string'],
    ],
    [
      { accounts: [{ id: 1, label: 'a', odd: 1 }], requirements: [{ satisfied: 'no', serviceId: null }] },
      { accounts: [{ label: 'a', odd: 1 }], requirements: [{}] },
      ['accounts[0].id number', 'requirements[0].serviceId null', 'requirements[0].satisfied string'],
    ],
    [
      { accounts: [{ scopes: ['a', null, 'b'] }], requirements: [{ connections: [{ requiredScopes: [{}, 'c'] }] }] },
      { accounts: [{ scopes: ['a', 'b'] }], requirements: [{ connections: [{ requiredScopes: ['c'] }] }] },
      ['accounts[0].scopes[1] null', 'requirements[0].connections[0].requiredScopes[0] object'],
    ],
    [
      { accounts: errors, requirements: [] },
      { accounts: [{ error: null }, { error: {} }, {}, {}, { error: {} }], requirements: [] },
      ['accounts[2].error string', 'accounts[3].error array', 'accounts[4].error.code number'],
    ],
  ];
  it('drops what is wrong, and only that', () => {
    for (const [sent, kept, paths] of table) {
      const before = JSON.stringify(sent);
      const { value, problems } = decode(sent);
      assert.deepEqual(value, kept);
      const found = problems.list.map((problem) => `${problem.path} ${problem.found}`);
      assert.deepEqual(found, paths);
      assert.equal(JSON.stringify(sent), before, 'what came is not changed');
    }
  });

  it('finds nothing usable in anything else', () => {
    for (const value of [null, 'x', [{ accounts: [] }], {}, { accounts: null, requirements: 1 }]) {
      assert.equal(decode(value).value, undefined);
    }
  });

  it('lists the first 100 problems and counts them all', () => {
    const { problems } = decode({ accounts: Array.from({ length: 250 }, () => null), requirements: [] });
    assert.equal(problems.list.length, 100);
    assert.equal(problems.list[99]?.path, 'accounts[99]');
    assert.equal(problems.count, 250);
  });

  it('takes fields of the prototype for what they are', () => {
    const sent = (wrong: string) => `{"__proto__":{"accounts":[1]},"accounts":[{"__proto__":{"id":"x"}${wrong}}]}`;
    const { value } = decode(JSON.parse(sent(',"id":1')));
    assert.deepEqual(value, { ...JSON.parse(sent('')), requirements: [] });
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  it('never loses a good sibling, nor the order, and never throws', () => {
    const rows = fc.array(fc.oneof(fc.jsonValue(), fc.constant(account())));
    fc.assert(
      fc.property(rows, fc.array(fc.oneof(fc.string(), fc.jsonValue())), (accounts, scopes) => {
        const known = accounts.map((one) => (one === null || typeof one !== 'object' ? one : account()));
        const { value } = decode({ accounts: known, requirements: [{ connections: [{ minimalScopes: scopes }] }] });
        const minimalScopes = scopes.filter((one) => typeof one === 'string');
        assert.deepEqual(value, {
          accounts: known.filter((one) => typeof one === 'object' && one !== null),
          requirements: [{ connections: [{ minimalScopes }] }],
        });
        decode({ accounts, requirements: accounts });
      }),
    );
  });
});

describe('decoding a pending installation', () => {
  const install = { expiresAt: '2026-11-20T12:00:00Z', label: 'Acme CRM', requiredPlan: 'pro', serviceId: 'crm' };
  const whole = { ...install, serviceName: 'CRM', serviceSub: 'T1' };

  it('yields the very same object if all is well, with unknown values and fields', () => {
    const sent = { ...whole, requiredPlan: 'enterprise', expiresAt: 'never', odd: [1] };
    const { value, problems } = decodeInstall(sent);
    assert.deepEqual([value === sent, problems.count], [true, 0]);
  });

  it('says which of the required fields are absent or wrong, and keeps the others', () => {
    const { expiresAt, serviceId, serviceName } = whole;
    const { value, problems } = decodeInstall({ expiresAt, serviceId, serviceName, requiredPlan: null });
    assert.deepEqual(value, { expiresAt, serviceId, serviceName });
    const found = problems.list.map((problem) => `${problem.path} ${problem.expected} ${problem.found}`);
    assert.deepEqual(found, ['label string absent', 'requiredPlan string null', 'serviceSub string absent']);
  });

  it('finds nothing usable in anything else', () => {
    for (const value of [null, [], { data: whole }, { label: 1 }]) assert.equal(decodeInstall(value).value, undefined);
  });
});

describe('unknown fields', () => {
  it('are those that docs/service.md does not name, in their order', () => {
    const sent: object = JSON.parse('{"z":1,"id":"a","error":{"code":"c","why":2},"__proto__":3,"satisfied":true}');
    assert.deepEqual(unknownFields(sent, accountFields), ['z', '__proto__', 'satisfied']);
    assert.deepEqual(unknownFields({ minimalScopes: [], toString: 1 }, connectionFields), ['toString']);
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
    const deep: unknown = JSON.parse(`${'{"a":['.repeat(50_000)}1${']}'.repeat(50_000)}`);
    assert.equal(jsonPreview(deep, 9), '{"a":[{"…');
    assert.ok(jsonPreview(deep, 200).includes('…'));
  });
});
