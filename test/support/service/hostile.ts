/**
 * The hostile answers that every reading of a deployment must survive, by group and name. They say what is sent, not what a
 * client has to make of it; that is the business of the client's tests.
 */
import { STATUS_CODES } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { account, authorization, connection, healthy, requirement } from './data.js';
import { type Fault, faults } from './faults.js';

export type HostileGroup =
  | 'unreadable'
  | 'wrongShape'
  | 'readable'
  | 'statuses'
  | 'redirects'
  | 'retryAfter'
  | 'broken'
  | 'tooMuch';

type Table = Record<string, Fault>;

const JSON_TYPE = { 'content-type': 'application/json' };
/** In a variable of its own, because a literal may not hold more than the type says. */
const UNKNOWN_IN_ERROR = { code: 'rate_limited', message: 'Later.', hint: 'in an hour' };
const GOOD = JSON.stringify(healthy());

export function hostileAnswers(): Record<HostileGroup, Table> {
  return {
    unreadable: unreadable(),
    wrongShape: wrongShape(),
    readable: readable(),
    statuses: statuses(),
    redirects: redirects(),
    retryAfter: retryAfter(),
    broken: broken(),
    tooMuch: tooMuch(),
  };
}

/** Nothing that could be an answer. */
function unreadable(): Table {
  return {
    'HTML error page with 200': faults.html(200, 'Bad gateway'),
    'login page with 200': {
      body: '<!DOCTYPE html><html><body><form action="/login"><input name="password" type="password"></form></body></html>',
      headers: { 'content-type': 'text/html' },
    },
    'login page that says it is JSON': { body: '<html><body>Please sign in</body></html>', headers: JSON_TYPE },
    'no body': faults.noBody(),
    'no content (204)': faults.noContent(),
    'reset content (205)': faults.noBody(205),
    'blanks only': { body: ' \r\n\t ', headers: JSON_TYPE },
    'JSON cut off, with the right length': { body: GOOD.slice(0, -20), headers: JSON_TYPE },
    'single quotes': { body: "{'accounts': [], 'requirements': []}", headers: JSON_TYPE },
    'NaN and a trailing comma': { body: '{"accounts": [NaN,], "requirements": []}', headers: JSON_TYPE },
    'two documents': { body: `${GOOD}\n${GOOD}`, headers: JSON_TYPE },
    JSONP: { body: `callback(${GOOD})`, headers: JSON_TYPE },
    'UTF-16': { body: Buffer.from(GOOD, 'utf16le'), headers: JSON_TYPE },
    'bytes of no sense': { body: Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 97) % 256)) },
    'gzip that is none': { body: GOOD, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
    'gzip cut off': { body: gzipSync(GOOD).subarray(0, -20), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
    'br cut off': {
      body: brotliCompressSync(GOOD).subarray(0, -20),
      headers: { ...JSON_TYPE, 'content-encoding': 'br' },
    },
    'an encoding nobody knows': { body: GOOD, headers: { ...JSON_TYPE, 'content-encoding': 'x-secret' } },
  };
}

/** JSON, and not (or not altogether) what docs/service.md shows. */
function wrongShape(): Table {
  return {
    null: faults.json(null),
    'a string': faults.json('ok'),
    'a number': faults.json(42),
    true: faults.json(true),
    'an array': faults.json([healthy()]),
    'an empty object': faults.json({}),
    'the answer one level deeper': faults.json({ data: healthy() }),
    'an error with 200': faults.json({ error: { code: 'boom', message: 'no' } }),
    'accounts absent': faults.json({ requirements: [requirement()] }),
    'requirements absent': faults.json({ accounts: [account()] }),
    'accounts null': faults.json({ accounts: null, requirements: [requirement()] }),
    'accounts an object': faults.json({ accounts: { 0: account() }, requirements: [requirement()] }),
    'requirements a string': faults.json({ accounts: [account()], requirements: 'none' }),
    'null rows among good ones': faults.json({
      accounts: [null, account(), null],
      requirements: [null, requirement()],
    }),
    'rows of other types': faults.json({
      accounts: [1, 'acc', [], true, account()],
      requirements: [[requirement()], requirement()],
    }),
    'empty rows': faults.json({ accounts: [{}], requirements: [{}] }),
    'every account field of a wrong type': faults.json({
      accounts: [
        {
          id: 1,
          label: {},
          serviceId: [],
          serviceSub: true,
          connectionMethodId: 2,
          scopes: 'chat',
          checkedAt: 3,
          error: 'no',
        },
        account(),
      ],
      requirements: [requirement()],
    }),
    'every requirement field of a wrong type': faults.json({
      accounts: [account()],
      requirements: [
        { serviceId: 1, accountId: {}, binding: [], satisfied: 'false', eligibleAccountIds: 'acc', connections: {} },
        requirement(),
      ],
    }),
    'satisfied 0, "no" and null': faults.json({
      accounts: [account()],
      requirements: [0, 'no', null].map((satisfied) => ({ ...requirement(), satisfied })),
    }),
    'connections with null rows and wrong types': faults.json({
      accounts: [account()],
      requirements: [
        {
          ...requirement(),
          connections: [null, 7, { connectionMethodId: 7, minimalScopes: {}, requiredScopes: [1, null] }, connection()],
        },
      ],
    }),
    'scopes with null and numbers': faults.json({
      ...healthy(),
      accounts: [{ ...account(), scopes: [null, 1, 'chat:write'] }],
    }),
    'errors of every kind': faults.json({
      accounts: ['', 0, [], {}, { code: 1 }, { message: null }].map((error, index) => ({
        ...account({ id: `a${index}` }),
        error,
      })),
      requirements: [],
    }),
    'impossible dates': faults.json(
      authorization(
        ['2026-02-30T25:61:00Z', 'yesterday', '', '0000-00-00', '+275761-01-01T00:00:00Z', '2026-11-20'].map(
          (checkedAt, index) => account({ id: `acc_${index}`, checkedAt }),
        ),
        [],
      ),
    ),
    'nested 100,000 deep in place of accounts': {
      body: `{"accounts":${'['.repeat(100_000)}${']'.repeat(100_000)},"requirements":[]}`,
      headers: JSON_TYPE,
    },
    'nested 100,000 deep in an unknown field': {
      body: `{"deep":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)},${GOOD.slice(1)}`,
      headers: JSON_TYPE,
    },
    'keys of the prototype': {
      body: `{"__proto__":{"accounts":[]},"constructor":{"prototype":{}},"toString":1,${GOOD.slice(1)}`,
      headers: JSON_TYPE,
    },
    'the same key twice': { body: `{"accounts":[],${GOOD.slice(1)}`, headers: JSON_TYPE },
    'invalid UTF-8 in a label': {
      body: Buffer.concat([
        Buffer.from('{"requirements":[],"accounts":[{"id":"acc_1","label":"'),
        Buffer.from([0xff, 0xc0, 0x80]),
        Buffer.from('"}]}'),
      ]),
      headers: JSON_TYPE,
    },
    'lone surrogates and NUL': {
      body: '{"requirements":[],"accounts":[{"id":"acc_1","label":"\\ud800 \\udc00 \\u0000"}]}',
      headers: JSON_TYPE,
    },
  };
}

/** Odd, and yet the answer: nothing may be lost. */
function readable(): Table {
  return {
    'unknown fields at every depth': faults.json({
      ...authorization(
        [account({ extra: [1, { two: null }], error: UNKNOWN_IN_ERROR })],
        [requirement({ weight: 1, connections: [connection({ region: 'eu' })] })],
      ),
      next: { cursor: null },
    }),
    'unknown enum values': faults.json(
      authorization([account({ serviceId: 'a-new-one', connectionMethodId: 'telepathy' })], [requirement()]),
    ),
    'empty lists': faults.json(authorization([], [])),
    'duplicate account ids': faults.json(authorization([account(), account({ label: 'again' })], [requirement()])),
    'duplicate requirements': faults.json(authorization([account()], [requirement(), requirement(), requirement()])),
    'a byte-order mark': { body: `\uFEFF${GOOD}`, headers: JSON_TYPE },
    'no content type': { body: GOOD },
    'text/html as content type': { body: GOOD, headers: { 'content-type': 'text/html' } },
    'a strange charset': { body: GOOD, headers: { 'content-type': 'application/json; charset=utf-7' } },
    'status 201': faults.json(healthy(), { status: 201 }),
    'status 299': faults.json(healthy(), { status: 299 }),
    gzip: faults.encoded('gzip'),
    br: faults.encoded('br'),
    deflate: faults.encoded('deflate'),
    chunked: { chunked: true },
    'dripping, byte by byte, fast': faults.drip(1, 0),
    'one informational answer': faults.informational(103),
    'many informational answers': faults.informational(102, 103, 103, 199),
    'closing after the answer, unannounced': faults.closing(),
    'without a length, up to the end of the connection': faults.raw(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${GOOD}`,
    ),
    'HTTP/1.0': faults.raw(`HTTP/1.0 200 OK\r\ncontent-length: ${Buffer.byteLength(GOOD)}\r\n\r\n${GOOD}`),
    'no reason phrase': faults.raw(`HTTP/1.1 200\r\ncontent-length: ${Buffer.byteLength(GOOD)}\r\n\r\n${GOOD}`),
  };
}

/** Every 4xx and 5xx that has a name and some that have none: with JSON, with text, with nothing. */
function statuses(): Table {
  const named = Object.keys(STATUS_CODES).map(Number);
  const table: Table = {};
  for (const status of [...named, 419, 420, 444, 499, 520, 524, 530, 599].filter((code) => code >= 400)) {
    table[`${status} with JSON`] = faults.status(status);
    table[`${status} with text`] = faults.text(status, 'It did not work.');
    table[`${status} with nothing`] = faults.noBody(status);
  }
  table['502 with HTML'] = faults.html(502);
  table['500 that echoes the request as HTML'] = faults.echo('html');
  table['500 that echoes the request as JSON'] = faults.echo('json');
  table['403 that echoes the request as text'] = faults.echo('text', 403);
  table['418 with a body of 1 MB'] = faults.text(418, 'teapot '.repeat(150_000));
  table['500 with a cut body'] = { status: 500, cut: 5 };
  table['status 999'] = faults.raw('HTTP/1.1 999 Request denied\r\ncontent-length: 0\r\n\r\n');
  return table;
}

function redirects(): Table {
  const table: Table = { '302 without a location': faults.noBody(302), '304': faults.noBody(304) };
  for (const status of [300, 301, 302, 303, 307, 308]) {
    table[`${status} elsewhere`] = faults.redirect('https://login.example/start?next=%2F', status);
  }
  table['302 to a path'] = faults.redirect('/login');
  table['302 to nonsense'] = faults.redirect('http://[');
  table['302 to a script'] = faults.redirect('javascript:alert(1)');
  table['302 with credentials'] = faults.redirect('https://user:secret@elsewhere.example/');
  return table;
}

function retryAfter(): Table {
  return {
    '429, 0 s': faults.retryAfter(0),
    '429, 1 s': faults.retryAfter(1),
    '429, a fraction': faults.retryAfter('0.5'),
    '429, negative': faults.retryAfter(-5),
    '429, a year': faults.retryAfter(365 * 24 * 3600),
    '429, too many digits': faults.retryAfter('9'.repeat(400)),
    '429, a date to come': faults.retryAfter(new Date(Date.now() + 2000)),
    '429, a date long gone': faults.retryAfter('Thu, 01 Jan 1970 00:00:00 GMT'),
    '429, nonsense': faults.retryAfter('soon'),
    '429, empty': faults.retryAfter(''),
    '429, twice': { status: 429, headers: { 'retry-after': ['1', '2'] } },
    '503, 1 s': faults.retryAfter(1, 503),
  };
}

/** The connection fails. */
function broken(): Table {
  return {
    'reset before the status line': faults.reset('before'),
    'reset after the headers': faults.reset('headers'),
    'reset in the body': faults.reset('body'),
    'cut at once': faults.cut(0),
    'cut in the body': faults.cut(20),
    'cut in a chunked body': { chunked: true, cut: 20 },
    'closed without a word': faults.raw(''),
    'half a status line': faults.raw('HTTP/1.'),
    'half the headers': faults.raw('HTTP/1.1 200 OK\r\ncontent-ty'),
    'not HTTP': faults.raw('220 smtp.example ESMTP\r\n'),
    'a TLS alert': faults.raw(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])),
    'a chunk size of no sense': faults.raw(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
    ),
    'two different lengths': faults.raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x'),
    'a negative length': faults.raw('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}'),
    'switching protocols': faults.raw(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
    ),
    // HTTP allows it; undici takes it for a broken answer.
    'a 100 that nobody asked for': faults.informational(100),
    'a NUL in a header': faults.raw('HTTP/1.1 200 OK\r\nx-a: a\0b\r\ncontent-length: 2\r\n\r\n{}'),
  };
}

/** Only a limit of the client's own ends these. */
function tooMuch(): Table {
  const MB = 1024 * 1024;
  return {
    'never answered': faults.silent(),
    'headers and then nothing': faults.raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', 'open'),
    'half a status line and then nothing': faults.raw('HTTP/1.1 2', 'open'),
    'informational and then nothing': { informational: [103], silent: true },
    'dripping for minutes': faults.drip(1, 200),
    endless: faults.endless(),
    'endless, gzip': { endless: true, encoding: 'gzip' },
    'endless and dripping': { endless: true, drip: { bytes: 1, everyMs: 20 } },
    '200 MB of JSON': faults.large(200 * MB),
    'a gzip bomb of 1 GB': faults.gzipBomb(1024 * MB),
    'a br bomb of 200 MB': { bomb: 200 * MB, encoding: 'br' },
    'huge headers': faults.hugeHeaders(MB),
    'an error of 200 MB': { ...faults.large(200 * MB), status: 500 },
  };
}
