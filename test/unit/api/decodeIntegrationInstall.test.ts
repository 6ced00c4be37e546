import { strict as assert } from 'node:assert';
import { DecodeIssues } from '../../../src/api/decode.js';
import { decodeIntegrationInstall } from '../../../src/api/install.js';

const good = {
  expiresAt: '2026-11-20T12:00:00Z',
  label: 'Acme CRM',
  requiredPlan: 'pro',
  serviceId: 'crm',
  serviceName: 'CRM',
  serviceSub: 'T1',
};

function decode(value: unknown): { value: unknown; paths: string[] } {
  const problems = new DecodeIssues();
  const decoded = decodeIntegrationInstall(value, problems);
  return { value: decoded, paths: problems.list.map(({ path, expected, found }) => `${path} ${expected} ${found}`) };
}

describe('decoding a pending installation', () => {
  it('yields the very same object if all is well, with unknown values and fields', () => {
    const sent = { ...good, requiredPlan: 'enterprise', expiresAt: 'never', odd: [1] };
    assert.equal(decode(sent).value, sent);
    assert.deepEqual(decode(sent).paths, []);
  });

  it('says which of the required fields are absent or wrong, and keeps the others', () => {
    const { expiresAt, serviceId, serviceName } = good;
    assert.deepEqual(decode({ expiresAt, serviceId, serviceName, requiredPlan: null }), {
      value: { expiresAt, serviceId, serviceName },
      paths: ['label string absent', 'requiredPlan string null', 'serviceSub string absent'],
    });
  });

  for (const value of [null, [], 'x', {}, { data: good }, { label: 1 }]) {
    it(`finds nothing usable in ${JSON.stringify(value)}`, () => assert.equal(decode(value).value, undefined));
  }
});
