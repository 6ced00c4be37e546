import { strict as assert } from 'node:assert';
import {
  accountFields,
  connectionFields,
  decodeDeploymentAuthorization,
} from '../../../src/api/authorization.js';
import { DecodeIssues, type Decoder, unknownFields } from '../../../src/api/decode.js';
import { decodeIntegrationInstall } from '../../../src/api/install.js';
import { account, authorization, requirement } from '../../support/platform/data.js';

function decoded<T>(value: unknown, decoder: Decoder<T>) {
  const problems = new DecodeIssues();
  return { value: decoder(value, problems), problems };
}

const decode = (value: unknown) => decoded(value, decodeDeploymentAuthorization);

describe('decoding a deployment authorization', () => {
  it('yields the very same rows if all is well, with unknown fields', () => {
    const accounts = [
      account({ extra: { deep: [1] } }),
      account({ error: { code: 'x', hint: 1 } as object }),
    ];
    const good = authorization(accounts, [requirement({ satisfied: false }), {}]);
    const { value, problems } = decode(good);
    assert.deepEqual(value, good);
    assert.ok(value?.accounts === good.accounts && value.requirements === good.requirements);
    assert.equal(problems.list.length, 0);
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
      {
        accounts: [{ id: 1, label: 'a', odd: 1 }],
        requirements: [{ satisfied: 'no', serviceId: null }],
      },
      { accounts: [{ label: 'a', odd: 1 }], requirements: [{}] },
      [
        'accounts[0].id number',
        'requirements[0].serviceId null',
        'requirements[0].satisfied string',
      ],
    ],
    [
      {
        accounts: [{ scopes: ['a', null, 'b'] }],
        requirements: [{ connections: [{ requiredScopes: [{}, 'c'] }] }],
      },
      {
        accounts: [{ scopes: ['a', 'b'] }],
        requirements: [{ connections: [{ requiredScopes: ['c'] }] }],
      },
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

  it('lists the first 10,000 problems', () => {
    const { problems } = decode({
      accounts: Array.from({ length: 25_000 }, () => null),
      requirements: [],
    });
    assert.deepEqual(
      [problems.list.length, problems.list.at(-1)?.path],
      [10_000, 'accounts[9999]'],
    );
  });

  it('takes fields of the prototype for what they are', () => {
    const sent = '{"__proto__":{"accounts":[1]},"accounts":[{"__proto__":{"id":"x"},"id":1}]}';
    const { value } = decode(JSON.parse(sent));
    assert.deepEqual(value, { ...JSON.parse(sent.replace(',"id":1', '')), requirements: [] });
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });
});

it('decoding a pending installation yields the very same object, without what is wrong, or nothing', () => {
  const part = { expiresAt: 'never', serviceId: 'crm', serviceName: 'CRM' };
  const odd = {
    ...part,
    label: 'Acme CRM',
    requiredPlan: 'enterprise',
    serviceSub: 'T1',
    odd: [1],
  };
  const whole = decoded(odd, decodeIntegrationInstall);
  assert.deepEqual([whole.value === odd, whole.problems.list.length], [true, 0]);
  const { value, problems } = decoded({ ...part, requiredPlan: null }, decodeIntegrationInstall);
  assert.deepEqual(value, part);
  const found = problems.list.map(
    (problem) => `${problem.path} ${problem.expected} ${problem.found}`,
  );
  assert.deepEqual(found, [
    'label string absent',
    'requiredPlan string null',
    'serviceSub string absent',
  ]);
  for (const other of [null, [], { data: odd }, { label: 1 }]) {
    assert.equal(decoded(other, decodeIntegrationInstall).value, undefined);
  }
});

describe('unknown fields', () => {
  it('are those that docs/service.md does not name, in their order', () => {
    const sent: object = JSON.parse(
      '{"z":1,"id":"a","error":{"code":"c","why":2},"__proto__":3,"satisfied":true}',
    );
    assert.deepEqual(unknownFields(sent, accountFields), ['z', '__proto__', 'satisfied']);
    assert.deepEqual(unknownFields({ minimalScopes: [], toString: 1 }, connectionFields), [
      'toString',
    ]);
  });
});
