import { strict as assert } from 'node:assert';
import { type Fault, faults } from '../../support/service/faults.js';
import { failureOf, Harness, used } from './harness.js';

const installToken = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const keyId = 'key_4711/abc=def';

/** The host adds its tokens to the known secrets; the client adds those of a request under way. */
for (const knows of [true, false]) {
  describe(`what leaves the client ${knows ? 'when its secrets are known' : 'before its secrets are known'}`, () => {
    const harness = used(new Harness());
    const session = 'ses/+tok=94d1e0';
    before(() => {
      if (knows) harness.secrets.add(session);
    });

    const cleaned = (value: unknown): void => {
      const text = `${JSON.stringify(value)} ${JSON.stringify(harness.exchanges)}`;
      for (const secret of [session, installToken, keyId]) {
        for (const spelled of [
          secret,
          encodeURIComponent(secret),
          Buffer.from(secret).toString('base64').slice(0, -4),
          Buffer.from(secret).toString('base64url').slice(0, -4),
        ]) {
          assert.ok(!text.toLowerCase().includes(spelled.toLowerCase()), `${spelled} in ${text}`);
        }
      }
    };

    const echoes: Record<string, Fault> = {
      html: faults.echo('html'),
      json: faults.echo('json', 403),
      text: faults.echo('text', 404),
      'text, with 200': faults.echo('text', 200),
      'base64, with 200': faults.text(200, `Basic ${Buffer.from(`user:${session}`).toString('base64')}`),
      'a cut body': { ...faults.text(500, `Bearer ${session}`), cut: 20 },
    };
    for (const [name, fault] of Object.entries(echoes)) {
      it(`holds no secret: ${name}`, async () => {
        harness.service.fault('all', fault);
        const secretive = { ...harness.target, token: session };
        cleaned(await failureOf(harness.read(undefined, secretive)));
        cleaned(await failureOf(harness.lookUp(undefined, secretive, installToken)));
        cleaned(await harness.revoke(undefined, secretive, keyId));
      });
    }

    it('holds no secret: a redirect to it', async () => {
      harness.service.fault('all', faults.redirect(`https://${installToken}.elsewhere.example/?t=${session}`));
      const failure = await failureOf(harness.lookUp(undefined, undefined, installToken));
      assert.deepEqual(failure, { kind: 'redirected', status: 302 });
    });

    it('holds no secret: an answer that is otherwise fine', async () => {
      const accounts = [{ id: 'a', label: `Bearer ${session}`, error: { message: encodeURIComponent(session) } }];
      const debug = { [session]: [Buffer.from(`me:${session}`).toString('base64')] };
      harness.service.fault('all', faults.json({ accounts, requirements: [], debug }));
      const answer = await harness.read(undefined, { ...harness.target, token: session });
      assert.equal(answer.value.accounts[0]?.label, 'Bearer [redacted]');
      assert.equal(answer.value.accounts[0]?.id, 'a');
      cleaned(answer);
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

    it('leaves innocent words alone that are as short as a key id may be', async () => {
      harness.secrets.add('slack');
      harness.service.fault('all', faults.json({ accounts: [{ serviceId: 'slack' }], requirements: [] }));
      assert.equal((await harness.read()).value.accounts[0]?.serviceId, 'slack');
      harness.secrets.remove('slack');
    });
  });
}
