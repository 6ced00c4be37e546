import { strict as assert } from 'node:assert';
import { createServer, type Socket } from 'node:net';
import { createAuthority } from '../../../support/service/certificates.js';
import { healthy } from '../../../support/service/data.js';
import { listen } from '../../../support/service/listen.js';
import { type Service, startService } from '../../../support/service/service.js';
import { deploymentId, failureOf, newCall } from '../harness.js';
import {
  plainSettings,
  portOf,
  type RoutedHarness,
  resolver,
  SystemAuthority,
  serviceName,
  startRoutedHarness,
} from './routedHarness.js';

const day = 24 * 3600_000;

describe('a certificate', () => {
  const system = new SystemAuthority();
  const { authority } = system;
  const stranger = createAuthority('Stranger');
  const valid = authority.issue([serviceName]);
  const table: Record<string, [{ cert: string; key: string }, string | undefined]> = {
    'of an authority in the system': [valid, undefined],
    'of an unknown authority': [stranger.issue([serviceName]), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    'that is its own authority': [stranger, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    'for another host': [authority.issue(['other.example']), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    'that has expired': [
      authority.issue([serviceName], { from: new Date(Date.now() - 9 * day), to: new Date(Date.now() - day) }),
      'CERT_HAS_EXPIRED',
    ],
    'that is not valid yet': [
      authority.issue([serviceName], { from: new Date(Date.now() + day), to: new Date(Date.now() + 9 * day) }),
      'CERT_NOT_YET_VALID',
    ],
  };
  let harness: RoutedHarness;
  const services = new Map<string, Service>();
  before(async () => {
    const lookup = resolver({ [serviceName]: ['127.0.0.1'] });
    harness = await startRoutedHarness({ lookup, readCertificates: system.read });
    for (const [name, [tls]] of Object.entries(table)) {
      const service = await startService({ tls: { ...tls, name: serviceName } });
      service.putDeployment(deploymentId, healthy());
      services.set(name, service);
    }
  });
  beforeEach(() => {
    harness.settings = plainSettings;
    harness.client.forgetRoutes();
  });
  after(async () => {
    await harness.stop();
    await Promise.all([...services.values()].map((service) => service.stop()));
  });

  for (const [name, [, code]] of Object.entries(table)) {
    it(`${name} is ${code === undefined ? 'trusted' : 'refused, and nothing is sent'}`, async () => {
      const service = services.get(name)!;
      const target = { ...harness.target, baseUrl: service.baseUrl };
      const reading = harness.client.getDeploymentAuthorization(target, deploymentId, newCall());
      if (code === undefined) {
        assert.deepEqual((await reading).value, healthy());
        return;
      }
      const cause = { step: 'tls', code, host: serviceName, port: portOf(service) };
      assert.deepEqual(await failureOf(reading), { kind: 'unreachable', cause });
      assert.deepEqual(await harness.client.deleteApiKey(target, 'key_1', newCall(true)), {
        kind: 'notSent',
        failure: { kind: 'unreachable', cause },
      });
      assert.deepEqual(service.requests, []);
    });
  }

  it('of the system is not trusted where http.systemCertificates is off', async () => {
    const service = services.get('of an authority in the system')!;
    const target = { ...harness.target, baseUrl: service.baseUrl };
    harness.settings = { ...plainSettings, systemCertificates: false };
    const failure = await failureOf(harness.client.getDeploymentAuthorization(target, deploymentId, newCall()));
    assert.equal(failure.kind, 'unreachable');
    harness.settings = plainSettings;
    await harness.client.getDeploymentAuthorization(target, deploymentId, newCall());
  });

  it('is verified whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const service = services.get('of an unknown authority')!;
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const target = { ...harness.target, baseUrl: service.baseUrl };
      const failure = await failureOf(harness.client.getDeploymentAuthorization(target, deploymentId, newCall()));
      assert.equal(failure.kind, 'unreachable');
      assert.deepEqual(service.requests, []);
    } finally {
      if (before === undefined) {
        delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      } else {
        process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
      }
    }
  });

  for (const [name, serve, codes] of [
    [
      'speaks plain HTTP',
      (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      /^(?:ERR_SSL_|EPROTO)/,
    ],
    ['closes at once', (socket: Socket) => void socket.end(), /^ECONNRESET$/],
    ['resets at once', (socket: Socket) => void socket.resetAndDestroy(), /^ECONNRESET$/],
  ] as const) {
    it(`is missed at a server that ${name}`, async () => {
      const server = createServer((socket) => {
        socket.on('error', () => {}).once('data', () => serve(socket));
      });
      const target = { ...harness.target, baseUrl: `https://${serviceName}:${await listen(server)}/api/v1` };
      const failure = await failureOf(harness.client.getDeploymentAuthorization(target, deploymentId, newCall()));
      assert.ok(failure.kind === 'unreachable');
      assert.equal(failure.cause.step, 'tls');
      assert.match(failure.cause.code, codes);
      await new Promise((resolve) => server.close(resolve));
    });
  }
});
