import { strict as assert } from 'node:assert';
import { type Fault, faults } from '../../support/service/faults.js';
import { failureOf, Harness, used } from './harness.js';

const session = 'ses/+tok=94d1e0';
const installToken = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const keyId = 'key_4711/abc=def';

/** Nobody has told the client its secrets: it knows those of a request under way. */
describe('what leaves the client', () => {
  const harness = used(new Harness());
  const target = () => ({ ...harness.target, token: session });

  const echoes: Record<string, Fault> = {
    'a refusal': faults.echo('json', 403),
    'text with 200': faults.echo('text', 200),
    'a cut body': { ...faults.text(500, `Bearer ${session}`), cut: 20 },
    'a redirect to it': faults.redirect(`https://${installToken}.elsewhere.example/?t=${session}`),
  };
  for (const [name, fault] of Object.entries(echoes)) {
    it(`holds no secret: ${name}`, async () => {
      harness.service.fault('all', fault);
      const failure = await failureOf(harness.lookUp(undefined, target(), installToken));
      const ended = [failure, await harness.revoke(undefined, target(), keyId), harness.exchanges];
      const text = JSON.stringify(ended).toLowerCase();
      for (const secret of [session, installToken, keyId]) {
        for (const spelled of [secret, encodeURIComponent(secret)]) assert.ok(!text.includes(spelled.toLowerCase()));
      }
    });
  }

  it('holds no secret: an answer that is otherwise fine', async () => {
    const answer = (error: string, debug: string, label: string) => {
      return { accounts: [{ id: 'a', label: `Bearer ${label}`, error: { message: error } }], requirements: [], debug };
    };
    const sent = answer(encodeURIComponent(session), Buffer.from(session).toString('base64'), session);
    harness.service.fault('all', faults.json(sent));
    const { value } = await harness.read(undefined, target());
    assert.deepEqual(value, answer('[redacted]', '[redacted]', '[redacted]'));
    assert.equal(harness.secrets.redactData(session), session, 'a request that has ended has no secret');
  });

  it('is a good answer as it came, while a key is revoked whose id is a word of it', async () => {
    const { service } = harness;
    service.fault({ operation: 'deleteApiKey' }, faults.hold());
    const revoking = harness.revoke(undefined, undefined, 'production');
    await service.waitForRequests(1);
    const answer = { accounts: [{ id: 'a', label: 'production' }], requirements: [] };
    service.fault({ operation: 'getDeploymentAuthorization' }, faults.json(answer));
    assert.deepEqual((await harness.read()).value, answer);
    service.release();
    await revoking;
  });
});
