import { strict as assert } from 'node:assert';
import type { ConnectionCause, Failure } from '../../../src/api/failure.js';
import { remedyAction } from '../../../src/host/actions.js';
import { failureWords, saidText } from '../../../src/host/text/failure.js';
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
const proxy = { step: 'proxy', code: 'ERR_PROXY_TUNNEL', status: 407, host: 'proxy.local', port: 3128 } as const;
const envProxy = { ...proxy, source: 'HTTPS_PROXY' } as const;
const settingProxy = { ...proxy, source: 'http.proxy' } as const;
const viaEditor = { step: 'proxy', code: 'ERR_PROXY_TUNNEL', status: 407, host: '' } as const;
const badProxy = unreachable({ step: 'proxy', code: 'ERR_INVALID_URL', host: '', source: 'HTTP_PROXY' });
const socks = unreachable({ step: 'proxy', code: 'ERR_SOCKS_UNSUPPORTED', host: '', source: 'http.proxy' });

function unreachable(cause: ConnectionCause, also?: ConnectionCause): Failure {
  return { kind: 'unreachable', cause, ...(also && { viaEditor: also }) };
}

function unusable(reason: Extract<Failure, { kind: 'unusable' }>['reason']): Failure {
  return { kind: 'unusable', reason, status: 200 };
}

const check = 'Check Connection';
const otherHost: Failure = {
  kind: 'redirected',
  status: 302,
  target: 'otherHost',
  foreign: { host: 'login.example', path: '/' },
};
/** Every outcome that a user can tell apart: how its sentence begins, with its name, and its button. */
const outcomes: Readonly<Record<string, readonly [Failure, button?: string]>> = {
  'Token rejected (401). ': [rejected, 'Sign In...'],
  'Access denied (403). ': [notPermitted, 'Switch Organization...'],
  'Not found (404). ': [{ kind: 'notFound', status: 404 }, 'Switch Organization...'],
  [`Rate limited (429). Requests resume at ${resume}.`]: [{ kind: 'rateLimited', status: 429, until }, 'Show Log'],
  'Request refused (418). ': [{ kind: 'clientError', status: 418 }, 'Show Log'],
  'Proxy authentication required (407). Set the proxy in http.proxy and ': [
    { kind: 'clientError', status: 407 },
    check,
  ],
  'Server error (503). ': [{ kind: 'serverError', status: 503 }, 'Refresh'],
  'Redirected (302) to login.example. ': [otherHost, check],
  'Redirected (301). ': [{ kind: 'redirected', status: 301, target: 'moved' }, 'Sign In...'],
  'Connection lost. ': [{ kind: 'connectionLost', code: 'ECONNRESET' }, check],
  'Timed out. ': [{ kind: 'timedOut', after: 30_000 }, 'Open Setting'],
  'Cancelled.': [{ kind: 'cancelled' }, 'Refresh'],
  'Invalid response (200). The response was cut off. ': [unusable('truncated'), check],
  'Invalid response (200). The response is empty. ': [unusable('empty'), check],
  'Invalid response (200). The response is not JSON. ': [unusable('notJson'), check],
  'Invalid response (200). The response lacks the expected fields. ': [unusable('wrongShape'), check],
  'Invalid response (200). The response is too large. ': [unusable('tooLarge'), check],
  'Unreachable (DNS). my.host: name not found (ENOTFOUND). ': [
    unreachable({ ...refused, step: 'dns', code: 'ENOTFOUND' }),
    check,
  ],
  'Unreachable (DNS). my.host: DNS did not respond (EAI_AGAIN). ': [
    unreachable({ ...refused, step: 'dns', code: 'EAI_AGAIN' }),
    check,
  ],
  'Unreachable (connection refused). The platform at my.host is probably not running. ': [unreachable(refused), check],
  'Unreachable. my.host: no connection (ECONNREFUSED). ': [unreachable({ ...refused, step: 'network' }), check],
  'Unreachable (TLS). my.host: certificate expired. ': [unreachable(tls), check],
  'Unreachable (proxy). my.host: no valid proxy address in HTTP_PROXY. ': [badProxy, check],
  'Unreachable (proxy). my.host: the SOCKS proxy in http.proxy cannot be used without ': [socks, check],
  'Unreachable (proxy). my.host: the proxy that VS Code uses responded with 407. ': [unreachable(viaEditor), check],
  'Unreachable (proxy). my.host: proxy proxy.local:3128 responded with 407. ': [unreachable(proxy), check],
  'Unreachable (proxy). my.host: proxy proxy.local:3128 responded with 407. Put the credentials ': [
    unreachable(envProxy),
    check,
  ],
  'Unreachable (proxy). my.host: proxy [::1]:3128 responded with 407. ': [
    unreachable({ ...proxy, host: '::1' }),
    check,
  ],
};

function words(failure: Failure, operation: (typeof operations)[number] = 'authorization', of = organization) {
  return failureWords(failure, of, operation);
}

describe('failureWords()', () => {
  for (const [begins, [failure, button]] of Object.entries(outcomes)) {
    it(`begins with name and status: ${begins}`, () => {
      assert.equal(words(failure).word, /^.*?(?= \(\d{3}\)|\.)/.exec(begins)![0]);
      assert.equal(remedyAction(words(failure).remedy, organization)?.title, button);
      assert.ok(words(failure).sentence.startsWith(begins), words(failure).sentence);
      for (const operation of operations) {
        const { sentence } = words(failure, operation);
        assert.match(sentence, /^[A-Z].*[^.]\.$/);
        assert.ok(sentence.startsWith(/^.*?\./.exec(begins)![0]), sentence);
        assert.doesNotMatch(sentence, /undefined|\{|\}/);
        const isGuess = 'status' in failure && [401, 403, 404].includes(failure.status);
        if (isGuess && !(failure === rejected && operation === 'install')) assert.match(sentence, /probably/);
      }
    });
  }

  const details: readonly [RegExp, ...Parameters<typeof words>][] = [
    [/^Token rejected \(401\)\. Looking up an install requires a user session token/, rejected, 'install'],
    [/under another name, and set a user session token there\.$/, rejected, 'install', environment],
    [/under another name, and set a user session token there\.$/, notPermitted, 'install', environment],
    [/probably lacks the permission apiKey:delete/, notPermitted, 'revocation'],
    [/^Request refused \(410\)\. The install has probably expired or been completed,.* new link\.$/, gone, 'install'],
    [/AUTOMATION_PLATFORM_TOKEN/, rejected, 'authorization', environment],
    [/\. Correct HTTP_PROXY, for example http:\/\/proxy\.example:3128\.$/, badProxy],
    [/\(http\.proxyStrictSSL, NODE_TLS_REJECT_UNAUTHORIZED\), or set an HTTP proxy in http\.proxy\.$/, socks],
    [
      /407\. Put the credentials into the address in HTTPS_PROXY, or .* http\.proxy and .* http\.proxyAuthorization\.$/,
      unreachable(envProxy),
    ],
    [/407\. Set the proxy in http\.proxy and .* http\.proxyAuthorization\.$/, unreachable(settingProxy)],
    [/502\. Check the connection/, unreachable({ ...envProxy, status: 502 })],
    [
      /expired.*with 407\. Set the proxy in http\.proxy and .* http\.proxyAuthorization\.$/,
      unreachable(tls, viaEditor),
    ],
    [
      /expired.*proxy proxy\.local:3128 failed \(ECONNREFUSED\)/,
      unreachable(tls, { ...refused, step: 'proxy', host: 'proxy.local', port: 3128 }),
    ],
    [/Try again\. If/, unusable('truncated')],
    [/Check the base URL/, unusable('notJson')],
  ];
  for (const [expected, ...about] of details) {
    it(`says what to do: ${expected.source}`, () => assert.match(words(...about).sentence, expected));
  }

  it('gives a look-up its button, and prefills no reserved name', () => {
    assert.equal(words(rejected, 'install').remedy, 'setSessionToken');
    assert.equal(words(notPermitted, 'install', environment).remedy, 'signIn');
    assert.equal(words(gone, 'install').remedy, 'lookUpInstall');
    assert.deepEqual(remedyAction('signIn', environment)?.arguments, [{ baseUrl: environment.baseUrl }]);
  });
});

describe('saidText()', () => {
  for (const [excerpt, expected] of [
    ['{"message":"no such deployment"}', 'no such deployment'],
    ['{"message":7}', '{"message":7}'],
    ['{"message":"no","code":3}', '{"message":"no","code":3}'],
    ['{"message":"cut', '{"message":"cut'],
  ] as const) {
    it(`of ${excerpt} is ${expected}`, () => assert.equal(saidText(excerpt), expected));
  }
});
