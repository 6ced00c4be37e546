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
  it('keeps the very same rows when they only add unknown fields', () => {
    const accounts = [
      account({ extra: { deep: [1] } }),
      account({ error: { code: 'x', hint: 1 } as object }),
    ];
    const good = authorization(accounts, [requirement({ satisfied: false }), {}]);
    const { value, problems } = decode(good);
    assert.deepEqual(value, good);
    assert.equal(value?.accounts, good.accounts);
    assert.equal(value?.requirements, good.requirements);
    assert.deepEqual(problems.list, []);
  });

  const errors = [null, {}, 'x', [], { code: 7 }].map((error) => ({ error }));
  /** What is wrong, what is sent, what is kept of it, and the reported path and found type of each issue. */
  const table: [wrong: string, sent: object, kept: object, issues: readonly string[]][] = [
    [
      'an absent list',
      { requirements: [{}] },
      { accounts: [], requirements: [{}] },
      ['accounts absent'],
    ],
    [
      'a list or row of a wrong type',
      { accounts: [null, {}], requirements: 'x' },
      { accounts: [{}], requirements: [] },
      ['accounts[0] null', 'requirements string'],
    ],
    [
      'a field of a wrong type',
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
      'a scope of a wrong type',
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
      'an error of a wrong type',
      { accounts: errors, requirements: [] },
      { accounts: [{ error: null }, { error: {} }, {}, {}, { error: {} }], requirements: [] },
      ['accounts[2].error string', 'accounts[3].error array', 'accounts[4].error.code number'],
    ],
  ];
  for (const [wrong, sent, kept, issues] of table) {
    it(`drops only ${wrong}`, () => {
      assert.deepEqual(decode(sent).value, kept);
    });

    it(`reports ${wrong}`, () => {
      const found = decode(sent).problems.list.map((problem) => `${problem.path} ${problem.found}`);
      assert.deepEqual(found, issues);
    });

    it(`keeps its input with ${wrong} as it was`, () => {
      const before = JSON.stringify(sent);
      decode(sent);
      assert.equal(JSON.stringify(sent), before);
    });
  }

  for (const other of [null, 'x', [{ accounts: [] }], {}, { accounts: null, requirements: 1 }]) {
    it(`finds nothing usable in ${JSON.stringify(other)}`, () => {
      assert.equal(decode(other).value, undefined);
    });
  }

  it('reports the first 10,000 issues', () => {
    const accounts = Array.from({ length: 25_000 }, () => null);
    const { list } = decode({ accounts, requirements: [] }).problems;
    assert.equal(list.length, 10_000);
    assert.equal(list.at(-1)?.path, 'accounts[9999]');
  });

  it('keeps a field called __proto__ as a field', () => {
    const sent = '{"__proto__":{"accounts":[1]},"accounts":[{"__proto__":{"id":"x"},"id":1}]}';
    const { value } = decode(JSON.parse(sent));
    assert.deepEqual(value, { ...JSON.parse(sent.replace(',"id":1', '')), requirements: [] });
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });
});

describe('decoding a pending installation', () => {
  const part = { expiresAt: 'never', serviceId: 'crm', serviceName: 'CRM' };
  const whole = {
    ...part,
    label: 'Acme CRM',
    requiredPlan: 'enterprise',
    serviceSub: 'T1',
    odd: [1],
  };

  it('yields the very same object when it only adds unknown fields', () => {
    const { value, problems } = decoded(whole, decodeIntegrationInstall);
    assert.equal(value, whole);
    assert.deepEqual(problems.list, []);
  });

  it('drops only a field of a wrong type', () => {
    const { value } = decoded({ ...part, requiredPlan: null }, decodeIntegrationInstall);
    assert.deepEqual(value, part);
  });

  it('reports each field that is absent or of a wrong type', () => {
    const { problems } = decoded({ ...part, requiredPlan: null }, decodeIntegrationInstall);
    const found = problems.list.map(
      (problem) => `${problem.path} ${problem.expected} ${problem.found}`,
    );
    assert.deepEqual(found, [
      'label string absent',
      'requiredPlan string null',
      'serviceSub string absent',
    ]);
  });

  for (const other of [null, [], { data: whole }, { label: 1 }]) {
    it(`finds nothing usable in ${JSON.stringify(other).slice(0, 40)}`, () => {
      assert.equal(decoded(other, decodeIntegrationInstall).value, undefined);
    });
  }
});

describe('unknownFields()', () => {
  it('returns the fields that docs/service.md does not name, in their order', () => {
    const sent: object = JSON.parse(
      '{"z":1,"id":"a","error":{"code":"c","why":2},"__proto__":3,"satisfied":true}',
    );
    assert.deepEqual(unknownFields(sent, accountFields), ['z', '__proto__', 'satisfied']);
  });

  it('returns a field that every object inherits', () => {
    const sent = { minimalScopes: [], toString: 1 };
    assert.deepEqual(unknownFields(sent, connectionFields), ['toString']);
  });
});
