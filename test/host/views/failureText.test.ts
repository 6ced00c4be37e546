import { strict as assert } from 'node:assert';
import type { Failure } from '../../../src/api/failure.js';
import { type FailureAbout, failureAction, failureSentence, failureWord } from '../../../src/host/text/failure.js';
import { clockTime } from '../../../src/host/text/format.js';
import { minutes, organization } from './fixtures.js';

const until = Date.now() + minutes(3);
const tls = { step: 'tls', code: 'CERT_HAS_EXPIRED', host: 'api.acme.example', port: 443 } as const;

/** Every outcome that people must be able to tell apart, with its short word and its step. */
const outcomes: readonly [Failure, string, string | undefined][] = [
  [{ kind: 'tokenRejected', status: 401 }, 'token rejected (401)', 'Sign In…'],
  [{ kind: 'notPermitted', status: 403 }, 'not permitted (403)', 'Switch Organization…'],
  [{ kind: 'notFound', status: 404 }, 'not found (404)', 'Switch Organization…'],
  [{ kind: 'rateLimited', status: 429, until }, `rate limited (429) until ${clockTime(until)}`, 'Show Log'],
  [{ kind: 'clientError', status: 418 }, 'refused (418)', 'Show Log'],
  [{ kind: 'serverError', status: 503 }, 'server error (503)', 'Refresh'],
  [{ kind: 'redirected', status: 302, host: 'login.example' }, 'redirected (302) to login.example', 'Sign In…'],
  [{ kind: 'redirected', status: 301 }, 'redirected (301)', 'Sign In…'],
  [{ kind: 'unreachable', cause: tls }, 'unreachable: certificate expired', 'Check Connection…'],
  [
    { kind: 'unreachable', cause: { step: 'dns', code: 'ENOTFOUND', host: 'api.acme.example' } },
    'unreachable: name api.acme.example not found (ENOTFOUND)',
    'Check Connection…',
  ],
  [
    { kind: 'unreachable', cause: { step: 'refused', code: 'ECONNREFUSED', host: 'api.acme.example', port: 8443 } },
    'unreachable: connection refused by api.acme.example:8443',
    'Check Connection…',
  ],
  [
    { kind: 'unreachable', cause: { step: 'proxy', code: 'X', host: 'proxy.local', port: 3128, status: 407 } },
    'unreachable: proxy proxy.local:3128 answered 407',
    'Check Connection…',
  ],
  [
    {
      kind: 'unreachable',
      cause: { step: 'proxy', code: 'ERR_INVALID_URL', host: '', source: 'http.proxy' },
    },
    'unreachable: no usable proxy address in http.proxy',
    'Check Connection…',
  ],
  [
    { kind: 'unreachable', cause: { step: 'proxy', code: 'ERR_SOCKS_UNSUPPORTED', host: '', source: 'HTTPS_PROXY' } },
    'unreachable: SOCKS proxy in HTTPS_PROXY needs an editor that verifies certificates',
    'Check Connection…',
  ],
  [
    { kind: 'unreachable', cause: { step: 'proxy', code: 'ERR_PROXY_TUNNEL', host: '', status: 407 } },
    'unreachable: the proxy that the editor uses answered 407',
    'Check Connection…',
  ],
  [
    { kind: 'unreachable', cause: { step: 'network', code: 'ERR_INVALID_CHAR', host: 'api.acme.example' } },
    'token cannot be sent',
    'Sign In…',
  ],
  [
    { kind: 'unreachable', cause: { step: 'network', code: 'ENETUNREACH', host: 'api.acme.example' } },
    'unreachable: no way to api.acme.example (ENETUNREACH)',
    'Check Connection…',
  ],
  [{ kind: 'connectionLost', code: 'ECONNRESET' }, 'connection lost (ECONNRESET)', 'Check Connection…'],
  [{ kind: 'timedOut', after: 30_000 }, 'timed out after 30 sec', 'Open Setting'],
  [{ kind: 'cancelled' }, 'cancelled', 'Refresh'],
  [{ kind: 'unusable', reason: 'notJson', status: 200 }, 'answer unusable: not JSON', 'Check Connection…'],
  [
    { kind: 'unusable', reason: 'wrongShape', status: 200 },
    'answer unusable: not the expected fields',
    'Check Connection…',
  ],
  [{ kind: 'unusable', reason: 'tooLarge', status: 200 }, 'answer unusable: too large', 'Check Connection…'],
  [{ kind: 'unusable', reason: 'truncated', status: 200 }, 'answer unusable: cut off', 'Check Connection…'],
  [{ kind: 'unusable', reason: 'empty', status: 200 }, 'answer unusable: empty', 'Check Connection…'],
  [{ kind: 'invalidId', reason: 'dotSegment' }, 'id cannot be used', undefined],
];

const operations = ['authorization', 'install', 'revocation'] as const;

describe('sentences about failures', () => {
  for (const [failure, word, step] of outcomes) {
    it(word, () => {
      assert.equal(failureWord(failure), word);
      assert.equal(failureAction(failure, { operation: 'authorization', organization })?.title, step);
      for (const operation of operations) {
        const sentence = failureSentence(failure, { operation, organization });
        if ('status' in failure) assert.ok(sentence.startsWith(`${failure.status}: `), sentence);
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
    assert.match(failureSentence(failure, about), /^401: This operation takes a user session token/);
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
    assert.match(sentence, /^403: .*probably lacks the permission apiKey:delete/);
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
    const sentence = (failure: Failure) => failureSentence(failure, about).replace(/^.*?\. /, '');
    assert.equal(
      sentence({ kind: 'unreachable', cause: { ...proxy, code: 'ERR_INVALID_URL', source: 'HTTP_PROXY' } }),
      'Correct HTTP_PROXY: a proxy is named like http://proxy.example:3128.',
    );
    assert.equal(
      sentence({ kind: 'unreachable', cause: { ...proxy, code: 'ERR_SOCKS_UNSUPPORTED', source: 'http.proxy' } }),
      'Have certificates verified again (http.proxyStrictSSL, NODE_TLS_REJECT_UNAUTHORIZED), or name an HTTP proxy in http.proxy.',
    );
    const refused = { ...proxy, code: 'ERR_PROXY_TUNNEL', status: 407 };
    assert.match(
      sentence({ kind: 'unreachable', cause: tls, viaEditor: refused }),
      /the proxy that the editor uses answered 407\. Name that proxy in http\.proxy, .* http\.proxyAuthorization\.$/,
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

  it('name both causes when the editor’s way failed too', () => {
    const viaEditor = { step: 'proxy', code: 'ECONNREFUSED', host: 'proxy.local' } as const;
    const sentence = failureSentence(
      { kind: 'unreachable', cause: tls, viaEditor },
      { operation: 'authorization', organization },
    );
    assert.match(sentence, /certificate expired.*proxy proxy\.local \(ECONNREFUSED\)/);
  });
});
