import { strict as assert } from 'node:assert';
import type { ConnectionCause, Failure } from '../../../src/api/failure.js';
import type { Organization } from '../../../src/host/organizations/organization.js';
import { failureWords } from '../../../src/host/text/failure.js';
import { clockTime } from '../../../src/host/text/format.js';
import { minutes, organization } from './fixtures.js';

const until = Date.now() + minutes(3);
const host = 'api.acme.example';
const proxy = { step: 'proxy', host: '' } as const;
const viaEditor = { ...proxy, code: 'ERR_PROXY_TUNNEL', status: 407 } as const;
const tls = { step: 'tls', code: 'CERT_HAS_EXPIRED', host, port: 443 } as const;
const unsendable = { step: 'network', code: 'ERR_INVALID_CHAR', host } as const;
const socks = 'the SOCKS proxy in HTTPS_PROXY cannot be used without certificate verification';

const unreachable: readonly [what: string, detail: string, cause: ConnectionCause][] = [
  ['TLS', `${host}: certificate expired`, tls],
  ['DNS', `${host}: name not found (ENOTFOUND)`, { step: 'dns', code: 'ENOTFOUND', host }],
  [
    'connection refused',
    `The service at ${host} is probably not running`,
    { step: 'refused', code: 'ECONNREFUSED', host, port: 443 },
  ],
  [
    'proxy',
    `${host}: no valid proxy address in http.proxy`,
    { ...proxy, code: 'ERR_INVALID_URL', source: 'http.proxy' },
  ],
  ['proxy', `${host}: ${socks}`, { ...proxy, code: 'ERR_SOCKS_UNSUPPORTED', source: 'HTTPS_PROXY' }],
  ['proxy', `${host}: the proxy that VS Code uses responded with 407`, viaEditor],
  ['proxy', `${host}: proxy proxy.local:3128 responded with 407`, { ...viaEditor, host: 'proxy.local', port: 3128 }],
];

/** Every outcome that people must be able to tell apart: how its sentence begins, with its name, and its button. */
const outcomes: readonly [Failure, begins: string, button: string | undefined][] = [
  [{ kind: 'tokenRejected', status: 401 }, 'Token rejected (401). ', 'Sign In…'],
  [{ kind: 'notPermitted', status: 403 }, 'Access denied (403). ', 'Switch Organization…'],
  [{ kind: 'notFound', status: 404 }, 'Not found (404). ', 'Switch Organization…'],
  [
    { kind: 'rateLimited', status: 429, until },
    `Rate limited (429). Requests resume at ${clockTime(until)}.`,
    'Show Log',
  ],
  [{ kind: 'clientError', status: 418 }, 'Request refused (418). ', 'Show Log'],
  [{ kind: 'serverError', status: 503 }, 'Server error (503). ', 'Refresh'],
  [{ kind: 'redirected', status: 302, host: 'login.example' }, 'Redirected (302) to login.example. ', 'Sign In…'],
  [{ kind: 'redirected', status: 301 }, 'Redirected (301). ', 'Sign In…'],
  ...unreachable.map(([what, detail, cause]): (typeof outcomes)[number] => [
    { kind: 'unreachable', cause },
    `Unreachable (${what}). ${detail}. `,
    'Check Connection…',
  ]),
  [
    { kind: 'unreachable', cause: { step: 'network', code: 'ENETUNREACH', host } },
    'Unreachable. api.acme.example: no connection (ENETUNREACH). ',
    'Check Connection…',
  ],
  [{ kind: 'unreachable', cause: unsendable }, 'Invalid token. ', 'Sign In…'],
  [{ kind: 'connectionLost', code: 'ECONNRESET' }, 'Connection lost. ', 'Check Connection…'],
  [{ kind: 'timedOut', after: 30_000 }, 'Timed out. ', 'Open Setting'],
  [{ kind: 'cancelled' }, 'Cancelled.', 'Refresh'],
  ...(['notJson', 'wrongShape', 'tooLarge', 'truncated', 'empty'] as const).map((reason): (typeof outcomes)[number] => [
    { kind: 'unusable', reason, status: 200 },
    'Invalid response (200). ',
    'Check Connection…',
  ]),
  [{ kind: 'invalidId', reason: 'dotSegment' }, 'Invalid ID. ', undefined],
];

const operations = ['authorization', 'install', 'revocation'] as const;
const environment = { ...organization, name: 'environment', source: 'environment' } as const;
const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const notPermitted: Failure = { kind: 'notPermitted', status: 403 };

type Operation = (typeof operations)[number];

function sentence(failure: Failure, operation: Operation = 'authorization', of: Organization = organization): string {
  return failureWords(failure, of, operation).sentence;
}

function action(failure: Failure, operation: Operation = 'authorization', of: Organization = organization) {
  return failureWords(failure, of, operation).action;
}

/** What to do, without what happened. */
function next(causes: Omit<Extract<Failure, { kind: 'unreachable' }>, 'kind'>): string {
  return sentence({ kind: 'unreachable', ...causes }).replace(/^.*?: .*?\. |^Invalid token\. .*?\. /, '');
}

describe('sentences about failures', () => {
  for (const [failure, begins, button] of outcomes) {
    it(`name it, with the status, before what it means: ${begins}${'reason' in failure ? failure.reason : ''}`, () => {
      assert.equal(failureWords(failure).word, begins.replace(/( \(\d{3}\)|\.( |$)).*/, ''));
      assert.equal(action(failure)?.title, button);
      for (const said of operations.map((operation) => sentence(failure, operation))) {
        assert.ok(said.startsWith(begins), said);
        assert.match(said, /\.$/);
        assert.doesNotMatch(said, /undefined|\{|\}/);
      }
    });
  }

  it('are all different', () => {
    assert.equal(new Set(outcomes.map(([failure]) => sentence(failure))).size, outcomes.length);
  });

  it('say “probably” about what a status means', () => {
    for (const [failure] of outcomes.slice(0, 3)) {
      for (const operation of operations) {
        if (failure.kind === 'tokenRejected' && operation === 'install') continue;
        assert.match(sentence(failure, operation), /probably/);
      }
    }
  });

  it('send a rejected look-up to the user session token', () => {
    const begins = /^Token rejected \(401\)\. Looking up an install takes a user session token/;
    assert.match(sentence(rejected, 'install'), begins);
    assert.equal(action(rejected, 'install')?.command, 'automationPlatform.setSessionToken');
  });

  it('say for the environment, to which nothing can be added, where a user session token can be kept', () => {
    for (const failure of [rejected, notPermitted]) {
      const ends = /under another name, and set a user session token there\.$/;
      assert.match(sentence(failure, 'install', environment), ends);
      assert.equal(action(failure, 'install', environment)?.command, 'automationPlatform.setSessionToken');
    }
  });

  it('name the permission that a revocation needs', () => {
    const lacks = /^Access denied \(403\)\. .*probably lacks the permission apiKey:delete/;
    assert.match(sentence(notPermitted, 'revocation'), lacks);
  });

  it('name the variable when the environment’s token was rejected, and prefill no reserved name', () => {
    assert.match(sentence(rejected, 'authorization', environment), /AUTOMATION_PLATFORM_TOKEN/);
    const { arguments: prefill } = action(rejected, 'authorization', environment) ?? {};
    assert.deepEqual(prefill, [{ baseUrl: organization.baseUrl }]);
  });

  it('name the setting that is to be corrected, of whichever way it is', () => {
    assert.equal(
      next({ cause: { ...proxy, code: 'ERR_INVALID_URL', source: 'HTTP_PROXY' } }),
      'Correct HTTP_PROXY, for example http://proxy.example:3128.',
    );
    assert.equal(
      next({ cause: { ...proxy, code: 'ERR_SOCKS_UNSUPPORTED', source: 'http.proxy' } }),
      'Turn certificate verification on (http.proxyStrictSSL, NODE_TLS_REJECT_UNAUTHORIZED), or set an HTTP proxy in http.proxy.',
    );
    assert.match(
      next({ cause: tls, viaEditor }),
      /the proxy that VS Code uses responded with 407\. Set the proxy in http\.proxy and .* http\.proxyAuthorization\.$/,
    );
    // A token that can't be sent is no question of the way, whichever slot it is from.
    assert.equal(next({ cause: unsendable }), 'Sign in with a new token.');
    const { command } = action({ kind: 'unreachable', cause: unsendable }, 'install') ?? {};
    assert.equal(command, 'automationPlatform.setSessionToken');
  });

  it('say of an answer that came in part or not at all to try again', () => {
    for (const [reason, advice] of [
      ['truncated', /Try again\. If/],
      ['empty', /Try again\. If/],
      ['notJson', /Check the base URL/],
    ] as const) {
      assert.match(sentence({ kind: 'unusable', reason, status: 200 }), advice);
    }
  });

  it('name both causes when the editor’s way failed too', () => {
    const refused = { ...proxy, code: 'ECONNREFUSED', host: 'proxy.local' };
    const both = /certificate expired.*proxy proxy\.local failed \(ECONNREFUSED\)/;
    assert.match(sentence({ kind: 'unreachable', cause: tls, viaEditor: refused }), both);
  });
});
