import assert from 'node:assert/strict';
import { many, type WireInstall } from '../../support/service/data.js';
import { sampleApiKeyIds, sampleData, sampleDeployments, sampleInstallTokens } from '../../support/service/sample.js';
import { type Service, startService } from '../../support/service/service.js';
import { ask } from './ask.js';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('service: sample data', () => {
  let service: Service;

  before(async () => {
    service = await startService({ data: sampleData(NOW) });
  });

  after(() => service.stop());

  const read = (id: string) => ask(service, `/deployments/${id}/authorization`);
  /** Minutes, and the plan. */
  const left = async (token: string) => {
    const { expiresAt, requiredPlan }: WireInstall = JSON.parse(
      (await ask(service, `/integration-installs/${token}`)).body,
    );
    return [Math.round((Date.parse(expiresAt) - NOW.getTime()) / 60_000), requiredPlan];
  };

  it('answers every listed deployment in the way its name promises', async () => {
    const slow = 'dep_warehouse_sync';
    const ids = sampleDeployments.map((entry) => (typeof entry === 'string' ? entry : entry.id));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, 14);
    const leave = new AbortController();
    const late = ask(service, `/deployments/${slow}/authorization`, { signal: leave.signal });
    const answers: string[] = [];
    for (const id of ids.filter((one) => one !== slow)) {
      const { status, headers } = await read(id);
      if (status !== 200 || headers['content-type'] !== 'application/json; charset=utf-8') {
        answers.push(`${id} ${status} ${headers['content-type']}`);
      }
    }
    assert.deepEqual(answers, [
      'dep_77 404 application/json; charset=utf-8',
      'dep_payroll_export 403 application/json; charset=utf-8',
      'dep_legacy_bridge 200 text/html; charset=utf-8',
    ]);
    // All the others have answered, and the slow one has not.
    assert.equal((await service.waitForRequests(1, { id: slow }))[0]?.state, 'open');
    leave.abort();
    await assert.rejects(late);
  });

  it('shows the deployment of the drawing', async () => {
    const { accounts, requirements } = JSON.parse((await read('dep_billing_sync')).body);
    assert.deepEqual(
      accounts.map((one: { label: string; error?: { code: string } }) => [one.label, one.error?.code]),
      [
        ['Finance Slack', 'token_revoked'],
        ['Ops Slack', undefined],
        ['Stripe live', undefined],
        ['Finance Sheets', undefined],
      ],
    );
    assert.deepEqual(
      requirements.map((one: { binding: string; satisfied: boolean }) => [one.binding, one.satisfied]),
      [
        ['notifier', false],
        ['ledger', true],
        ['archive', true],
      ],
    );
  });

  it('has installs with time left, lapsed, and with an unknown plan', async () => {
    assert.deepEqual(await left(sampleInstallTokens.crm), [46, 'pro']);
    assert.deepEqual(await left(sampleInstallTokens.sheets), [-120, 'free']);
    assert.deepEqual(await left(sampleInstallTokens.enterprise), [4320, 'enterprise']);
  });

  it('has keys to revoke', async () => {
    const answers = await Promise.all(
      sampleApiKeyIds.map((id) => ask(service, `/api-keys/${id}`, { method: 'DELETE' })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 204, 204],
    );
    service.reset();
    assert.equal(service.data.apiKeys.size, 3);
  });

  it('makes many, of about the size asked for', () => {
    const all = many(1000, { sizeInBytes: 4000, failedEvery: 10, unsatisfiedEvery: 4 });
    const texts = [...all.values()].map((one) => JSON.stringify(one));
    assert.equal(all.size, 1000);
    assert.ok(all.has('dep_00001') && all.has('dep_01000'));
    assert.ok(texts.every((text) => text.length >= 4000 && text.length < 4400));
    assert.equal(texts.filter((text) => text.includes('token_revoked')).length, 100);
    assert.equal(texts.filter((text) => text.includes('"satisfied":false')).length, 250);
  });
});
