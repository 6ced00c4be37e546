import { strict as assert } from 'node:assert';
import type { Failure } from '../../../src/api/failure.js';
import { clockTime, type FailureAbout, failureSentence, failureStep, failureWord } from '../../../src/host/text.js';
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
      assert.equal(failureStep(failure, { operation: 'authorization', organization })?.title, step);
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
    assert.equal(failureStep(failure, about)?.command, 'automationPlatform.setSessionToken');
  });

  it('say for the environment, to which nothing can be added, where a user session token can be kept', () => {
    const environment = { ...organization, name: 'environment', source: 'environment' } as const;
    const about: FailureAbout = { operation: 'install', organization: environment };
    for (const failure of [
      { kind: 'tokenRejected', status: 401 },
      { kind: 'notPermitted', status: 403 },
    ] as const) {
      assert.match(failureSentence(failure, about), /under another name, and set a user session token there\.$/);
      assert.equal(failureStep(failure, about)?.command, 'automationPlatform.setSessionToken');
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
    assert.deepEqual(failureStep(failure, about)?.arguments, [{ baseUrl: organization.baseUrl }]);
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
