import { strict as assert } from 'node:assert';
import type {
  ConnectionCause,
  Failure,
  ForeignTexts,
  ProxyAddressProblem,
  RedirectTarget,
} from '../../../src/api/failure.js';
import { remedyAction } from '../../../src/host/actions.js';
import { failureFields, failureWords, messageInExcerpt } from '../../../src/host/text/failure.js';
import { clockTime } from '../../../src/host/text/format.js';
import { organization as acme } from '../../support/window/fixtures.js';

const until = Date.now() + 60_000;
const resume = clockTime(until);
const host = 'my.host';
const organization = { ...acme, baseUrl: `https://${host}/api/v1` };
const environment = { ...organization, name: 'environment', source: 'environment' } as const;
const operations = ['authorization', 'install', 'revocation'] as const;

const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const gone: Failure = { kind: 'clientError', status: 410 };
const notPermitted: Failure = { kind: 'notPermitted', status: 403 };

const refused = { step: 'refused', code: 'ECONNREFUSED', host } as const;
const tls = { step: 'tls', code: 'CERT_HAS_EXPIRED', host } as const;
const times = {
  now: Date.UTC(2026, 10, 26),
  validFrom: Date.UTC(2026, 11, 1),
  validTo: Date.UTC(2026, 10, 20),
};

/** The failure of a TLS handshake with this code. */
function handshake(code: string, more: Partial<ConnectionCause> = {}): Failure {
  return unreachable({ ...tls, code, port: 443, ...more });
}
const proxy = {
  step: 'proxy',
  code: 'ERR_PROXY_TUNNEL',
  status: 407,
  host: 'proxy.local',
  port: 3128,
} as const;
const envProxy = { ...proxy, source: 'HTTPS_PROXY' } as const;
const settingProxy = { ...proxy, source: 'http.proxy' } as const;
const viaEditor = { step: 'proxy', code: 'ERR_PROXY_TUNNEL', status: 407, host: '' } as const;
const badProxy = noAddress({ kind: 'host' });
const socks = unreachable({
  step: 'proxy',
  code: 'ERR_SOCKS_UNSUPPORTED',
  host: '',
  source: 'http.proxy',
});

function unreachable(cause: ConnectionCause, also?: ConnectionCause): Failure {
  return { kind: 'unreachable', cause, ...(also && { viaEditor: also }) };
}

/** The failure of a proxy whose address has this problem. */
function noAddress(problem: ProxyAddressProblem, source = 'HTTP_PROXY'): Failure {
  return unreachable({ step: 'proxy', code: 'ERR_INVALID_URL', host: '', source, problem });
}

function unusable(reason: Extract<Failure, { kind: 'unusable' }>['reason'], status = 200): Failure {
  return { kind: 'unusable', reason, status };
}

function redirected(target: RedirectTarget, foreign: ForeignTexts): Failure {
  return { kind: 'redirected', status: 302, target, foreign };
}

/** A web page in place of an answer. */
function page(status: number, title?: string): Failure {
  return { kind: 'notFromPlatform', status, ...(title !== undefined && { foreign: { title } }) };
}

const check = 'Check Connection';
const otherHost = redirected('otherHost', { host: 'login.example', address: 'login.example' });
/** Every outcome that a user can tell apart: how its sentence begins, with its name, and its button. */
const outcomes: Readonly<Record<string, readonly [Failure, button?: string]>> = {
  'Token rejected (401). ': [rejected, 'Sign In...'],
  'Access denied (403). ': [notPermitted, 'Switch Organization...'],
  'Not found (404). ': [{ kind: 'notFound', status: 404 }, 'Switch Organization...'],
  [`Rate limited (429). Try again after ${resume}.`]: [
    { kind: 'rateLimited', status: 429, until },
    'Refresh',
  ],
  'Request refused (418). ': [{ kind: 'clientError', status: 418 }, 'Show Log'],
  'Proxy authentication required (407). Set the proxy in http.proxy and ': [
    { kind: 'clientError', status: 407 },
    check,
  ],
  'Server error (503). ': [{ kind: 'serverError', status: 503 }, 'Refresh'],
  'Redirected (302) to login.example. ': [otherHost, check],
  'Redirected (301). ': [{ kind: 'redirected', status: 301, target: 'moved' }, 'Sign In...'],
  'Redirected (302) to /login. The token has probably expired, or a gateway wants a sign-in. Sign in ':
    [redirected('sameHost', { address: '/login' }), 'Sign In...'],
  'Redirected (302) to new.host. The platform has probably moved to https://new.host/api/v1. Sign in ':
    [
      redirected('moved', {
        host: 'new.host',
        address: 'new.host',
        baseUrl: 'https://new.host/api/v1',
      }),
      'Sign In...',
    ],
  'Redirected (302). The redirect leads back to the same address, probably from a gateway in front of the platform':
    [redirected('sameAddress', {}), check],
  'Not from the platform (403). A web filter or gateway probably sent this web page (“Blocked”). Ask ':
    [page(403, 'Blocked'), check],
  'Not from the platform (451). A web filter or gateway probably sent this web page. Ask ': [
    page(451),
    check,
  ],
  'Not from the platform (404). Another web server probably sent this web page (“nginx”), so the base URL ':
    [page(404, 'nginx'), 'Sign In...'],
  'Not from the platform (200). A sign-in page, a web filter, or another website probably sent this web page (“App”). ':
    [page(200, 'App'), check],
  'Invalid response (304). The response refers to an earlier one, ': [
    unusable('notModified', 304),
    check,
  ],
  'Invalid response (302). The redirect has no usable target. ': [unusable('noTarget', 302), check],
  'Connection lost. ': [{ kind: 'connectionLost', code: 'ECONNRESET' }, check],
  'Invalid response. The response breaks the rules of HTTP (HPE_INVALID). Report this to whoever ':
    [{ kind: 'invalidHttp', code: 'HPE_INVALID' }, check],
  'Invalid response. The headers of the response are too large (UND_ERR_HEADERS_OVERFLOW). Report ':
    [{ kind: 'invalidHttp', code: 'UND_ERR_HEADERS_OVERFLOW' }, check],
  'Timed out. ': [{ kind: 'timedOut', after: 30_000 }, 'Open Setting'],
  'Cancelled.': [{ kind: 'cancelled' }, 'Refresh'],
  'Invalid response (200). The response was cut off. ': [unusable('truncated'), check],
  'Invalid response (200). The response is empty. ': [unusable('empty'), check],
  'Invalid response (200). The response is not JSON. ': [unusable('notJson'), check],
  'Invalid response (200). The response lacks the expected fields. ': [
    unusable('wrongShape'),
    check,
  ],
  'Invalid response (200). The response is too large. ': [unusable('tooLarge'), check],
  'Unreachable (DNS). my.host: name not found (ENOTFOUND). ': [
    unreachable({ ...refused, step: 'dns', code: 'ENOTFOUND' }),
    check,
  ],
  'Unreachable (DNS). my.host: DNS did not respond (EAI_AGAIN). ': [
    unreachable({ ...refused, step: 'dns', code: 'EAI_AGAIN' }),
    check,
  ],
  'Unreachable (connection refused). The platform at my.host is probably not running. ': [
    unreachable(refused),
    check,
  ],
  'Unreachable. my.host: no connection (ECONNREFUSED). ': [
    unreachable({ ...refused, step: 'network' }),
    check,
  ],
  'Unreachable (TLS). my.host: certificate expired (CERT_HAS_EXPIRED). ': [unreachable(tls), check],
  'Unreachable (TLS). my.host: certificate expired on Nov 20, 2026, ': [
    handshake('CERT_HAS_EXPIRED', { times }),
    check,
  ],
  'Unreachable (TLS). my.host: certificate not valid before Dec 1, 2026, ': [
    handshake('CERT_NOT_YET_VALID', { times }),
    check,
  ],
  'Unreachable (TLS). my.host: no TLS on this port (ERR_SSL_WRONG_VERSION_NUMBER). ': [
    handshake('ERR_SSL_WRONG_VERSION_NUMBER'),
    check,
  ],
  'Unreachable (TLS). my.host: the TLS handshake was refused, perhaps because a client certificate ':
    [handshake('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE'), check],
  'Unreachable (TLS). my.host: a client certificate is required, which is not supported (ERR_SSL_TLSV13_ALERT_CERT':
    [handshake('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), check],
  'Unreachable (TLS). my.host: certificate issuer not trusted on this machine (SELF_SIGNED_CERT_IN_CHAIN). ':
    [handshake('SELF_SIGNED_CERT_IN_CHAIN'), check],
  'Unreachable (TLS). my.host: certificate issuer not trusted on this machine, or intermediate certificate not sent (':
    [handshake('UNABLE_TO_GET_ISSUER_CERT_LOCALLY', { issuer: 'missing' }), check],
  'Unreachable (TLS). my.host: connection closed during the TLS handshake (ECONNRESET). ': [
    handshake('ECONNRESET'),
    check,
  ],
  'Unreachable (proxy). my.host: proxy proxy.local:3128: no TLS on this port (ERR_SSL_WRONG_VERSION_NUMBER). ':
    [
      unreachable({
        step: 'proxy',
        code: 'ERR_SSL_WRONG_VERSION_NUMBER',
        host: 'proxy.local',
        port: 3128,
      }),
      check,
    ],
  'Unreachable (proxy). my.host: no valid proxy address in HTTP_PROXY. ': [badProxy, check],
  'Unreachable (proxy). my.host: the SOCKS proxy in http.proxy cannot be used without ': [
    socks,
    check,
  ],
  'Unreachable (proxy). my.host: the proxy that VS Code uses responded with 407. ': [
    unreachable(viaEditor),
    check,
  ],
  'Unreachable (proxy). my.host: proxy proxy.local:3128 responded with 407. ': [
    unreachable(proxy),
    check,
  ],
  'Unreachable (proxy). my.host: proxy proxy.local:3128 responded with 407. Put the credentials ': [
    unreachable(envProxy),
    check,
  ],
  'Unreachable (proxy). my.host: proxy [::1]:3128 responded with 407. ': [
    unreachable({ ...proxy, host: '::1' }),
    check,
  ],
};

/** The texts of a failure of this operation: its name, its sentence, and its remedy. */
function words(
  failure: Failure,
  operation: (typeof operations)[number] = 'authorization',
  of = organization,
) {
  return failureWords(failure, of, operation);
}

describe('the text of a failure', () => {
  for (const [begins, [failure, button]] of Object.entries(outcomes)) {
    it(`begins with name and status: ${begins}`, () => {
      const { word, sentence } = words(failure);
      const name = /^.*?(?= \(\d{3}\)|\.)/.exec(begins)![0];
      assert.equal(word, name);
      assert.equal(sentence.slice(0, begins.length), begins);
    });

    it(`offers ${button}: ${begins}`, () => {
      const action = remedyAction(words(failure).remedy, organization);
      assert.equal(action?.title, button);
    });

    it(`has whole sentences for each operation: ${begins}`, () => {
      const nameAndStatus = /^.*?\./.exec(begins)![0];
      for (const operation of operations) {
        const { sentence } = words(failure, operation);
        assert.match(sentence, /^[A-Z].*[^.]\.$/, operation);
        assert.equal(sentence.slice(0, nameAndStatus.length), nameAndStatus, operation);
        assert.doesNotMatch(sentence, /undefined|\{|\}/, operation);
      }
    });

    if (failure.kind === 'notFromPlatform') {
      it(`does not guess about the token or deployment: ${begins}`, () => {
        for (const operation of operations) {
          const { sentence } = words(failure, operation);
          assert.doesNotMatch(sentence, /permission|deleted|expired|revoked/, operation);
        }
      });
    }

    if ('status' in failure && [401, 403, 404].includes(failure.status)) {
      // A look-up of an install needs a session token: that is the cause for sure.
      const guesses = operations.filter((one) => failure !== rejected || one !== 'install');
      it(`calls its cause probable: ${begins}`, () => {
        for (const operation of guesses)
          assert.match(words(failure, operation).sentence, /probably/, operation);
      });
    }
  }

  const details: readonly [RegExp, ...Parameters<typeof words>][] = [
    [
      /^Token rejected \(401\)\. Looking up an install requires a user session token/,
      rejected,
      'install',
    ],
    [/under another name, and set a user session token there\.$/, rejected, 'install', environment],
    [
      /under another name, and set a user session token there\.$/,
      notPermitted,
      'install',
      environment,
    ],
    [/probably lacks the permission apiKey:delete/, notPermitted, 'revocation'],
    [
      /^Request refused \(410\)\. The install has probably expired or been completed,.* new link\.$/,
      gone,
      'install',
    ],
    [/AUTOMATION_PLATFORM_TOKEN/, rejected, 'authorization', environment],
    [/in HTTP_PROXY\. Correct HTTP_PROXY, for example http:\/\/proxy\.example:3128\.$/, badProxy],
    [
      /\. Correct HTTP_PROXY, for example http:\/\/proxy\.example:3128\.$/,
      noAddress({ kind: 'scheme' }),
    ],
    [
      /in https_proxy\. Write \\ as %5C in https_proxy\.$/,
      noAddress({ kind: 'character', character: '\\' }, 'https_proxy'),
    ],
    [/\. Remove U\+0009 from HTTP_PROXY\.$/, noAddress({ kind: 'control', character: '\t' })],
    [
      /\. A host cannot contain U\+00AD\. Correct HTTP_PROXY, for example /,
      noAddress({ kind: 'host', character: '\u00ad' }),
    ],
    [
      /no user name with a colon, not even as %3A\. Use another one in HTTP_PROXY\.$/,
      noAddress({ kind: 'userColon' }),
    ],
    [
      /\. Remove everything after host and port from HTTP_PROXY\.$/,
      noAddress({ kind: 'afterHost' }),
    ],
    [
      /\. HTTP_PROXY holds a placeholder that was not filled in\. Set it to an address, for example /,
      noAddress({ kind: 'placeholder' }),
    ],
    [
      /: no valid proxy credentials in http\.proxyAuthorization\. Remove U\+000D from http\.proxyAuthorization\.$/,
      noAddress({ kind: 'control', character: '\r' }, 'http.proxyAuthorization'),
    ],
    [
      /failed \(ECONNREFUSED\)\. Check the proxy, and its address in http_proxy\.$/,
      unreachable({ ...refused, step: 'proxy', source: 'http_proxy' }),
    ],
    [
      /\(http\.proxyStrictSSL, NODE_TLS_REJECT_UNAUTHORIZED\), or set an HTTP proxy in http\.proxy\.$/,
      socks,
    ],
    [
      /407\. Put the credentials into the address in HTTPS_PROXY, or .* http\.proxy and .* http\.proxyAuthorization\.$/,
      unreachable(envProxy),
    ],
    [
      /407\. Set the proxy in http\.proxy and .* http\.proxyAuthorization\.$/,
      unreachable(settingProxy),
    ],
    [/502\. Check the connection/, unreachable({ ...envProxy, status: 502 })],
    [
      /expired.*with 407\. Check the clock .* Set the proxy in http\.proxy and .* http\.proxyAuthorization\.$/,
      unreachable(tls, viaEditor),
    ],
    [
      /expired.*proxy proxy\.local:3128 failed \(ECONNREFUSED\)/,
      unreachable(tls, { ...refused, step: 'proxy', host: 'proxy.local', port: 3128 }),
    ],
    [
      /\(CERT_HAS_EXPIRED\)\. Retrying through VS Code failed in the same way\. Check the clock/,
      unreachable(tls, tls),
    ],
    [
      /407\. The proxy rejected the credentials\. Put /,
      unreachable({ ...envProxy, sentCredentials: true }),
    ],
    [
      /407\. The proxy accepts only Negotiate, NTLM, which .* or remove HTTPS_PROXY, so that VS Code’s own connection is used\.$/,
      unreachable({ ...envProxy, schemes: ['Negotiate', 'NTLM'], sentCredentials: true }),
    ],
    [/407\. Put the credentials /, unreachable({ ...envProxy, schemes: ['Negotiate', 'Basic'] })],
    [
      /The proxy accepts only NTLM, which .* Use a local proxy/,
      { kind: 'clientError', status: 407, schemes: ['NTLM'] },
    ],
    [
      /revoked\. Sign in with a new token\. If the token is right, a gateway .* its own sign-in \(“Staff”\)\.$/,
      { ...rejected, doubt: 'challenges', foreign: { realm: 'Staff', title: 'no' } },
    ],
    [
      /its own sign-in \(“Log in”\)\.$/,
      { ...rejected, doubt: 'webPage', foreign: { title: 'Log in' } },
    ],
    [/its own sign-in\.$/, { ...rejected, doubt: 'challenges' }],
    [
      /lacks the permission .*that has it\. The answer was a web page \(“No”\); a web filter or gateway may have sent it\.$/,
      { ...notPermitted, doubt: 'webPage', foreign: { title: 'No' } },
    ],
    [
      /^Not from the platform \(404\)\..* Correct AUTOMATION_PLATFORM_BASE_URL and restart/,
      page(404),
      'install',
      environment,
    ],
    [
      /Set a valid token in AUTOMATION_PLATFORM_TOKEN/,
      redirected('sameHost', { address: '/x' }),
      'authorization',
      environment,
    ],
    [
      /That is no usable base URL\. Ask an administrator for the right one\.$/,
      redirected('moved', { baseUrl: 'http://new.host/api/v1' }),
    ],
    [
      /sign-in\. Set the user session token of someone who can see the install\.$/,
      redirected('sameHost', {}),
      'install',
    ],
    [
      /and this machine’s clock says Nov 2[56], 2026, .* \(CERT_HAS_EXPIRED\)\. Check the clock of this machine\. If it is/,
      handshake('CERT_HAS_EXPIRED', { times }),
    ],
    [
      /clock says .* \(CERT_NOT_YET_VALID\)\. Check the clock of this machine\. If it is right, .* a certificate that is valid now\.$/,
      handshake('CERT_NOT_YET_VALID', { times }),
    ],
    [
      /by this machine’s clock, which says Nov 2[56], 2026, .* \(CERT_HAS_EXPIRED\)\./,
      handshake('CERT_HAS_EXPIRED', { times: { now: times.now } }),
    ],
    [
      /\. Check the port in the base URL\. Sign in with the right base URL\.$/,
      handshake('ERR_SSL_WRONG_VERSION_NUMBER'),
    ],
    [
      /\. Ask whoever runs my\.host:443 for access without a client certificate\.$/,
      handshake('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    ],
    [
      /\. Ask whoever runs my\.host:443 to turn on TLS 1\.2 or newer\.$/,
      handshake('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'),
    ],
    [/\. Check the host in the base URL\. A gateway/, handshake('ERR_TLS_CERT_ALTNAME_INVALID')],
    [
      /on this machine, or set NODE_EXTRA_CA_CERTS to a file with the root certificate and restart VS Code\.$/,
      handshake('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
    ],
    [
      /restart VS Code\. If others can connect, ask whoever runs my\.host:443 to send the intermediate certificate\.$/,
      handshake('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    ],
    [/install its certificate on this machine/, handshake('DEPTH_ZERO_SELF_SIGNED_CERT')],
    [
      /\(UNSPECIFIED\)\. Ask whoever runs my\.host:443 for a new certificate\.$/,
      handshake('UNSPECIFIED'),
    ],
    [
      /\. Check the port in the base URL\. Correct AUTOMATION_PLATFORM_BASE_URL and restart VS Code, or sign in /,
      handshake('ERR_SSL_WRONG_VERSION_NUMBER'),
      'authorization',
      environment,
    ],
    [
      /TLS failed \(EPROTO\)\. Check the connection to see which step fails\.$/,
      handshake('EPROTO'),
    ],
    [
      /port \(ERR_SSL_WRONG_VERSION_NUMBER\)\. Write http:\/\/ instead of https:\/\/ in HTTPS_PROXY\.$/,
      unreachable({ ...envProxy, status: undefined, code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
    ],
    [
      /^Not from the platform \(400\)\. The server requires a client certificate, .* Ask whoever runs my\.host for access/,
      page(400, '400 No required SSL certificate was sent'),
    ],
    [/Try again\. If/, unusable('truncated')],
    [/Check the base URL/, unusable('notJson')],
  ];
  for (const [expected, ...about] of details) {
    it(`says the cause or the next step: ${expected.source}`, () => {
      assert.match(words(...about).sentence, expected);
    });
  }

  it('offers the new base URL to Sign In when the platform has moved', () => {
    const baseUrl = 'https://new.host/api/v1';
    const { remedy } = words(redirected('moved', { baseUrl }));
    assert.deepEqual(remedyAction(remedy, organization)?.arguments, [{ baseUrl }]);
  });

  it('offers the old base URL to Sign In when the new one is unusable', () => {
    const { remedy } = words(redirected('moved', { baseUrl: 'http://new.host/api/v1' }));
    assert.deepEqual(remedyAction(remedy, organization)?.arguments, [
      { baseUrl: organization.baseUrl },
    ]);
  });

  it('offers the base URL to Sign In when another web server answers', () => {
    const { remedy } = words(page(404));
    assert.deepEqual(remedyAction(remedy, organization)?.arguments, [
      { baseUrl: organization.baseUrl },
    ]);
  });

  it('has the title of a foreign page in a field of its own for a tool', () => {
    const failure: Failure = { ...notPermitted, doubt: 'webPage', foreign: { title: 'Call me' } };
    const fields = failureFields(failure, (ours) => words(ours).sentence);
    assert.equal(fields.webPageTitle, 'Call me');
    assert.doesNotMatch(fields.error, /Call me/);
  });

  it('offers Set Session Token when the token is rejected for a look-up', () => {
    assert.equal(words(rejected, 'install').remedy, 'setSessionToken');
  });

  it('offers Sign In when the environment lacks the permission for a look-up', () => {
    assert.equal(words(notPermitted, 'install', environment).remedy, 'signIn');
  });

  it('offers another look-up when the install is gone', () => {
    assert.equal(words(gone, 'install').remedy, 'lookUpInstall');
  });

  it('does not offer the reserved name of the environment to Sign In', () => {
    const action = remedyAction('signIn', environment);
    assert.deepEqual(action?.arguments, [{ baseUrl: environment.baseUrl }]);
  });
});

describe('the message in the excerpt of an answer', () => {
  for (const [excerpt, expected] of [
    ['{"message":"no such deployment"}', 'no such deployment'],
    ['{"message":7}', '{"message":7}'],
    ['{"message":"no","code":3}', '{"message":"no","code":3}'],
    ['{"message":"cut', '{"message":"cut'],
  ] as const) {
    it(`is ${expected} when the excerpt is ${excerpt}`, () => {
      assert.equal(messageInExcerpt(excerpt), expected);
    });
  }
});
