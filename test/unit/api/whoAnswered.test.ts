import { strict as assert } from 'node:assert';
import { challengesIn, knownSchemes } from '../../../src/api/answerer/challenges.js';
import { asSentByPlatform, whoAnswered } from '../../../src/api/answerer/whoAnswered.js';
import type { Failure } from '../../../src/api/failure.js';
import { faults } from '../../support/platform/faults.js';
import {
  healthyPlatforms,
  onTheWay,
  page,
  type Situation,
} from '../../support/platform/onTheWay.js';
import { failureOf, Harness, used } from './harness.js';

function html(text: string): Buffer {
  return Buffer.from(`<!doctype html>${text}<title>Größe</title>`);
}

function utf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le');
}

function redirectTo(location: string): string {
  return `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;
}

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

  it('is suspected again although an answer arrives that was sent before a change of route', async () => {
    harness.platform.fault('all', { ...faults.hold(), times: 1 });
    const reading = harness.read(undefined, target());
    await harness.platform.waitForRequests(1, { state: 'held' });
    harness.history.forgetAll();
    harness.platform.release();
    await reading;
    assert.equal(harness.history.has(target().organizationId), false);
  });

  it('has no title where its titles never end', async () => {
    const body = `<html>${'<title '.repeat(9000)}`;
    assert.deepEqual(foreignOf(await fail({ status: 403, body, headers: {} })), {});
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
    it('in which no secret stands whose references lack their semicolons', async () => {
      const { token } = harness.target;
      const escaped = Array.from(token, (character) => `&#${character.charCodeAt(0)}`).join('');
      assert.equal(await titleOf(`for ${escaped}`), 'for [redacted]');
    });
    it('that calls nothing of this program', async () => {
      assert.equal(await titleOf('&toString; &valueOf; &amp;'), '&toString; &valueOf; &');
    });
    it('that is not looked for beyond 64 KB', async () => {
      const body = `<html>${' '.repeat(64 * 1024)}<title>far</title>`;
      assert.deepEqual(foreignOf(await fail({ status: 403, body, headers: {} })), {});
    });
  });
});

describe('a web page', () => {
  const harness = used(new Harness());
  const bom = [0xef, 0xbb, 0xbf];
  for (const [name, body, type] of [
    [
      'with a byte order mark, in spite of its type',
      Buffer.from([...bom, ...html('')]),
      'text/html; charset=iso-8859-1',
    ],
    ['that calls itself UTF-16 in its text', html('<meta charset="utf-16">'), 'text/html'],
    ['that calls itself UTF-16 in its type', html(''), 'text/html; charset=utf-16'],
    ['in UTF-16', utf16('<html><title>Größe</title>'), ''],
    ['of an unknown charset', html(''), 'text/html; charset=klingon'],
  ] as const) {
    it(`is read ${name}`, async () => {
      harness.platform.fault('all', { status: 403, body, headers: { 'content-type': type } });
      const failure = await failureOf(harness.read());
      assert.equal(foreignOf(failure).title, 'Größe');
    });
  }

  it('in UTF-16 repeats no secret in its excerpt', async () => {
    const body = utf16(`<html>${harness.target.token}`);
    harness.platform.fault('all', { status: 403, body, headers: {} });
    const failure = await failureOf(harness.read());
    assert.equal('excerpt' in failure && failure.excerpt, '<html>[redacted]');
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
    [
      'to another host',
      () => `https://new.example/api/v1${path}`,
      'moved',
      'https://new.example/api/v1',
    ],
    [
      'to another port',
      () => `http://127.0.0.1:1/api/v1${path}`,
      'moved',
      'http://127.0.0.1:1/api/v1',
    ],
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
    [
      'to another host with a slash',
      () => `https://new.example/api/v1${path}/`,
      'moved',
      'https://new.example/api/v1',
    ],
    [
      'that leads back through a sign-in',
      () => `https://sso.example/login/https://host.example/api/v1${path}`,
      'otherHost',
      '',
    ],
    [
      'below a prefix of more than 100 characters',
      () => `https://new.example/${'x'.repeat(100)}/api/v1${path}`,
      'moved',
      'new.example',
    ],
    ['to a sign-in of the same host', () => '/login?next=%2F', 'sameHost', '/login'],
    ['to a relative path', () => 'login', 'sameHost', '/api/v1/deployments/dep_billing/login'],
    [
      'to a sign-in of another host',
      () => 'https://sso.example:8443/start',
      'otherHost',
      'sso.example:8443/start',
    ],
    [
      'that asks for GET',
      () => `https://new.example/api/v1${path}`,
      'otherHost',
      `new.example/api/v1${path}`,
      303,
    ],
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

  it('to the same operation may encode its ID in another way', async () => {
    harness.platform.fault(
      'all',
      faults.redirect('https://new.example/api/v1/deployments/dep%3a1/authorization'),
    );
    const failure = await failureOf(harness.read(undefined, undefined, 'dep:1'));
    assert.equal(failure.kind === 'redirected' && failure.target, 'moved');
  });

  for (const [how, hide] of [
    ['a tab', (token: string) => `${token.slice(0, 5)}\t${token.slice(5)}`],
    ['a soft hyphen', (token: string) => `${token.slice(0, 5)}%C2%AD${token.slice(5)}`],
    ['upper case', (token: string) => token.toUpperCase()],
  ] as const) {
    it(`shows no secret that stands in its host, with ${how} in it`, async () => {
      const { token } = harness.target;
      harness.platform.fault('all', { raw: redirectTo(`https://${hide(token)}.example/x`) });
      const text = JSON.stringify(await failureOf(harness.read())).toLowerCase();
      assert.ok(!text.includes(token.toLowerCase().slice(0, 8)), text);
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
    ['Basic realm="a", charset = "UTF-8"', ['basic a']],
    ['Basic realm=Foo, Inc', ['basic Foo']],
    ['constructor, __proto__', ['constructor']],
    [`Basic realm="${'a'.repeat(9000)}"`, []],
  ] as const) {
    it(`of "${header}" are ${expected.join('; ') || 'none'}`, () => {
      const found = challengesIn(header).map(({ scheme, realm }) =>
        realm === undefined ? scheme : `${scheme} ${realm}`,
      );
      assert.deepEqual(found, expected);
    });
  }

  it('has no scheme that only every object has', () => {
    assert.deepEqual(knownSchemes(challengesIn('constructor')), []);
  });

  it('has the known schemes by their usual names, and no text of others', () => {
    assert.deepEqual(knownSchemes(challengesIn('ntlm, NEGOTIATE, <evil>, evil x=y, ntlm')), [
      'NTLM',
      'Negotiate',
    ]);
  });
});
