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

/** Each character as a reference of HTML. */
function references(text: string, end: ';' | ''): string {
  return Array.from(text, (character) => `&#${character.charCodeAt(0)}${end}`).join('');
}

function foreignOf(failure: Failure) {
  return 'foreign' in failure ? (failure.foreign ?? {}) : {};
}

describe('a failed answer', () => {
  const harness = used(new Harness());
  /** Each test has an organization that has not been answered before. */
  let organization = 0;
  const useNewOrganization = (): void => {
    organization += 1;
  };
  const target = () => ({ ...harness.target, organizationId: `unknown_${organization}` });
  beforeEach(() => {
    useNewOrganization();
    harness.limits.requestTimeout = 2000;
  });
  const fail = (fault: Parameters<typeof harness.platform.fault>[1]) => {
    harness.platform.fault('all', fault);
    return failureOf(harness.read(undefined, target()));
  };

  const titleOf = async (title: string) => foreignOf(await fail(page(403, title))).title;

  for (const [name, situation] of Object.entries<Situation>(onTheWay)) {
    it(`is traced to its sender: ${name}`, async () => {
      const failure = await fail(situation.fault);
      const { title, realm } = foreignOf(failure);
      assert.equal(failure.kind, situation.kind);
      assert.equal(whoAnswered(failure), situation.who);
      assert.equal(realm ?? title, situation.named);
    });
  }

  for (const [name, { fault, kind }] of Object.entries(healthyPlatforms)) {
    it(`is believed from a known platform: ${name}`, async () => {
      await harness.read(undefined, target());
      assert.equal((await fail(fault)).kind, kind);
    });
  }

  it('is suspected again when the organization has signed in again', async () => {
    const own = target();
    await harness.read(undefined, own);
    harness.history.forget(own.organizationId);
    assert.equal((await fail(page(404, 'x'))).kind, 'notFromPlatform');
  });

  it('is suspected again when the route has changed', async () => {
    await harness.read(undefined, target());
    harness.history.forgetAll();
    assert.equal((await fail(page(404, 'x'))).kind, 'notFromPlatform');
  });

  it('is suspected when the platform has only answered another organization', async () => {
    await harness.read(undefined, target());
    useNewOrganization();
    assert.equal((await fail(page(404, 'x'))).kind, 'notFromPlatform');
  });

  it('is suspected when the last good answer was sent before a change of route', async () => {
    harness.platform.fault('all', { ...faults.hold(), times: 1 });
    const reading = harness.read(undefined, target());
    await harness.platform.waitForRequests(1, { state: 'held' });
    harness.history.forgetAll();
    harness.platform.release();
    await reading;
    const isTrusted = harness.history.has(target().organizationId);
    assert.equal(isTrusted, false);
  });

  it('has no title when its title elements never end', async () => {
    const body = `<html>${'<title '.repeat(9000)}`;
    assert.deepEqual(foreignOf(await fail({ status: 403, body, headers: {} })), {});
  });

  it('keeps the title of its page when it is attributed to the platform later', async () => {
    const failure = asSentByPlatform(await fail(page(404, 'Gone')));
    assert.equal(failure.kind, 'notFound');
    assert.equal(foreignOf(failure).title, 'Gone');
  });

  it('is never attributed to the platform when it is a page with 2xx', async () => {
    await harness.read(undefined, target());
    assert.equal(asSentByPlatform(await fail(page(200, 'App'))).kind, 'notFromPlatform');
  });

  it('has a title of at most 100 characters', async () => {
    assert.equal(await titleOf('a'.repeat(300)), 'a'.repeat(100));
  });

  for (const [form, escape] of [
    ['as it is', (token: string) => token],
    ['in character references', (token: string) => references(token, ';')],
    ['in character references without semicolons', (token: string) => references(token, '')],
  ] as const) {
    it(`has a title without the token ${form}`, async () => {
      assert.equal(await titleOf(`for ${escape(harness.target.token)}`), 'for [redacted]');
    });
  }

  it('has a title without every form of the token when several stand there', async () => {
    const { token } = harness.target;
    const title = await titleOf(`for ${token} and ${references(token, ';')}`);
    assert.equal(title, 'for [redacted] and [redacted]');
  });

  it('has a title that keeps entities whose names are methods of objects', async () => {
    assert.equal(await titleOf('&toString; &valueOf; &amp;'), '&toString; &valueOf; &');
  });

  it('has no title when that begins beyond 64 KB', async () => {
    const body = `<html>${' '.repeat(64 * 1024)}<title>far</title>`;
    assert.deepEqual(foreignOf(await fail({ status: 403, body, headers: {} })), {});
  });
});

describe('a web page', () => {
  const harness = used(new Harness());
  const bom = [0xef, 0xbb, 0xbf];
  for (const [name, body, type] of [
    [
      'it has a byte order mark, in spite of its type',
      Buffer.from([...bom, ...html('')]),
      'text/html; charset=iso-8859-1',
    ],
    ['it calls itself UTF-16 in its text', html('<meta charset="utf-16">'), 'text/html'],
    ['it calls itself UTF-16 in its type', html(''), 'text/html; charset=utf-16'],
    ['it is in UTF-16', utf16('<html><title>Größe</title>'), ''],
    ['its charset is unknown', html(''), 'text/html; charset=klingon'],
  ] as const) {
    it(`is read when ${name}`, async () => {
      harness.platform.fault('all', { status: 403, body, headers: { 'content-type': type } });
      const failure = await failureOf(harness.read());
      assert.equal(foreignOf(failure).title, 'Größe');
    });
  }

  it('has an excerpt without the token when it is in UTF-16', async () => {
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
    when: string,
    location: () => string,
    target: string,
    text: string,
    status?: number,
  ])[] = [
    [
      'it leads to the operation on another host',
      () => `https://new.example/api/v1${path}`,
      'moved',
      'https://new.example/api/v1',
    ],
    [
      'it leads to the operation at another port',
      () => `http://127.0.0.1:1/api/v1${path}`,
      'moved',
      'http://127.0.0.1:1/api/v1',
    ],
    [
      'it leads to the operation below another prefix',
      () => `https://new.example/x/api/v1${path}?a=b`,
      'moved',
      'https://new.example/x/api/v1',
      308,
    ],
    [
      'it leads to the operation with another scheme',
      () => `https://${own().host}/api/v1${path}`,
      'moved',
      '',
    ],
    ['it leads to itself', () => `${own().pathname}${path}`, 'sameAddress', ''],
    ['it adds a slash at the end', () => `${own().pathname}${path}/`, 'sameAddress', '', 308],
    ['it has a double slash', () => `${own().origin}/api/v1/${path}`, 'sameAddress', '', 301],
    [
      'it leads to another host and adds a slash',
      () => `https://new.example/api/v1${path}/`,
      'moved',
      'https://new.example/api/v1',
    ],
    [
      'it leads back through a sign-in',
      () => `https://sso.example/login/https://host.example/api/v1${path}`,
      'otherHost',
      '',
    ],
    [
      'its prefix has more than 100 characters',
      () => `https://new.example/${'x'.repeat(100)}/api/v1${path}`,
      'moved',
      'new.example',
    ],
    ['it leads to a sign-in of the same host', () => '/login?next=%2F', 'sameHost', '/login'],
    [
      'it leads to a relative path',
      () => 'login',
      'sameHost',
      '/api/v1/deployments/dep_billing/login',
    ],
    [
      'it leads to a sign-in of another host',
      () => 'https://sso.example:8443/start',
      'otherHost',
      'sso.example:8443/start',
    ],
    [
      'it asks for GET',
      () => `https://new.example/api/v1${path}`,
      'otherHost',
      `new.example/api/v1${path}`,
      303,
    ],
    ['it has credentials', () => 'https://me:secret-1234@sso.example/', 'otherHost', 'sso.example'],
  ];
  for (const [when, location, target, text, status = 302] of table) {
    it(`counts as ${target} when ${when} (${status})`, async () => {
      harness.platform.fault('all', faults.redirect(location(), status));
      const failure = await failureOf(harness.read());
      assert.equal(failure.kind, 'redirected');
      assert.equal(failure.kind === 'redirected' && failure.target, target);
    });

    if (text === '' && target !== 'sameAddress') continue;
    it(`names ${text === '' ? 'no address' : 'its target'} when ${when} (${status})`, async () => {
      harness.platform.fault('all', faults.redirect(location(), status));
      const { address = '', baseUrl = address } = foreignOf(await failureOf(harness.read()));
      assert.equal(baseUrl, text);
    });
  }

  it('counts as moved when it encodes the ID in another way', async () => {
    harness.platform.fault(
      'all',
      faults.redirect('https://new.example/api/v1/deployments/dep%3a1/authorization'),
    );
    const failure = await failureOf(harness.read(undefined, undefined, 'dep:1'));
    assert.equal(failure.kind, 'redirected');
    assert.equal(failure.kind === 'redirected' && failure.target, 'moved');
  });

  for (const [how, hide] of [
    ['a tab', (token: string) => `${token.slice(0, 5)}\t${token.slice(5)}`],
    ['a soft hyphen', (token: string) => `${token.slice(0, 5)}%C2%AD${token.slice(5)}`],
    ['upper case', (token: string) => token.toUpperCase()],
  ] as const) {
    it(`does not show the token in its host when that is written with ${how}`, async () => {
      const { token } = harness.target;
      harness.platform.fault('all', { raw: redirectTo(`https://${hide(token)}.example/x`) });
      const text = JSON.stringify(await failureOf(harness.read())).toLowerCase();
      const isTokenShown = text.includes(token.toLowerCase().slice(0, 8));
      assert.equal(isTokenShown, false, text);
    });
  }

  const addressShown = async (location: string) => {
    harness.platform.fault('all', faults.redirect(location));
    return foreignOf(await failureOf(harness.read())).address;
  };

  it('does not show the token in its address', async () => {
    const { token } = harness.target;
    const location = `https://sso.example/${token}/a?t=${token}#${token}`;
    assert.equal(await addressShown(location), 'sso.example/[redacted]/a');
  });

  it('shows at most 100 characters of its path', async () => {
    const { token } = harness.target;
    const location = `https://sso.example/${token}/${'a'.repeat(200)}`;
    const shownPath = `/[redacted]/${'a'.repeat(200)}`.slice(0, 100);
    assert.equal(await addressShown(location), `sso.example${shownPath}`);
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
    it(`finds ${expected.join('; ') || 'nothing'} in "${header.slice(0, 60)}"`, () => {
      const found = challengesIn(header).map(({ scheme, realm }) =>
        realm === undefined ? scheme : `${scheme} ${realm}`,
      );
      assert.deepEqual(found, expected);
    });
  }
});

describe('knownSchemes()', () => {
  it('leaves out a scheme named like a property of every object', () => {
    assert.deepEqual(knownSchemes(challengesIn('constructor')), []);
  });

  it('returns the usual name of each known scheme once', () => {
    const schemes = knownSchemes(challengesIn('ntlm, NEGOTIATE, ntlm'));
    assert.deepEqual(schemes, ['NTLM', 'Negotiate']);
  });

  it('leaves out unknown schemes', () => {
    const schemes = knownSchemes(challengesIn('ntlm, <evil>, evil x=y'));
    assert.deepEqual(schemes, ['NTLM']);
  });
});
