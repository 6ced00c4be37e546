import { strict as assert } from 'node:assert';
import type { ConnectionCause, Failure } from '../../../src/api/failure.js';
import { type FailureAbout, failureAction, failureSentence, failureWord } from '../../../src/host/text/failure.js';
import { clockTime } from '../../../src/host/text/format.js';
import { minutes, organization } from './fixtures.js';

const until = Date.now() + minutes(3);
const tls = { step: 'tls', code: 'CERT_HAS_EXPIRED', host: 'api.acme.example', port: 443 } as const;

const host = 'api.acme.example';

/** Every outcome that people must be able to tell apart: its name, how its sentence begins, and its button. */
const outcomes: readonly [Failure, name: string, begins: string, button: string | undefined][] = [
  [{ kind: 'tokenRejected', status: 401 }, 'Token rejected', 'Token rejected (401). ', 'Sign In…'],
  [{ kind: 'notPermitted', status: 403 }, 'Access denied', 'Access denied (403). ', 'Switch Organization…'],
  [{ kind: 'notFound', status: 404 }, 'Not found', 'Not found (404). ', 'Switch Organization…'],
  [
    { kind: 'rateLimited', status: 429, until },
    'Rate limited',
    `Rate limited (429). Requests resume at ${clockTime(until)}.`,
    'Show Log',
  ],
  [{ kind: 'clientError', status: 418 }, 'Request refused', 'Request refused (418). ', 'Show Log'],
  [{ kind: 'serverError', status: 503 }, 'Server error', 'Server error (503). ', 'Refresh'],
  [
    { kind: 'redirected', status: 302, host: 'login.example' },
    'Redirected',
    'Redirected (302) to login.example. ',
    'Sign In…',
  ],
  [{ kind: 'redirected', status: 301 }, 'Redirected', 'Redirected (301). ', 'Sign In…'],
  [
    unreachable(tls),
    'Unreachable (TLS)',
    'Unreachable (TLS). api.acme.example: certificate expired. ',
    'Check Connection…',
  ],
  [
    unreachable({ step: 'dns', code: 'ENOTFOUND', host }),
    'Unreachable (DNS)',
    'Unreachable (DNS). api.acme.example: name not found (ENOTFOUND). ',
    'Check Connection…',
  ],
  [
    unreachable({ step: 'refused', code: 'ECONNREFUSED', host, port: 443 }),
    'Unreachable (connection refused)',
    'Unreachable (connection refused). The service at api.acme.example is probably not running. ',
    'Check Connection…',
  ],
  [
    unreachable({ step: 'proxy', code: 'X', host: 'proxy.local', port: 3128, status: 407 }),
    'Unreachable (proxy)',
    'Unreachable (proxy). api.acme.example: proxy proxy.local:3128 responded with 407. ',
    'Check Connection…',
  ],
  [
    unreachable({ step: 'proxy', code: 'ERR_INVALID_URL', host: '', source: 'http.proxy' }),
    'Unreachable (proxy)',
    'Unreachable (proxy). api.acme.example: no valid proxy address in http.proxy. ',
    'Check Connection…',
  ],
  [
    unreachable({ step: 'proxy', code: 'ERR_SOCKS_UNSUPPORTED', host: '', source: 'HTTPS_PROXY' }),
    'Unreachable (proxy)',
    'Unreachable (proxy). api.acme.example: the SOCKS proxy in HTTPS_PROXY cannot be used without certificate verification. ',
    'Check Connection…',
  ],
  [
    unreachable({ step: 'proxy', code: 'ERR_PROXY_TUNNEL', host: '', status: 407 }),
    'Unreachable (proxy)',
    'Unreachable (proxy). api.acme.example: the proxy that VS Code uses responded with 407. ',
    'Check Connection…',
  ],
  [unreachable({ step: 'network', code: 'ERR_INVALID_CHAR', host }), 'Invalid token', 'Invalid token. ', 'Sign In…'],
  [
    unreachable({ step: 'network', code: 'ENETUNREACH', host }),
    'Unreachable',
    'Unreachable. api.acme.example: no connection (ENETUNREACH). ',
    'Check Connection…',
  ],
  [{ kind: 'connectionLost', code: 'ECONNRESET' }, 'Connection lost', 'Connection lost. ', 'Check Connection…'],
  [{ kind: 'timedOut', after: 30_000 }, 'Timed out', 'Timed out. ', 'Open Setting'],
  [{ kind: 'cancelled' }, 'Cancelled', 'Cancelled.', 'Refresh'],
  ...(['notJson', 'wrongShape', 'tooLarge', 'truncated', 'empty'] as const).map(
    (reason): [Failure, string, string, string] => [
      { kind: 'unusable', reason, status: 200 },
      'Invalid response',
      'Invalid response (200). ',
      'Check Connection…',
    ],
  ),
  [{ kind: 'invalidId', reason: 'dotSegment' }, 'Invalid ID', 'Invalid ID. ', undefined],
];

function unreachable(cause: ConnectionCause): Failure {
  return { kind: 'unreachable', cause };
}

const operations = ['authorization', 'install', 'revocation'] as const;

describe('sentences about failures', () => {
  for (const [failure, name, begins, button] of outcomes) {
    it(`name it, with the status, before what it means: ${begins}${'reason' in failure ? failure.reason : ''}`, () => {
      assert.equal(failureWord(failure), name);
      assert.equal(failureAction(failure, { operation: 'authorization', organization })?.title, button);
      for (const operation of operations) {
        const sentence = failureSentence(failure, { operation, organization });
        assert.ok(sentence.startsWith(begins), sentence);
        assert.match(sentence, /\.$/);
        assert.doesNotMatch(sentence, /undefined|\{|\}/);
      }
    });
  }

  it('are all different', () => {
    const sentences = outcomes.map(([failure]) =>
      failureSentence(failure, { operation: 'authorization', organization }),
    );
    assert.equal(new Set(sentences).size, sentences.length);
  });

  it('say “probably” about what a status means', () => {
    for (const [failure] of outcomes.slice(0, 3)) {
      for (const operation of operations) {
        const sentence = failureSentence(failure, { operation, organization });
        if (failure.kind === 'tokenRejected' && operation === 'install') continue;
        assert.match(sentence, /probably/, sentence);
      }
    }
  });

  it('send a rejected look-up to the user session token', () => {
    const about: FailureAbout = { operation: 'install', organization };
    const failure: Failure = { kind: 'tokenRejected', status: 401 };
    const begins = 'Token rejected (401). Looking up an install takes a user session token';
    assert.ok(failureSentence(failure, about).startsWith(`${begins}, and “Acme production” has none. `));
    const withToken = { ...about, organization: { ...organization, hasSessionToken: true } };
    const expired = `${begins}. The one of “Acme production” has probably expired. `;
    assert.ok(failureSentence(failure, withToken).startsWith(expired));
    assert.equal(failureAction(failure, about)?.command, 'automationPlatform.setSessionToken');
  });

  it('say for the environment, to which nothing can be added, where a user session token can be kept', () => {
    const environment = { ...organization, name: 'environment', source: 'environment' } as const;
    const about: FailureAbout = { operation: 'install', organization: environment };
    for (const failure of [
      { kind: 'tokenRejected', status: 401 },
      { kind: 'notPermitted', status: 403 },
    ] as const) {
      assert.match(failureSentence(failure, about), /under another name, and set a user session token there\.$/);
      assert.equal(failureAction(failure, about)?.command, 'automationPlatform.setSessionToken');
    }
  });

  it('name the permission that a revocation needs', () => {
    const sentence = failureSentence({ kind: 'notPermitted', status: 403 }, { operation: 'revocation', organization });
    assert.match(sentence, /^Access denied \(403\)\. .*probably lacks the permission apiKey:delete/);
  });

  it('name the variable when the environment’s token was rejected, and prefill no reserved name', () => {
    const environment = { ...organization, name: 'environment', source: 'environment' } as const;
    const about: FailureAbout = { operation: 'authorization', organization: environment };
    const failure: Failure = { kind: 'tokenRejected', status: 401 };
    assert.match(failureSentence(failure, about), /AUTOMATION_PLATFORM_TOKEN/);
    assert.deepEqual(failureAction(failure, about)?.arguments, [{ baseUrl: organization.baseUrl }]);
  });

  it('name the setting that is to be corrected, of whichever way it is', () => {
    const about: FailureAbout = { operation: 'authorization', organization };
    const proxy = { step: 'proxy', host: '' } as const;
    const sentence = (failure: Failure) =>
      failureSentence(failure, about).replace(/^.*?: .*?\. |^Invalid token\. .*?\. /, '');
    assert.equal(
      sentence({ kind: 'unreachable', cause: { ...proxy, code: 'ERR_INVALID_URL', source: 'HTTP_PROXY' } }),
      'Correct HTTP_PROXY, for example http://proxy.example:3128.',
    );
    assert.equal(
      sentence({ kind: 'unreachable', cause: { ...proxy, code: 'ERR_SOCKS_UNSUPPORTED', source: 'http.proxy' } }),
      'Turn certificate verification on (http.proxyStrictSSL, NODE_TLS_REJECT_UNAUTHORIZED), or set an HTTP proxy in http.proxy.',
    );
    const refused = { ...proxy, code: 'ERR_PROXY_TUNNEL', status: 407 };
    assert.match(
      sentence({ kind: 'unreachable', cause: tls, viaEditor: refused }),
      /the proxy that VS Code uses responded with 407\. Set the proxy in http\.proxy and .* http\.proxyAuthorization\.$/,
    );
    // A token that can't be sent is no question of the way, whichever slot it is from.
    const unsendable: Failure = {
      kind: 'unreachable',
      cause: { step: 'network', code: 'ERR_INVALID_CHAR', host: 'h' },
    };
    assert.equal(sentence(unsendable), 'Sign in with a new token.');
    assert.equal(
      failureAction(unsendable, { operation: 'install', organization })?.command,
      'automationPlatform.setSessionToken',
    );
  });

  it('say of an answer that came in part or not at all to try again', () => {
    for (const [reason, advice] of [
      ['truncated', /Try again\. If/],
      ['empty', /Try again\. If/],
      ['notJson', /Check the base URL/],
    ] as const) {
      const about: FailureAbout = { operation: 'authorization', organization };
      assert.match(failureSentence({ kind: 'unusable', reason, status: 200 }, about), advice);
    }
  });

  it('name both causes when the editor’s way failed too', () => {
    const viaEditor = { step: 'proxy', code: 'ECONNREFUSED', host: 'proxy.local' } as const;
    const sentence = failureSentence(
      { kind: 'unreachable', cause: tls, viaEditor },
      { operation: 'authorization', organization },
    );
    assert.match(sentence, /certificate expired.*proxy proxy\.local failed \(ECONNREFUSED\)/);
  });
});
