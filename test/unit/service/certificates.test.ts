import assert from 'node:assert/strict';
import { get } from 'node:https';
import { type Authority, createAuthority } from '../../support/service/certificates.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';

describe('service: TLS', () => {
  let authority: Authority;
  let service: Service | undefined;

  before(() => {
    authority = createAuthority();
  });

  afterEach(() => service?.stop());

  /** The status, or the code of what went wrong. */
  const visit = async (ca: string | undefined) =>
    new Promise<number | string | undefined>((resolve) => {
      const trusted = ca === undefined ? {} : { ca };
      get(service?.baseUrl ?? '', { agent: false, ...trusted }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });

  it('is trusted by whoever trusts the authority', async () => {
    service = await startService({ tls: { ...authority.issue(['service.example', 'localhost']), name: 'localhost' } });
    assert.match(service.baseUrl, /^https:\/\/localhost:\d+\/api\/v1$/);
    assert.equal(await visit(authority.cert), 404);
    assert.match(String(await visit(undefined)), /^UNABLE_TO_/);
    assert.match(String(await visit(createAuthority('Another').cert)), /^UNABLE_TO_/);
  });

  it('certifies addresses', async () => {
    service = await startService({ tls: authority.issue(['127.0.0.1']) });
    assert.equal(await visit(authority.cert), 404);
  });

  it('can have the wrong name, or be out of date', async () => {
    service = await startService({ tls: authority.issue(['other.example']) });
    assert.equal(await visit(authority.cert), 'ERR_TLS_CERT_ALTNAME_INVALID');
    await service.stop();
    service = await startService({ tls: authority.issue(['127.0.0.1'], { from: new Date(0), to: new Date(1) }) });
    assert.equal(await visit(authority.cert), 'CERT_HAS_EXPIRED');
  });

  it('resets the connection below TLS', async () => {
    service = await startService({ tls: authority.issue(['127.0.0.1']) });
    service.fault('all', faults.reset('before'));
    assert.equal(await visit(authority.cert), 'ECONNRESET');
    assert.equal(service.requests[0]?.state, 'broken');
  });
});
