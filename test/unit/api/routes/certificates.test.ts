import { strict as assert } from 'node:assert';
import { createServer, type Socket } from 'node:net';
import { createAuthority } from '../../../support/service/certificates.js';
import { healthy } from '../../../support/service/data.js';
import { listen } from '../../../support/service/listen.js';
import { type Service, startService } from '../../../support/service/service.js';
import { deploymentId, failureOf, used } from '../harness.js';
import { plainSettings, portOf, RoutedHarness, resolver, SystemAuthority, serviceName } from './routedHarness.js';

const day = 24 * 3600_000;
const past = { from: new Date(Date.now() - 9 * day), to: new Date(Date.now() - day) };

describe('a certificate', () => {
  const system = new SystemAuthority();
  const { authority } = system;
  const stranger = createAuthority('Stranger');
  const table: Record<string, [tls: { cert: string; key: string }, code: string | undefined]> = {
    'of an authority in the system': [authority.issue([serviceName]), undefined],
    'of an unknown authority': [stranger.issue([serviceName]), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    'for another host': [authority.issue(['other.example']), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    'that has expired': [authority.issue([serviceName], past), 'CERT_HAS_EXPIRED'],
  };
  const lookup = resolver({ [serviceName]: ['127.0.0.1'] });
  const harness = used(new RoutedHarness({ lookup, readCertificates: system.read }));
  const services = new Map<string, Service>();
  const targetOf = (name: string) => ({ ...harness.target, baseUrl: services.get(name)!.baseUrl });
  before(async () => {
    for (const [name, [tls]] of Object.entries(table)) {
      const service = await startService({ tls: { ...tls, name: serviceName } });
      service.putDeployment(deploymentId, healthy());
      services.set(name, service);
    }
  });
  after(() => Promise.all([...services.values()].map((service) => service.stop())));

  for (const [name, [, code]] of Object.entries(table)) {
    it(`${name} is ${code === undefined ? 'trusted' : 'refused, and nothing is sent'}`, async () => {
      const reading = harness.read(undefined, targetOf(name));
      if (code === undefined) {
        assert.deepEqual((await reading).value, healthy());
        return;
      }
      const service = services.get(name)!;
      const cause = { step: 'tls', code, host: serviceName, port: portOf(service) };
      const failure = { kind: 'unreachable', cause };
      assert.deepEqual(await failureOf(reading), failure);
      assert.deepEqual(await harness.revoke(undefined, targetOf(name)), { kind: 'notSent', failure });
      assert.deepEqual(service.requests, []);
    });
  }

  it('of the system is not trusted where http.systemCertificates is off', async () => {
    const target = targetOf('of an authority in the system');
    harness.settings = { ...plainSettings, systemCertificates: false };
    assert.equal((await failureOf(harness.read(undefined, target))).kind, 'unreachable');
    harness.settings = plainSettings;
    await harness.read(undefined, target);
  });

  it('is verified whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const name = 'NODE_TLS_REJECT_UNAUTHORIZED';
    const before = process.env[name];
    process.env[name] = '0';
    try {
      const failure = await failureOf(harness.read(undefined, targetOf('of an unknown authority')));
      assert.equal(failure.kind, 'unreachable');
      assert.deepEqual(services.get('of an unknown authority')!.requests, []);
    } finally {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    }
  });

  const servers: Record<string, [serve: (socket: Socket) => unknown, code: RegExp]> = {
    'speaks plain HTTP': [(socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), /^(?:ERR_SSL_|EPROTO)/],
    'closes at once': [(socket) => socket.end(), /^ECONNRESET$/],
  };
  for (const [name, [serve, code]] of Object.entries(servers)) {
    it(`is missed at a server that ${name}`, async () => {
      const server = createServer((socket) => {
        socket.on('error', () => {}).once('data', () => serve(socket));
      });
      const target = { ...harness.target, baseUrl: `https://${serviceName}:${await listen(server)}/api/v1` };
      const failure = await failureOf(harness.read(undefined, target));
      assert.ok(failure.kind === 'unreachable');
      assert.equal(failure.cause.step, 'tls');
      assert.match(failure.cause.code, code);
      await new Promise((resolve) => server.close(resolve));
    });
  }
});
