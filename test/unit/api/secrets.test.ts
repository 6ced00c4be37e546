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
  for (const [form, text] of [
    ['percent-encoded in lower case', encodeURIComponent(token).toLowerCase()],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(token).toLowerCase())],
    ['in Base64, first alignment', base64(`me:${token}`)],
    ['in Base64, second alignment', base64(`a:${token}`)],
    ['in Base64, third alignment', base64(`:${token}`)],
    ['escaped for HTML', token.replace('&', '&amp;')],
    ['with an escaped slash', token.replace('/', '\\/')],
    [
      'in escapes of JSON in upper case',
      token.replace('+', '\\u002B').replace('=', '\\u003D').replace('&', '\\u0026'),
    ],
    [
      'in escapes of JSON in lower case',
      token.replace('+', '\\u002b').replace('=', '\\u003d').replace('&', '\\u0026'),
    ],
    ['with each mark escaped for HTML', 'quo&quot;ted&#x27;&lt;&amp;&gt;&#x2F;&#x3D;'],
    ['as a UUID in upper case', uuid.toUpperCase()],
    ['as a UUID in lower case', uuid.toLowerCase()],
  ] as const) {
    it(`is found ${form}`, () => {
      const known = knowing(token, uuid, 'quo"ted\'<&>/=');
      // In base64, what stood beside the secret stays.
      const found = /^<p>before\|[\w+/]{0,4}\[redacted\][\w+/=]{0,8}\|after<\/p>$/;
      assert.match(known.redact(`<p>before|${text}|after</p>`), found);
    });
  }

  it('is found in each form of encoding, whatever its characters are', () => {
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
        for (const form of forms) assert.equal(known.redact(form(text)), redacted, form(text));
      }),
    );
  });

  it('is found in any mixture of escapes and Base64', () => {
    const before = fc.constantFrom('', 'Bearer ', 'a/', '<p>', '"', 'x');
    const after = fc.constantFrom('', ' ', '"', '/b', '=', 'y');
    fc.assert(
      fc.property(tokens, encoders, before, after, (secret, encode, start, end) => {
        const text = knowing(secret).redact(start + encode(secret) + end);
        assert.equal(text.includes(redacted), true, `nothing is redacted in ${text}`);
        assert.equal(shows(text, secret), false, `the secret is in ${text}`);
      }),
      { numRuns: 500 },
    );
  });

  it('is never left in part at the cut end of any mixture of escapes', () => {
    fc.assert(
      fc.property(tokens, mixedEscapes, fc.nat(), (secret, encode, at) => {
        const written = encode(secret);
        const text = knowing(secret).redact(
          `Bearer ${written.slice(0, at % written.length)}`,
          true,
        );
        assert.equal(shows(text, secret), false, `the secret is in ${text}`);
      }),
      { numRuns: 500 },
    );
  });

  it('is found behind a percent sign that begins no escape', () => {
    const known = knowing('3368826f-e36e-4c6b-a6f3-641de5000000', 't0k_live_4f5a6b7c8d9e');
    for (const [text, expected] of [
      [
        'LIKE \\u0027%3368826f\\u002De36e\\u002D4c6b\\u002Da6f3\\u002D641de5000000',
        `LIKE \\u0027%${redacted}`,
      ],
      ['100%3368826f&#x2d;e36e-4c6b-a6f3-641de5000000', `100%${redacted}`],
      [`100%${base64('t0k_live_4f5a6b7c8d9e')}`, `100%${redacted}`],
    ] as const) {
      assert.equal(known.redact(text), expected, text);
    }
  });

  it('is found in the escapes that web frameworks write', () => {
    for (const [secret, text] of [
      ['12|abcDEF:456_789', '12&vert;abcDEF&colon;456&lowbar;789'],
      ['apt-1234.5678-90', 'apt\\x2D1234.5678\\x2d90'],
      ['apt-1234.5678-90', 'apt\\-1234.5678\\-90'],
    ] as const) {
      assert.equal(knowing(secret).redact(`<${text}>`), `<${redacted}>`);
    }
  });

  it('is found each time when it stands in a text 150,000 times', () => {
    const times = 150_000;
    const repeated = token.repeat(times);
    assert.equal(knowing(token).redact(repeated).length, redacted.length * times);
    const withEscapes = knowing(token).redact(`% \\ ${repeated}`);
    assert.equal(withEscapes.length, 4 + redacted.length * times);
  });

  it('is found each time when it stands in Base64 150,000 times', () => {
    const text = knowing(token).redact(base64(token.repeat(150_000)));
    assert.doesNotMatch(text, /\w{30}/);
  });

  for (const [where, text, expected] of [
    [
      'cut in the middle',
      'failed: key_0f8fad5b… (b-d9cb-469f)',
      `failed: ${redacted}… (b-d9cb-469f)`,
    ],
    ['cut at its beginning', 'Ops…fad5b-d9cb-469f', `Ops…${redacted}`],
    ['cut beside other text', 'key_0f8fakey_0f8fa…key_0f8fa', `key_0f8fa${redacted}…key_0f8fa`],
    ['cut at both ends', '…469f469f…b-d9cb-469f…', `…469f469f…${redacted}…`],
  ] as const) {
    it(`is not left in part beside an ellipsis when it is ${where}`, () => {
      assert.equal(knowing('key_0f8fad5b-d9cb-469f').redactCopy(text), expected);
    });
  }

  it('is not suspected in a copied text of three characters of it before an ellipsis', () => {
    const text = 'key… and more…';
    assert.equal(knowing('key_0f8fad5b-d9cb-469f').redactCopy(text), text);
  });

  it('is never left in part beside an ellipsis, wherever it is cut', () => {
    fc.assert(
      fc.property(tokens, fc.nat(), fc.constantFrom('', 'x', '…', ' '), (secret, at, around) => {
        const cut = at % (secret.length + 1);
        for (const part of [`${secret.slice(0, cut)}…`, `…${secret.slice(cut)}`]) {
          const text = knowing(secret).redactCopy(around + part + around);
          assert.equal(shows(text, secret), false, `the secret is in ${text}`);
        }
      }),
      { numRuns: 500 },
    );
  });

  const long = Array.from({ length: 4000 }, (_, at) => `${at}&%"_`).join('');
  for (const [form, text] of [
    ['plain', long],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(long))],
    ['escaped for JSON', JSON.stringify(long).slice(1, -1)],
  ] as const) {
    it(`is found ${form} when it is very long`, () => {
      assert.equal(knowing(long).redact(`<${text}|${text}>`), `<${redacted}|${redacted}>`);
    });
  }

  it('is found in Base64 when it is very long', () => {
    const text = knowing(long).redact(base64(`a${long}`));
    assert.match(text, /^.{0,19}$/);
  });

  it('is found when it ends with half a character', () => {
    assert.equal(knowing('half a \ud83d').redact('half a \ud83d'), redacted);
  });

  it('is replaced each time', () => {
    const text = knowing(token, uuid).redact(`${token} ${token}${uuid} ${uuid}`);
    assert.equal(text, `${redacted} ${redacted}${redacted} ${redacted}`);
  });

  it('is replaced as a whole when a part of it is a secret of its own', () => {
    const text = knowing('abcdef', 'abcdefgh').redact('abcdefghi abcdef');
    assert.equal(text, `${redacted}i ${redacted}`);
  });

  it('is not searched for when it is empty', () => {
    assert.equal(knowing('').redact('text'), 'text');
  });

  it('is not left in part at the end of a text that was cut', () => {
    const text = knowing(token).redact(`Bearer ${token.slice(0, 9)}`, true);
    assert.equal(text, `Bearer ${redacted}`);
  });

  it('is not suspected in a cut text that ends otherwise', () => {
    assert.equal(knowing(token).redact('Bearer', true), 'Bearer');
  });

  for (const end of ['\\', '%2', '&#4']) {
    it(`is not left in part in Base64 that was cut before ${end}`, () => {
      const text = knowing('apt_SECRET_token_123').redact(`Basic dXNlcjphcHRfU0VDUkVU${end}`, true);
      assert.match(text, /^Basic dXNlcj.?\[redacted\]/);
    });
  }

  for (const [where, json, expected] of [
    ['a text', '{"a":"\\u0074ok-1234567890"}', { a: redacted }],
    [
      'a key and a list below it',
      '{"tok-\\u00312345678\\u00390":[{"b":"x tok-1234567890"}]}',
      { [redacted]: [{ b: `x ${redacted}` }] },
    ],
    ['a number', '[1234567890123456, 12345678901234567, 7]', [redacted, redacted, 7]],
    ['a text that is all of it', '"tok-1234567890"', redacted],
  ] as const) {
    it(`is redacted in JSON in ${where}`, () => {
      assert.deepEqual(knowing('tok-1234567890', '1234567890123456').parse(json), expected);
    });
  }

  it('is not redacted in JSON when only a part of it stands there', () => {
    const parsed = knowing('tok-1234567890').parse('{"a":"tok-123456789"}');
    assert.deepEqual(parsed, { a: 'tok-123456789' });
  });

  it('is redacted in JSON at a depth of 100,000', () => {
    const nested = `${'['.repeat(100_000)}"tok-1234567890"${']'.repeat(100_000)}`;
    let inner = knowing('tok-1234567890').parse(nested);
    while (Array.isArray(inner)) inner = inner[0];
    assert.equal(inner, redacted);
  });

  it('is redacted in JSON without making a key called __proto__ a prototype', () => {
    const value = knowing('tok-1234567890').parse('{"__proto__":{"x":1},"a":"tok-1234567890"}');
    assert.deepEqual(Object.entries(Object(value)), [
      ['__proto__', { x: 1 }],
      ['a', redacted],
    ]);
  });

  it('is replaced only where it stands when it is “root”, the secret of the request', () => {
    const json = JSON.stringify({ key: 'root', label: 'Ops' });
    assert.deepEqual(knowing().parse(json, 'root'), { key: redacted, label: 'Ops' });
  });
});

/** Such a token may be the ID of an account, too. */
describe('an install token of a look-up', () => {
  const secrets = knowing(token);
  secrets.add(uuid, 'lookUps');
  const json = JSON.stringify({ accounts: [{ id: uuid, label: token }] });

  it('is left in other answers', () => {
    assert.deepEqual(secrets.parse(json), { accounts: [{ id: uuid, label: redacted }] });
  });

  it('is redacted in the answer to its own request', () => {
    const accounts = [{ id: redacted, label: redacted }];
    assert.deepEqual(secrets.parse(json, uuid), { accounts });
  });

  it('is left in a copied text', () => {
    assert.equal(secrets.redactCopy(`${uuid} ${token}`), `${uuid} ${redacted}`);
  });

  it('is redacted in other texts', () => {
    assert.equal(secrets.redact(`${uuid} ${token}`), `${redacted} ${redacted}`);
  });
});

describe('a short or typed secret', () => {
  const short = 'slack';
  const typed = 'production';
  const text = `${typed} ${short} ${token}`;
  let secrets: KnownSecrets;
  beforeEach(() => {
    secrets = knowing(token, short);
    secrets.add(typed, 'texts');
  });

  it('is left in values of answers', () => {
    assert.equal(secrets.redactValue(text), `${typed} ${short} ${redacted}`);
  });

  it('is redacted in texts', () => {
    assert.equal(secrets.redact(text), `${redacted} ${redacted} ${redacted}`);
  });

  it('is left in texts after its removal when it has less than eight characters', () => {
    secrets.removeShort(short);
    assert.equal(secrets.redact(text), `${redacted} ${short} ${redacted}`);
  });

  it('is redacted in texts after its removal when it has ten characters', () => {
    secrets.removeShort(typed);
    assert.equal(secrets.redact(typed), redacted);
  });
});

describe('an excerpt', () => {
  for (const [what, text, excerpt] of [
    ['has its spaces folded', '<h1>\n\t Bad   gateway</h1>\r\n', '<h1> Bad gateway</h1>'],
    ['has at most 300 characters', 'x'.repeat(10_000), 'x'.repeat(300)],
    ['ends before a character that is cut', `${'x'.repeat(299)}😀`, 'x'.repeat(299)],
    [
      'is redacted before it is cut',
      `${'x'.repeat(295)}${token}`,
      `${'x'.repeat(295)}${redacted.slice(0, 5)}`,
    ],
    ['is absent when the text is blank', ' \n ', undefined],
    [
      'keeps the beginning of a secret at the end of a whole text',
      `invalid ${token.slice(0, 4)}`,
      `invalid ${token.slice(0, 4)}`,
    ],
  ] as const) {
    it(what, () => assert.equal(excerptOf(text, knowing(token), false).excerpt, excerpt));
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
describe('the client', () => {
  const harness = used(new Harness());
  const target = () => ({ ...harness.target, token: session });

  const echoes: Record<string, Fault> = {
    'a refusal': faults.echo('json', 403),
    'a text with 200': faults.echo('text', 200),
    'a cut body': { ...faults.text(500, `Bearer ${session}`), cut: 20 },
    'a redirect': faults.redirect(`https://${installToken}.elsewhere.example/?t=${session}`),
  };
  for (const [name, fault] of Object.entries(echoes)) {
    it(`passes on no secret that ${name} repeats`, async () => {
      harness.platform.fault('all', fault);
      const failure = await failureOf(harness.lookUp(undefined, target(), installToken));
      const outcome = await harness.revoke(undefined, target(), keyId);
      const text = JSON.stringify([failure, outcome, harness.entries]).toLowerCase();

      const forms = [session, installToken, keyId].flatMap((secret) => [
        secret,
        encodeURIComponent(secret),
      ]);
      const shown = forms.filter((form) => text.includes(form.toLowerCase()));
      assert.deepEqual(shown, []);
    });
  }

  it('passes on no secret that a good answer repeats', async () => {
    const sent = answer(
      encodeURIComponent(session),
      Buffer.from(session).toString('base64'),
      session,
    );
    harness.platform.fault('all', faults.json(sent));
    const { value } = await harness.read(undefined, target());
    assert.deepEqual(value, answer('[redacted]', '[redacted]', '[redacted]'));
  });

  it('passes on no install token that the answer to its look-up repeats with escapes', async () => {
    const { platform } = harness;
    const escaped = installToken.replaceAll('-', '\\u002d');
    platform.fault('all', { status: 200, body: `{"serviceId":"slack","label":"${escaped}"}` });
    const { value } = await harness.lookUp(undefined, target(), installToken);
    assert.deepEqual(value, { serviceId: 'slack', label: '[redacted]' });
  });

  it('passes on the ID of an account as it came, after a look-up of the same UUID', async () => {
    const { platform } = harness;
    await failureOf(harness.lookUp(undefined, target(), installToken));
    const sent = { accounts: [{ id: installToken, label: 'Finance' }], requirements: [] };
    platform.fault('all', faults.json(sent));
    assert.deepEqual((await harness.read()).value, sent);
  });

  it('passes on an answer as it came, while a key is revoked whose ID is a word in it', async () => {
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
