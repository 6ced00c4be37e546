import assert from 'node:assert/strict';
import type { ConnectionCause, Failure } from '../../../src/api/failure.js';
import type * as NextStep from '../../../src/check/output/nextStep.js';
import { importFromCheck } from './run.js';

type Surroundings = NextStep.Surroundings;

const noProxy: Surroundings = {
  proxy: undefined,
  unusedProxy: undefined,
  hasExtraCertificates: false,
};
const proxy = { host: 'proxy.example', port: 3128, source: 'HTTPS_PROXY' };
const throughProxy: Surroundings = { ...noProxy, proxy };
const besideProxy: Surroundings = { ...noProxy, unusedProxy: 'HTTPS_PROXY' };

function unreachable(cause: Partial<ConnectionCause>): Failure {
  return { kind: 'unreachable', cause: { step: 'dns', code: 'X', host: 'host.example', ...cause } };
}

const unknownIssuer = unreachable({ step: 'tls', code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' });
const moved = (baseUrl: string): Failure => ({
  kind: 'redirected',
  status: 308,
  target: 'moved',
  foreign: { baseUrl },
});

const steps: Record<string, readonly [Failure, Surroundings, string]> = {
  'DNS without a proxy': [
    unreachable({}),
    noProxy,
    'Check AUTOMATION_PLATFORM_BASE_URL, the network, and (for a proxy) HTTPS_PROXY, NO_PROXY, and NODE_USE_ENV_PROXY.',
  ],
  'DNS beside a proxy that Node does not use': [
    unreachable({}),
    besideProxy,
    'Check AUTOMATION_PLATFORM_BASE_URL and the network. HTTPS_PROXY is set, but Node uses it only with NODE_USE_ENV_PROXY=1.',
  ],
  'DNS through a proxy': [
    unreachable({}),
    throughProxy,
    'Check AUTOMATION_PLATFORM_BASE_URL, the network, and the proxy proxy.example:3128 (HTTPS_PROXY).',
  ],
  'a 407 without a proxy': [
    { kind: 'clientError', status: 407 },
    noProxy,
    'Put the address of the proxy, with the credentials, into HTTPS_PROXY, and set NODE_USE_ENV_PROXY=1.',
  ],
  'a 407 of a proxy': [
    { kind: 'clientError', status: 407 },
    throughProxy,
    'Put the credentials into the address in HTTPS_PROXY.',
  ],
  'another 4xx': [{ kind: 'clientError', status: 410 }, noProxy, 'Ask whoever runs the platform.'],
  'an unknown issuer': [
    unknownIssuer,
    noProxy,
    'If a private CA issued it, set NODE_EXTRA_CA_CERTS to a file with the root certificate of that CA.',
  ],
  'an unknown issuer with NODE_EXTRA_CA_CERTS': [
    unknownIssuer,
    { ...noProxy, hasExtraCertificates: true },
    'The file in NODE_EXTRA_CA_CERTS does not hold the root certificate of the CA that issued it. Add that.',
  ],
  'a platform that has moved': [
    moved('https://new.example/api/v1'),
    noProxy,
    'Set AUTOMATION_PLATFORM_BASE_URL to its new base URL.',
  ],
  'a platform that has moved to an address that the check refuses': [
    moved('http://new.example/api/v1'),
    noProxy,
    'That is no usable base URL. Ask an administrator for the right one.',
  ],
  'an empty response': [
    { kind: 'unusable', reason: 'empty', status: 200 },
    noProxy,
    'Try again. If it happens again, check the network.',
  ],
  'a 304': [
    { kind: 'unusable', reason: 'notModified', status: 304 },
    noProxy,
    'Check the network, and ask whoever runs a cache on the way not to change requests.',
  ],
  'a pause': [
    { kind: 'rateLimited', status: 429, until: Date.UTC(2026, 10, 28, 18, 56) },
    noProxy,
    'Requests resume at 2026-11-28 18:56 UTC. Allow more time with --timeout.',
  ],
};

describe('the next step of the check', () => {
  let nextStepAfter: typeof NextStep.nextStepAfter;
  before(async () => {
    ({ nextStepAfter } = await importFromCheck<typeof NextStep>('src/check/output/nextStep.ts'));
  });

  for (const [name, [failure, surroundings, step]] of Object.entries(steps)) {
    it(`fits ${name}`, () => {
      assert.equal(nextStepAfter(failure, surroundings), step);
    });
  }
});
