import { strict as assert } from 'node:assert';
import { sendByEditor } from '../../../../src/api/network/editorFetch.js';

const origin = 'https://host.example';
const known = { host: 'proxy.example', port: 443 };
const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
const notFound = { code: 'ENOTFOUND', syscall: 'getaddrinfo' };
const timedOut = (peers: string) => ({
  code: 'UND_ERR_CONNECT_TIMEOUT',
  message: `Connect Timeout Error (attempted address${peers}, timeout: 10000ms)`,
});

/** The cause that `sendByEditor` finds in the error of `fetch`: a `TypeError` with the reason of Node or undici. */
async function causeOf(reason: object, at = origin, proxy?: typeof known) {
  const cause = Object.assign(new Error('reason'), reason);
  const failing = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const { signal } = new AbortController();
  const request = {
    method: 'GET',
    origin: at,
    path: '/',
    headers: {},
    urgent: false,
    needsNewConnection: false,
    signal,
  } as const;
  const result = await sendByEditor(failing, request, { peer: proxy });
  assert.ok(result.kind === 'unanswered', result.kind);
  assert.ok(result.failure.kind === 'unreachable', result.failure.kind);
  return result.failure.cause;
}

// VS Code's fetch may use a proxy that no setting names.
describe('a fetch through an unknown proxy', () => {
  const proxies: Record<string, readonly [reason: object, cause: object]> = {
    'that refuses connections': [
      { ...refused, address: '10.0.0.1', port: 1080 },
      { code: 'ECONNREFUSED', host: '10.0.0.1', port: 1080 },
    ],
    'whose name is not found': [
      { ...notFound, hostname: 'proxy.example' },
      { code: 'ENOTFOUND', host: 'proxy.example', port: undefined },
    ],
    'that does not answer': [
      timedOut('es: 10.0.0.1:3128, 10.0.0.2:3128'),
      { code: 'UND_ERR_CONNECT_TIMEOUT', host: '10.0.0.2', port: 3128 },
    ],
    'whose certificate is for another host': [
      {
        code: 'UND_ERR_PRX_TLS',
        cause: Object.assign(new Error(), {
          code: 'ERR_TLS_CERT_ALTNAME_INVALID',
          host: 'proxy.example',
        }),
      },
      { code: 'UND_ERR_PRX_TLS', host: 'proxy.example', port: undefined },
    ],
  };
  for (const [name, [reason, cause]] of Object.entries(proxies)) {
    it(`blames the proxy ${name}`, async () => {
      assert.deepEqual(await causeOf(reason), { step: 'proxy', ...cause });
    });
  }

  const hosts: Record<string, readonly [reason: object, step: string, at?: string]> = {
    'that refuses connections': [{ ...refused, address: '10.0.0.1', port: 443 }, 'refused'],
    'whose address refuses connections': [
      { ...refused, address: '::1', port: 8443 },
      'refused',
      'https://[::1]:8443',
    ],
    'whose name is not found': [{ ...notFound, hostname: 'host.example' }, 'dns'],
    'that does not answer': [timedOut(': host.example:443'), 'network'],
    'with an expired certificate': [{ code: 'CERT_HAS_EXPIRED' }, 'tls'],
    'with a certificate for another host': [
      { code: 'ERR_TLS_CERT_ALTNAME_INVALID', host: 'host.example' },
      'tls',
    ],
  };
  for (const [name, [reason, step, at = origin]] of Object.entries(hosts)) {
    it(`blames the host of the base URL ${name}`, async () => {
      const { hostname } = new URL(at);
      const cause = await causeOf(reason, at);
      assert.equal(cause.step, step);
      assert.equal(cause.host, hostname.replace(/^\[(.*)\]$/, '$1'));
    });
  }
});

describe('a fetch through a known proxy', () => {
  it('blames the proxy when its port is the port of the base URL', async () => {
    const cause = await causeOf({ ...refused, address: '10.0.0.1', port: 443 }, origin, known);
    assert.deepEqual(cause, { step: 'proxy', code: 'ECONNREFUSED', ...known });
  });

  it('blames the host of the base URL when that does not answer', async () => {
    const { step, host } = await causeOf(timedOut(': host.example:443'), origin, known);
    assert.equal(step, 'network');
    assert.equal(host, 'host.example');
  });
});
