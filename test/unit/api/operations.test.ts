import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import type { Phase } from '../../../src/api/call.js';
import { pathSegment } from '../../../src/api/entered/baseUrl.js';
import { DEFAULT_SESSION_TOKEN, healthy } from '../../support/platform/data.js';
import { deploymentId, Harness, newCall, used } from './harness.js';

const installToken = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const install = {
  expiresAt: '2026-11-20T12:00:00Z',
  label: 'Acme CRM',
  requiredPlan: 'pro',
  serviceId: 'crm',
};

describe('a read of a deployment authorization', () => {
  const harness = used(new Harness());

  it('returns the decoded answer with its times', async () => {
    const { sentAt, sequence: _, ...answer } = await harness.read();
    const times = { asOf: sentAt, clockOffsetMs: 0, hasUnusableDate: false };
    assert.deepEqual(answer, { value: healthy(), decodeIssues: [], ...times });
  });

  it('is counted as the first request', async () => {
    const own = await new Harness().start();
    const { sequence } = await own.read();
    await own.stop();
    assert.equal(sequence, 1);
  });

  it('has the time when it was sent', async () => {
    const own = await new Harness({ now: () => 1234 }).start();
    const { sentAt } = await own.read();
    await own.stop();
    assert.equal(sentAt, 1234);
  });

  it('is shown as waiting, then connecting, then sending', async () => {
    const call = newCall();
    await harness.read(call);
    const kinds = call.phases.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['waiting', 'connecting', 'sending']);
  });

  it('gets the authorization of the deployment with the token', async () => {
    await harness.read();
    const [request] = harness.platform.requests;
    const path = `/api/v1/deployments/${deploymentId}/authorization`;
    assert.equal(`${request?.method} ${request?.path}`, `GET ${path}`);
    assert.equal(request?.headers.authorization, `Bearer ${harness.target.token}`);
  });

  it('is logged once', async () => {
    await harness.read();
    const entries = harness.entries.map((entry) => ({ ...entry, duration: 0 }));
    assert.deepEqual(entries, [
      {
        method: 'GET',
        template: '/deployments/{deploymentId}/authorization',
        host: new URL(harness.target.baseUrl).host,
        status: 200,
        bytes: JSON.stringify(healthy()).length,
        attempts: 1,
        duration: 0,
      },
    ]);
  });

  it('is logged with its duration', async () => {
    let elapsedMs = 0;
    const own = await new Harness({ elapsed: () => elapsedMs }).start();
    const onPhase = ({ kind }: Phase): void => {
      if (kind === 'sending') elapsedMs += 70;
    };
    await own.read({ ...newCall(), onPhase });
    await own.stop();
    assert.equal(own.entries[0]?.duration, 70);
  });
});

describe('a look-up of a pending installation', () => {
  const harness = used(new Harness());
  const stored = { ...install, serviceName: 'CRM', serviceSub: 'T1' };
  const enteredToken = installToken.toUpperCase();
  const lookUp = () => {
    const { target, platform } = harness;
    platform.putInstall(installToken, stored);
    platform.putToken(DEFAULT_SESSION_TOKEN, 'session');
    const session = { ...target, token: DEFAULT_SESSION_TOKEN };
    return harness.lookUp(newCall(true), session, enteredToken);
  };

  it('returns the installation for a session token', async () => {
    assert.deepEqual((await lookUp()).value, stored);
  });

  it('sends the install token as entered', async () => {
    await lookUp();
    assert.equal(
      harness.platform.requests[0]?.path,
      `/api/v1/integration-installs/${enteredToken}`,
    );
  });

  it('is logged without the install token', async () => {
    await lookUp();
    assert.equal(harness.entries.length, 1);
    assert.doesNotMatch(JSON.stringify(harness.entries), new RegExp(installToken, 'i'));
  });
});

describe('a revocation of a key', () => {
  const harness = used(new Harness());
  beforeEach(() => {
    harness.platform.data.apiKeys.add('key_1');
  });

  it('deletes the key', async () => {
    assert.deepEqual(await harness.revoke(), { kind: 'revoked', status: 204 });
    assert.deepEqual([...harness.platform.data.apiKeys], []);
    assert.equal(harness.platform.requests[0]?.method, 'DELETE');
  });

  it('is refused when there is no such key', async () => {
    const { kind } = await harness.revoke(undefined, undefined, 'key_2');
    assert.equal(kind, 'refused');
  });

  it('is logged with its result', async () => {
    await harness.revoke();
    await harness.revoke();
    const logged = harness.entries.map(({ template, status, failure }) => [
      template,
      status,
      failure?.kind,
    ]);
    assert.deepEqual(logged, [
      ['/api-keys/{keyId}', 204, undefined],
      ['/api-keys/{keyId}', 404, 'notFound'],
    ]);
  });

  it('is logged without the ID of the key', async () => {
    await harness.revoke();
    await harness.revoke();
    assert.equal(harness.entries.length, 2);
    assert.doesNotMatch(JSON.stringify(harness.entries), /key_1/);
  });
});

describe('the client', () => {
  const harness = used(new Harness());

  for (const id of ['', '.', '..', 'a\udc00b']) {
    describe(`for the ID ${JSON.stringify(id)}, which cannot be a segment of a path`, () => {
      it('fails to read', () => assert.rejects(harness.read(undefined, undefined, id)));

      it('does not revoke', async () => {
        assert.equal((await harness.revoke(undefined, undefined, id)).kind, 'notSent');
      });

      it('sends nothing', async () => {
        await harness.read(undefined, undefined, id).catch(() => undefined);
        await harness.revoke(undefined, undefined, id);
        assert.deepEqual(harness.platform.requests, []);
      });

      it('logs nothing', async () => {
        await harness.read(undefined, undefined, id).catch(() => undefined);
        await harness.revoke(undefined, undefined, id);
        assert.deepEqual(harness.entries, []);
      });
    });
  }

  it('sends nothing to a base URL that is not a URL', async () => {
    const failure = { kind: 'connectionLost', code: 'ERR_INVALID_URL' };
    await harness.failsUnsent(failure, { ...harness.target, baseUrl: 'nonsense' });
  });

  /** The connection of each request, in the order of `sends`. */
  async function connectionsOf(...sends: readonly (() => Promise<unknown>)[]) {
    for (const send of sends) await send();
    return harness.platform.requests.map(({ connection }) => connection);
  }

  it('reuses the connection of a read for the next reads', async () => {
    const { read, revoke } = harness;
    const [first, second, , third] = await connectionsOf(
      () => read(),
      () => read(),
      () => revoke(),
      () => read(),
    );
    assert.equal(second, first);
    assert.equal(third, first);
  });

  it('opens a new connection for each revocation', async () => {
    const { read, revoke } = harness;
    const connections = await connectionsOf(
      () => read(),
      () => revoke(),
      () => revoke(),
    );
    const reused = connections.filter((one, index) => connections.indexOf(one) !== index);
    assert.deepEqual(reused, []);
  });

  it('asks the platform to close the connection of a revocation', async () => {
    await harness.revoke();
    assert.equal(harness.platform.requests[0]?.headers.connection, 'close');
  });
});

describe('an ID in a path', () => {
  const texts = fc
    .array(fc.nat(0xd7ff), { minLength: 1 })
    .map((codes) => String.fromCharCode(...codes));
  const ids = texts.filter((id) => id !== '.' && id !== '..');

  it('has its percent sign and characters outside of ASCII encoded', () => {
    assert.equal(pathSegment('..%2f😀'), '..%252f%F0%9F%98%80');
  });

  it('is one segment that URL does not change', () => {
    fc.assert(
      fc.property(ids, (id) => {
        const path = `/api/v1/x/${pathSegment(id)}/y`;
        assert.equal(new URL(`https://host.example${path}`).pathname, path);
      }),
    );
  });

  it('is the ID again when it is decoded', () => {
    fc.assert(fc.property(ids, (id) => assert.equal(decodeURIComponent(pathSegment(id)), id)));
  });

  it('has only visible ASCII characters', () => {
    fc.assert(fc.property(ids, (id) => assert.match(pathSegment(id), /^[\x21-\x7e]+$/)));
  });
});
