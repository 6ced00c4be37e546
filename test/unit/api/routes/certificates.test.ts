import { strict as assert } from 'node:assert';
import { createAuthority } from '../../../support/service/certificates.js';
import { healthy } from '../../../support/service/data.js';
import { type Service, startService } from '../../../support/service/service.js';
import { authority, deploymentId, failureOf, Harness, plainSettings, portOf, serviceName, used } from '../harness.js';

const day = 24 * 3600_000;
const past = { from: new Date(Date.now() - 9 * day), to: new Date(Date.now() - day) };

describe('a certificate', () => {
  const harness = used(new Harness());
  const reject = 'NODE_TLS_REJECT_UNAUTHORIZED';
  const before = process.env[reject];
  let service: Service;
  beforeEach(() => {
    harness.names = { [serviceName]: ['127.0.0.1'] };
  });
  afterEach(async () => {
    if (before === undefined) delete process.env[reject];
    else process.env[reject] = before;
    await service?.stop();
  });

  const start = async (tls: { cert: string; key: string }) => {
    service = await startService({ tls: { ...tls, name: serviceName } });
    service.putDeployment(deploymentId, healthy());
    return { ...harness.target, baseUrl: service.baseUrl };
  };

  it('of an authority in the system is trusted, unless http.systemCertificates is off', async () => {
    const target = await start(authority.issue([serviceName]));
    assert.deepEqual((await harness.read(undefined, target)).value, healthy());
    harness.settings = { ...plainSettings, systemCertificates: false };
    assert.equal((await failureOf(harness.read(undefined, target))).kind, 'unreachable');
  });

  const stranger = createAuthority('Stranger').issue([serviceName]);
  const table: Record<string, [code: string, tls: { cert: string; key: string }]> = {
    'of an unknown authority': ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', stranger],
    'for another host': ['ERR_TLS_CERT_ALTNAME_INVALID', authority.issue(['other.example'])],
    'that has expired': ['CERT_HAS_EXPIRED', authority.issue([serviceName], past)],
    [`of an unknown authority with ${reject}`]: ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', stranger],
  };
  for (const [name, [code, tls]] of Object.entries(table)) {
    it(`${name} is refused, and nothing is sent`, async () => {
      if (name.endsWith(reject)) process.env[reject] = '0';
      const target = await start(tls);
      const failure = { kind: 'unreachable', cause: { step: 'tls', code, host: serviceName, port: portOf(service) } };
      assert.deepEqual(await failureOf(harness.read(undefined, target)), failure);
      assert.deepEqual(await harness.revoke(undefined, target), { kind: 'notSent', failure });
      assert.deepEqual(service.requests, []);
    });
  }
});
