import { strict as assert } from 'node:assert';
import type { Failure } from '../../../src/api/failure.js';
import { challengesIn, knownSchemes } from '../../../src/api/network/challenges.js';
import { asSentByPlatform, whoAnswered } from '../../../src/api/network/whoAnswered.js';
import { faults } from '../../support/platform/faults.js';
import { healthyPlatforms, onTheWay, page, type Situation } from '../../support/platform/onTheWay.js';
import { failureOf, Harness, used } from './harness.js';

function foreignOf(failure: Failure) {
  return 'foreign' in failure ? (failure.foreign ?? {}) : {};
}

describe('what answers in place of the platform', () => {
  const harness = used(new Harness());
  /** Nothing of it was answered before. */
  let organization = 0;
  const target = () => ({ ...harness.target, organizationId: `unknown_${organization}` });
  beforeEach(() => {
    organization++;
    harness.limits.requestTimeout = 2000;
  });
  const fail = (fault: Parameters<typeof harness.platform.fault>[1]) => {
    harness.platform.fault('all', fault);
    return failureOf(harness.read(undefined, target()));
  };

  const titleOf = async (title: string) => foreignOf(await fail(page(403, title))).title;

  for (const [name, situation] of Object.entries<Situation>(onTheWay)) {
    it(`is told from it: ${name}`, async () => {
      const failure = await fail(situation.fault);
      assert.deepEqual([failure.kind, whoAnswered(failure)], [situation.kind, situation.who]);
      const { title, realm } = foreignOf(failure);
      assert.equal(realm ?? title, situation.named);
    });
  }

  for (const [name, { fault, kind }] of Object.entries(healthyPlatforms)) {
    it(`is not suspected of a healthy platform that has answered before: ${name}`, async () => {
      await harness.read(undefined, target());
      assert.equal((await fail(fault)).kind, kind);
    });
  }

  it('is suspected again after the organization has signed in again', async () => {
    const own = target();
    await harness.read(undefined, own);
    harness.history.forget(own.organizationId);
    assert.equal((await fail(page(404, 'x'))).kind, 'notFromPlatform');
  });

  it('is suspected again after a change of route', async () => {
    await harness.read(undefined, target());
    harness.history.forgetAll();
    assert.equal((await fail(page(404, 'x'))).kind, 'notFromPlatform');
  });

  it('is not suspected because of what another organization has not got', async () => {
    await harness.read(undefined, target());
    organization++;
    assert.equal((await fail(page(404, 'x'))).kind, 'notFromPlatform');
  });

  it('keeps the title of a page whose status turns out to be the platform’s', async () => {
    const failure = asSentByPlatform(await fail(page(404, 'Gone')));
    assert.deepEqual([failure.kind, foreignOf(failure).title], ['notFound', 'Gone']);
  });

  it('with 2xx stays that, whatever the platform has answered before', async () => {
    await harness.read(undefined, target());
    assert.equal(asSentByPlatform(await fail(page(200, 'App'))).kind, 'notFromPlatform');
  });

  describe('names itself with a title', () => {
    it('of at most 100 characters', async () => {
      assert.equal(await titleOf('a'.repeat(300)), 'a'.repeat(100));
    });
    it('in which no secret stands, however it is escaped', async () => {
      const { token } = harness.target;
      const escaped = Array.from(token, (character) => `&#${character.charCodeAt(0)};`).join('');
      assert.equal(await titleOf(`for ${token} and ${escaped}`), 'for [redacted] and [redacted]');
    });
    it('that is not looked for beyond 64 KB', async () => {
      const body = `<html>${' '.repeat(64 * 1024)}<title>far</title>`;
      assert.deepEqual(foreignOf(await fail({ status: 403, body, headers: {} })), {});
    });
  });
});

describe('a redirect', () => {
  const harness = used(new Harness());
  const path = '/deployments/dep_billing/authorization';
  const own = () => new URL(harness.target.baseUrl);
  const table: readonly (readonly [
    name: string,
    location: () => string,
    target: string,
    text: string,
    status?: number,
  ])[] = [
    ['to another host', () => `https://new.example/api/v1${path}`, 'moved', 'https://new.example/api/v1'],
    ['to another port', () => `http://127.0.0.1:1/api/v1${path}`, 'moved', 'http://127.0.0.1:1/api/v1'],
    [
      'below another prefix',
      () => `https://new.example/x/api/v1${path}?a=b`,
      'moved',
      'https://new.example/x/api/v1',
      308,
    ],
    ['to another scheme', () => `https://${own().host}/api/v1${path}`, 'moved', ''],
    ['to itself', () => `${own().pathname}${path}`, 'sameAddress', ''],
    ['with a slash at the end', () => `${own().pathname}${path}/`, 'sameAddress', '', 308],
    ['with a double slash', () => `${own().origin}/api/v1/${path}`, 'sameAddress', '', 301],
    ['to another host with a slash', () => `https://new.example/api/v1${path}/`, 'moved', 'https://new.example/api/v1'],
    ['to a sign-in of the same host', () => '/login?next=%2F', 'sameHost', '/login'],
    ['to a relative path', () => 'login', 'sameHost', '/api/v1/deployments/dep_billing/login'],
    ['to a sign-in of another host', () => 'https://sso.example:8443/start', 'otherHost', 'sso.example:8443/start'],
    ['that asks for GET', () => `https://new.example/api/v1${path}`, 'otherHost', `new.example/api/v1${path}`, 303],
    ['with credentials', () => 'https://me:secret-1234@sso.example/', 'otherHost', 'sso.example'],
  ];
  for (const [name, location, target, text, status = 302] of table) {
    it(`${name} (${status}) is one that has ${target === 'moved' ? 'moved' : `as its target ${target}`}`, async () => {
      harness.platform.fault('all', faults.redirect(location(), status));
      const failure = await failureOf(harness.read());
      assert.ok(failure.kind === 'redirected');
      assert.equal(failure.target, target);
      const { address = '', baseUrl = address } = failure.foreign ?? {};
      if (text !== '' || target === 'sameAddress') assert.equal(baseUrl, text);
    });
  }

  it('shows no secret of its target, and no more than 100 characters of its path', async () => {
    const { token } = harness.target;
    harness.platform.fault(
      'all',
      faults.redirect(`https://sso.example/${token}/${'a'.repeat(200)}?t=${token}#${token}`),
    );
    const failure = await failureOf(harness.read());
    const shown = `/[redacted]/${'a'.repeat(200)}`.slice(0, 100);
    assert.equal(foreignOf(failure).address, `sso.example${shown}`);
  });
});

describe('challengesIn()', () => {
  for (const [header, expected] of [
    ['', []],
    ['Basic', ['basic']],
    ['Basic realm="a"', ['basic a']],
    ['Basic realm="a, Bearer b"', ['basic a, Bearer b']],
    ['Basic charset="UTF-8", realm="a"', ['basic a']],
    ['Bearer realm="x", error="y", Basic realm="z"', ['bearer x', 'basic z']],
    ['Negotiate YII==, NTLM TlRM=', ['negotiate', 'ntlm']],
    ['Negotiate, Basic realm="a"', ['negotiate', 'basic a']],
    ['Basic realm="never closed', ['basic never closed']],
    [', ,', []],
    ['realm="no scheme"', []],
  ] as const) {
    it(`of "${header}" are ${expected.join('; ') || 'none'}`, () => {
      const found = challengesIn(header).map(({ scheme, realm }) =>
        realm === undefined ? scheme : `${scheme} ${realm}`,
      );
      assert.deepEqual(found, expected);
    });
  }

  it('has the known schemes by their usual names, and no text of others', () => {
    assert.deepEqual(knownSchemes(challengesIn('ntlm, NEGOTIATE, <evil>, evil x=y, ntlm')), ['NTLM', 'Negotiate']);
  });
});
