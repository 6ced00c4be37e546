import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { excerptOf } from '../../../src/api/answer.js';
import { KnownSecrets, redacted } from '../../../src/api/secrets.js';
import { type Fault, faults } from '../../support/platform/faults.js';
import { encoders, mixedEscapes, shows, tokens } from '../../support/spellings.js';
import { failureOf, Harness, used } from './harness.js';

const token = 'tok+/4f9c=2e7d&1b';
const uuid = '3F2504e0-4f89-41d3-9a0c-0305e82c3301';

function knowing(...secrets: string[]): KnownSecrets {
  const known = new KnownSecrets();
  for (const secret of secrets) known.add(secret);
  return known;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('a known secret', () => {
  it('is found in the forms that its own characters do not show', () => {
    const known = knowing(token, uuid, 'quo"ted\'<&>/=');
    for (const text of [
      encodeURIComponent(token).toLowerCase(),
      encodeURIComponent(encodeURIComponent(token).toLowerCase()),
      ...['me:', 'a:', ':'].map((before) => base64(before + token)),
      token.replace('&', '&amp;'),
      token.replace('/', '\\/'),
      token.replace('+', '\\u002B').replace('=', '\\u003D').replace('&', '\\u0026'),
      token.replace('+', '\\u002b').replace('=', '\\u003d').replace('&', '\\u0026'),
      'quo&quot;ted&#x27;&lt;&amp;&gt;&#x2F;&#x3D;',
      uuid.toUpperCase(),
      uuid.toLowerCase(),
    ]) {
      // In base64, what stood beside the secret stays.
      const found = /^<p>before\|[\w+/]{0,4}\[redacted\][\w+/=]{0,8}\|after<\/p>$/;
      assert.match(known.redact(`<p>before|${text}|after</p>`), found, text);
    }
  });

  it('is found in each form, whatever its characters', () => {
    const forms: readonly ((text: string) => string)[] = [
      String,
      encodeURIComponent,
      encodeURI,
      (text) => encodeURIComponent(encodeURIComponent(text)),
      (text) => new URLSearchParams({ '': text }).toString().slice(1),
      (text) => JSON.stringify(text).slice(1, -1),
      (text) =>
        text.replace(
          /[&<>"']/g,
          (mark) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[mark] ?? '#39'};`,
        ),
    ];
    const secret = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 });
    fc.assert(
      fc.property(secret, (text) => {
        const known = knowing(text);
        for (const form of forms) assert.equal(known.redact(form(text)), redacted);
      }),
    );
  });

  it('is found in any mixture of escapes and Base64, whatever stands around it', () => {
    const before = fc.constantFrom('', 'Bearer ', 'a/', '<p>', '"', 'x');
    const after = fc.constantFrom('', ' ', '"', '/b', '=', 'y');
    fc.assert(
      fc.property(tokens, encoders, before, after, (secret, encode, start, end) => {
        const text = knowing(secret).redact(start + encode(secret) + end);
        assert.ok(text.includes(redacted) && !shows(text, secret), text);
      }),
      { numRuns: 500 },
    );
  });

  it('is not left half in any mixture of escapes that was cut', () => {
    fc.assert(
      fc.property(tokens, mixedEscapes, fc.nat(), (secret, encode, at) => {
        const written = encode(secret);
        const text = knowing(secret).redact(
          `Bearer ${written.slice(0, at % written.length)}`,
          true,
        );
        assert.ok(!shows(text, secret), text);
      }),
      { numRuns: 500 },
    );
  });

  it('is found behind a percent sign that is no escape', () => {
    const known = knowing('3368826f-e36e-4c6b-a6f3-641de5000000', 't0k_live_4f5a6b7c8d9e');
    for (const [text, expected] of [
      [
        'LIKE \\u0027%3368826f\\u002De36e\\u002D4c6b\\u002Da6f3\\u002D641de5000000',
        `LIKE \\u0027%${redacted}`,
      ],
      ['100%3368826f&#x2d;e36e-4c6b-a6f3-641de5000000', `100%${redacted}`],
      [`100%${base64('t0k_live_4f5a6b7c8d9e')}`, `100%${redacted}`],
    ] as const) {
      assert.equal(known.redact(text), expected);
    }
  });

  it('is found in what encoders of web frameworks write', () => {
    for (const [secret, text] of [
      ['12|abcDEF:456_789', '12&vert;abcDEF&colon;456&lowbar;789'],
      ['apt-1234.5678-90', 'apt\\x2D1234.5678\\x2d90'],
      ['apt-1234.5678-90', 'apt\\-1234.5678\\-90'],
    ] as const) {
      assert.equal(knowing(secret).redact(`<${text}>`), `<${redacted}>`);
    }
  });

  it('is found hundreds of thousands of times', () => {
    const repeated = token.repeat(150_000);
    assert.equal(knowing(token).redact(repeated).length, redacted.length * 150_000);
    assert.doesNotMatch(knowing(token).redact(base64(repeated)), /\w{30}/);
    assert.equal(knowing(token).redact(`% \\ ${repeated}`).length, 4 + redacted.length * 150_000);
  });

  it('is not left half beside an ellipsis in a text that is copied', () => {
    const known = knowing('key_0f8fad5b-d9cb-469f');
    assert.equal(
      known.redactCopy('failed: key_0f8fad5b… (b-d9cb-469f)'),
      `failed: ${redacted}… (b-d9cb-469f)`,
    );
    assert.equal(known.redactCopy('Ops…fad5b-d9cb-469f'), `Ops…${redacted}`);
    assert.equal(known.redactCopy('key… and more…'), 'key… and more…');
    assert.equal(
      known.redactCopy('key_0f8fakey_0f8fa…key_0f8fa'),
      `key_0f8fa${redacted}…key_0f8fa`,
    );
    assert.equal(known.redactCopy('…469f469f…b-d9cb-469f…'), `…469f469f…${redacted}…`);
  });

  it('is not left half where it is cut at any place with an ellipsis', () => {
    fc.assert(
      fc.property(tokens, fc.nat(), fc.constantFrom('', 'x', '…', ' '), (secret, at, around) => {
        const cut = at % (secret.length + 1);
        for (const part of [`${secret.slice(0, cut)}…`, `…${secret.slice(cut)}`]) {
          const text = knowing(secret).redactCopy(around + part + around);
          assert.ok(!shows(text, secret), text);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is found however long it is, and whatever is no text is no reason to fail', () => {
    const long = Array.from({ length: 4000 }, (_, at) => `${at}&%"_`).join('');
    for (const text of [
      long,
      encodeURIComponent(encodeURIComponent(long)),
      JSON.stringify(long).slice(1, -1),
    ]) {
      assert.equal(knowing(long).redact(`<${text}|${text}>`), `<${redacted}|${redacted}>`);
    }
    assert.ok(knowing(long).redact(base64(`a${long}`)).length < 20);
    assert.equal(knowing('half a \ud83d').redact('half a \ud83d'), redacted);
  });

  it('is replaced each time, also as a part of another', () => {
    const known = knowing(token, uuid);
    assert.equal(
      known.redact(`${token} ${token}${uuid} ${uuid}`),
      `${redacted} ${redacted}${redacted} ${redacted}`,
    );
    assert.equal(
      knowing('abcdef', 'abcdefgh').redact('abcdefghi abcdef'),
      `${redacted}i ${redacted}`,
    );
    assert.equal(knowing('').redact('text'), 'text');
  });

  it('is not left half at the end of a text that was cut', () => {
    assert.equal(knowing(token).redact(`Bearer ${token.slice(0, 9)}`, true), `Bearer ${redacted}`);
    assert.equal(knowing(token).redact('Bearer', true), 'Bearer');
    for (const end of ['\\', '%2', '&#4']) {
      const text = knowing('apt_SECRET_token_123').redact(`Basic dXNlcjphcHRfU0VDUkVU${end}`, true);
      assert.match(text, /^Basic dXNlcj.?\[redacted\]/, end);
    }
  });

  it('is redacted in the texts, keys, and numbers of JSON, however deep they are', () => {
    const known = knowing('tok-1234567890', '1234567890123456');
    for (const [json, expected] of [
      ['{"a":"\\u0074ok-1234567890"}', { a: redacted }],
      [
        '{"tok-\\u00312345678\\u00390":[{"b":"x tok-1234567890"}]}',
        { [redacted]: [{ b: `x ${redacted}` }] },
      ],
      ['[1234567890123456, 12345678901234567, 7]', [redacted, redacted, 7]],
      ['"tok-1234567890"', redacted],
      ['{"a":"tok-123456789"}', { a: 'tok-123456789' }],
    ] as const) {
      assert.deepEqual(known.parse(json), expected, json);
    }
    const nested = `${'['.repeat(100_000)}"tok-1234567890"${']'.repeat(100_000)}`;
    let inner = known.parse(nested);
    while (Array.isArray(inner)) inner = inner[0];
    assert.equal(inner, redacted);
  });

  it('does not make a key of JSON a prototype', () => {
    const value = knowing('tok-1234567890').parse('{"__proto__":{"x":1},"a":"tok-1234567890"}');
    assert.deepEqual(Object.entries(Object(value)), [
      ['__proto__', { x: 1 }],
      ['a', redacted],
    ]);
  });

  it('of a request that is a part of “root” leaves the rest of its answer', () => {
    const json = JSON.stringify({ key: 'root', label: 'Ops' });
    assert.deepEqual(knowing().parse(json, 'root'), { key: redacted, label: 'Ops' });
  });

  it('of a look-up is searched for in texts and in its own answer, because an account may have that ID', () => {
    const secrets = knowing(token);
    secrets.add(uuid, 'lookUps');
    const json = JSON.stringify({ accounts: [{ id: uuid, label: token }] });
    assert.deepEqual(secrets.parse(json), { accounts: [{ id: uuid, label: redacted }] });
    assert.deepEqual(secrets.parse(json, uuid), { accounts: [{ id: redacted, label: redacted }] });
    assert.equal(secrets.redactCopy(`${uuid} ${token}`), `${uuid} ${redacted}`);
    assert.equal(secrets.redact(`${uuid} ${token}`), `${redacted} ${redacted}`);
  });

  it('that the user typed, or that is too short to tell, is searched for in texts only', () => {
    const secrets = knowing(token, 'slack');
    secrets.add('production', 'texts');
    const text = `production slack ${token}`;
    assert.equal(secrets.redactValue(text), `production slack ${redacted}`);
    assert.equal(secrets.redact(text), `${redacted} ${redacted} ${redacted}`);
    for (const short of ['production', 'slack']) secrets.removeShort(short);
    assert.equal(secrets.redact(text), `${redacted} slack ${redacted}`);
  });
});

it('an excerpt is folded text of at most 300 characters, redacted before it is cut', () => {
  for (const [text, excerpt] of [
    ['<h1>\n\t Bad   gateway</h1>\r\n', '<h1> Bad gateway</h1>'],
    ['x'.repeat(10_000), 'x'.repeat(300)],
    // Half a character is none.
    [`${'x'.repeat(299)}😀`, 'x'.repeat(299)],
    [`${'x'.repeat(295)}${token}`, `${'x'.repeat(295)}${redacted.slice(0, 5)}`],
    [' \n ', undefined],
    // Whole, so its end is not the beginning of a secret.
    [`invalid ${token.slice(0, 4)}`, `invalid ${token.slice(0, 4)}`],
  ] as const) {
    assert.equal(excerptOf(text, knowing(token), false).excerpt, excerpt);
  }
});

const session = 'ses/+tok=94d1e0';
const installToken = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const keyId = 'key_4711/abc=def';

function answer(error: string, debug: string, label: string) {
  return {
    accounts: [{ id: 'a', label: `Bearer ${label}`, error: { message: error } }],
    requirements: [],
    debug,
  };
}

/** No secret is registered here: the client knows those of a request under way. */
describe('what leaves the client', () => {
  const harness = used(new Harness());
  const target = () => ({ ...harness.target, token: session });

  const echoes: Record<string, Fault> = {
    'a refusal': faults.echo('json', 403),
    'text with 200': faults.echo('text', 200),
    'a cut body': { ...faults.text(500, `Bearer ${session}`), cut: 20 },
    'a redirect to it': faults.redirect(`https://${installToken}.elsewhere.example/?t=${session}`),
  };
  for (const [name, fault] of Object.entries(echoes)) {
    it(`holds no secret: ${name}`, async () => {
      harness.platform.fault('all', fault);
      const failure = await failureOf(harness.lookUp(undefined, target(), installToken));
      const ended = [failure, await harness.revoke(undefined, target(), keyId), harness.entries];
      const text = JSON.stringify(ended).toLowerCase();
      for (const secret of [session, installToken, keyId]) {
        for (const spelled of [secret, encodeURIComponent(secret)])
          assert.ok(!text.includes(spelled.toLowerCase()));
      }
    });
  }

  it('holds no secret: an answer that is otherwise fine', async () => {
    const sent = answer(
      encodeURIComponent(session),
      Buffer.from(session).toString('base64'),
      session,
    );
    harness.platform.fault('all', faults.json(sent));
    const { value } = await harness.read(undefined, target());
    assert.deepEqual(value, answer('[redacted]', '[redacted]', '[redacted]'));
  });

  it('holds no secret: what a look-up repeats of itself, written with escapes', async () => {
    const { platform } = harness;
    const escaped = installToken.replaceAll('-', '\\u002d');
    platform.fault('all', { status: 200, body: `{"serviceId":"slack","label":"${escaped}"}` });
    const { value } = await harness.lookUp(undefined, target(), installToken);
    assert.deepEqual(value, { serviceId: 'slack', label: '[redacted]' });
  });

  it('is the ID of an account as it came, also after a look-up of the same UUID', async () => {
    const { platform } = harness;
    await failureOf(harness.lookUp(undefined, target(), installToken));
    const sent = { accounts: [{ id: installToken, label: 'Finance' }], requirements: [] };
    platform.fault('all', faults.json(sent));
    assert.deepEqual((await harness.read()).value, sent);
  });

  it('is a good answer as it came, while a key is revoked whose id is a word of it', async () => {
    const { platform } = harness;
    platform.fault({ operation: 'deleteApiKey' }, faults.hold());
    const revoking = harness.revoke(undefined, undefined, 'production');
    await platform.waitForRequests(1);
    const sent = { accounts: [{ id: 'a', label: 'production' }], requirements: [] };
    platform.fault({ operation: 'getDeploymentAuthorization' }, faults.json(sent));
    assert.deepEqual((await harness.read()).value, sent);
    platform.release();
    await revoking;
  });
});
