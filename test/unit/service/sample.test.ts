import assert from 'node:assert/strict';
import { sampleApiKeyIds, sampleData, sampleDeployments, sampleInstallTokens } from '../../support/service/sample.js';
import { type Service, startService } from '../../support/service/service.js';

const now = new Date('2026-11-20T12:00:00Z');

describe('the local service of `npm start`', () => {
  let service: Service;
  before(async () => {
    service = await startService({ data: sampleData(now) });
  });
  after(() => service.stop());

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(service.baseUrl + path, { ...init, headers: { authorization: `Bearer ${service.token}` } });

  it('answers every listed deployment in the way its name promises', async () => {
    const answers: string[] = [];
    for (const entry of sampleDeployments) {
      const id = typeof entry === 'string' ? entry : entry.id;
      const { status, headers } = await ask(`/deployments/${id}/authorization`);
      const type = headers.get('content-type');
      if (status !== 200 || type !== 'application/json; charset=utf-8') answers.push(`${id} ${status} ${type}`);
    }
    assert.deepEqual(answers, [
      'dep_77 404 application/json; charset=utf-8',
      'dep_payroll_export 403 application/json; charset=utf-8',
      'dep_legacy_bridge 200 text/html; charset=utf-8',
    ]);
  });

  it('has installs with time left, expired, and with an unknown plan', async () => {
    const answers = await Promise.all(
      Object.values(sampleInstallTokens).map((token) => ask(`/integration-installs/${token}`)),
    );
    const left = await Promise.all(
      answers.map(async (answer) => {
        const install: Readonly<Record<string, string>> = JSON.parse(await answer.text());
        return [Math.round((Date.parse(install['expiresAt']!) - now.getTime()) / 60_000), install['requiredPlan']];
      }),
    );
    assert.deepEqual(left, [
      [46, 'pro'],
      [-120, 'free'],
      [4320, 'enterprise'],
    ]);
  });

  it('revokes each key once, and takes no request without its token', async () => {
    assert.equal((await fetch(`${service.baseUrl}/api-keys/${sampleApiKeyIds[0]}`, { method: 'DELETE' })).status, 401);
    for (const id of sampleApiKeyIds) {
      assert.equal((await ask(`/api-keys/${id}`, { method: 'DELETE' })).status, 204);
      assert.equal((await ask(`/api-keys/${id}`, { method: 'DELETE' })).status, 404);
    }
  });
});
