/** The hostile answers that every reading of a deployment must survive, by group and name, and how the read has to end. */
import { gzipSync } from 'node:zlib';
import type { Failure } from '../../../src/api/failure.js';
import { account, authorization, connection, healthy, requirement } from './data.js';
import { type Fault, faults } from './faults.js';

type Unusable = `unusable ${Extract<Failure, { kind: 'unusable' }>['reason']}`;

/** How a read ends: a failure's kind (and reason), or what is left of the answer and the places that were left out. */
export type Ending =
  | Failure['kind']
  | Unusable
  | { readonly accounts: number; readonly requirements: number; readonly decodeIssues: number };

type Row = readonly [Fault, Ending];
type Table = Readonly<Record<string, Row>>;

const jsonType = { 'content-type': 'application/json' };
const chunked = { 'transfer-encoding': 'chunked' };
const ok = 'HTTP/1.1 200 OK\r\n';
const good = JSON.stringify(healthy());
const megabyte = 1024 * 1024;

const fine = (fault: Fault): Row => [fault, { accounts: 1, requirements: 1, decodeIssues: 0 }];
const empty = (fault: Fault): Row => [fault, 'unusable empty'];
const truncated = (fault: Fault): Row => [fault, 'unusable truncated'];
const tooLarge = (fault: Fault): Row => [fault, 'unusable tooLarge'];
const lost = (fault: Fault): Row => [fault, 'connectionLost'];
const invalid = (fault: Fault): Row => [fault, 'invalidHttp'];
const late = (fault: Fault): Row => [fault, 'timedOut'];
const notJson = (body: string | Uint8Array): Row => [asJson(body), 'unusable notJson'];
const wrongShape = (value: unknown): Row => [faults.json(value), 'unusable wrongShape'];
const asJson = (body: string | Uint8Array): Fault => ({ body, headers: jsonType });

function left(accounts: number, requirements: number, decodeIssues: number, answer: unknown): Row {
  const fault =
    answer instanceof Uint8Array || typeof answer === 'string'
      ? asJson(answer)
      : faults.json(answer);
  return [fault, { accounts, requirements, decodeIssues }];
}

function encoded(body: string | Uint8Array, encoding: string): Fault {
  return { body, headers: { ...jsonType, 'content-encoding': encoding } };
}

const deepLists = '['.repeat(100_000) + ']'.repeat(100_000);
const deepObjects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
const labelled = (label: string) =>
  `{"requirements":[],"accounts":[{"id":"acc_1","label":"${label}"}]}`;
const wrongAccount = {
  id: 1,
  label: {},
  serviceId: [],
  serviceSub: true,
  connectionMethodId: 2,
  scopes: 'chat',
  checkedAt: 3,
  error: 'no',
};
const wrongRequirement = {
  serviceId: 1,
  accountId: {},
  binding: [],
  satisfied: 'false',
  eligibleAccountIds: 'acc',
  connections: {},
};
/** In a variable of its own, because a literal may not hold more than the type says. */
const errorWithHint = { code: 'rate_limited', message: 'Later.', hint: 'in an hour' };
const wrongConnections = [
  null,
  7,
  { connectionMethodId: 7, minimalScopes: {}, requiredScopes: [1, null] },
];
const wrongErrors = ['', 0, [], {}, { code: 1 }, { message: null }];

export const hostileAnswers = {
  unreadable: {
    'HTML error page with 200': [faults.html(200, 'Bad gateway'), 'notFromPlatform'],
    'no body': empty(faults.noBody()),
    'no content (204)': empty(faults.noBody(204)),
    'reset content (205)': empty(faults.noBody(205)),
    'blanks only': empty(asJson(' \r\n\t ')),
    'JSON cut off, with the right length': notJson(good.slice(0, -20)),
    'UTF-16': notJson(Buffer.from(good, 'utf16le')),
    // The header lies, the answer is there.
    'gzip that is none': fine(encoded(good, 'gzip')),
    'an encoding nobody knows': fine(encoded(good, 'x-secret')),
    'gzip cut off': truncated(encoded(gzipSync(good).subarray(0, -20), 'gzip')),
  },

  wrongShape: {
    null: wrongShape(null),
    'an array': wrongShape([healthy()]),
    'an empty object': wrongShape({}),
    'an error with 200': wrongShape({ error: { code: 'boom', message: 'no' } }),
    'accounts absent': left(0, 1, 1, { requirements: [requirement()] }),
    'requirements absent': left(1, 0, 1, { accounts: [account()] }),
    'accounts null': left(0, 1, 1, { ...healthy(), accounts: null }),
    'requirements a string': left(1, 0, 1, { ...healthy(), requirements: 'none' }),
    'rows of other types': left(1, 1, 6, {
      accounts: [1, 'acc', [], true, null, account()],
      requirements: [[requirement()], requirement()],
    }),
    'empty rows': left(1, 1, 0, { accounts: [{}], requirements: [{}] }),
    'every account field of a wrong type': left(2, 1, 8, {
      ...healthy(),
      accounts: [wrongAccount, account()],
    }),
    'every requirement field of a wrong type': left(1, 2, 6, {
      ...healthy(),
      requirements: [wrongRequirement, requirement()],
    }),
    'connections with null rows and wrong types': left(1, 1, 6, {
      ...healthy(),
      requirements: [{ ...requirement(), connections: [...wrongConnections, connection()] }],
    }),
    'errors of every kind': left(6, 0, 5, {
      accounts: wrongErrors.map((error, index) => ({ ...account({ id: `acc_${index}` }), error })),
      requirements: [],
    }),
    'nested 100,000 deep in place of accounts': left(
      0,
      0,
      1,
      `{"accounts":${deepLists},"requirements":[]}`,
    ),
    'nested 100,000 deep in an unknown field': fine(
      asJson(`{"deep":${deepObjects},${good.slice(1)}`),
    ),
    'keys of the prototype': fine(
      asJson(
        `{"__proto__":{"accounts":[]},"constructor":{"prototype":{}},"toString":1,${good.slice(1)}`,
      ),
    ),
    'the same key twice': fine(asJson(`{"accounts":[],${good.slice(1)}`)),
    'invalid UTF-8 in a label': left(1, 0, 0, Buffer.from(labelled('\xff\xc0\x80'), 'latin1')),
    'lone surrogates and NUL': left(1, 0, 0, labelled('\\ud800 \\udc00 \\u0000')),
  },

  readable: {
    'unknown fields at every depth': left(1, 1, 0, {
      accounts: [account({ extra: [1, { two: null }], error: errorWithHint })],
      requirements: [requirement({ weight: 1, connections: [connection({ region: 'eu' })] })],
      next: { cursor: null },
    }),
    'empty lists': left(0, 0, 0, authorization([], [])),
    'duplicate account ids': left(2, 1, 0, {
      ...healthy(),
      accounts: [account(), account({ label: 'again' })],
    }),
    'a byte-order mark': fine(asJson(`\uFEFF${good}`)),
    'no content type': fine({ body: good }),
    'text/html as content type': fine({ body: good, headers: { 'content-type': 'text/html' } }),
    'a strange charset': fine({
      body: good,
      headers: { 'content-type': 'application/json; charset=utf-7' },
    }),
    'status 201': fine(faults.json(healthy(), { status: 201 })),
    gzip: fine(encoded(gzipSync(good), 'gzip')),
    chunked: fine({ headers: chunked }),
    'dripping, byte by byte, fast': fine(faults.drip(1, 0)),
    'many informational answers': fine({ informational: [102, 103, 103, 199] }),
    'closing after the answer, unannounced': fine({ ending: 'end' }),
    'without a length, up to the end of the connection': fine(
      faults.raw(`${ok}content-type: application/json\r\n\r\n${good}`),
    ),
    'HTTP/1.0': fine(
      faults.raw(`HTTP/1.0 200 OK\r\ncontent-length: ${good.length}\r\n\r\n${good}`),
    ),
    'no reason phrase': fine(
      faults.raw(`HTTP/1.1 200\r\ncontent-length: ${good.length}\r\n\r\n${good}`),
    ),
  },

  broken: {
    'reset before the status line': lost(faults.reset('before')),
    'reset after the headers': truncated(faults.reset('headers')),
    'reset in the body': truncated(faults.reset('body')),
    'cut at once': truncated({ cut: 0 }),
    'cut in the body': truncated({ cut: 20 }),
    'cut in a chunked body': truncated({ headers: chunked, cut: 20 }),
    'closed without a word': lost(faults.raw('')),
    'half the headers': lost(faults.raw(`${ok}content-ty`)),
    'not HTTP': invalid(faults.raw('220 smtp.example ESMTP\r\n')),
    'a TLS alert': invalid(faults.raw(Buffer.from([0x15, 3, 1, 0, 2, 2, 70]))),
    'a chunk size of no sense': invalid(
      faults.raw(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
    ),
    'two different lengths': invalid(
      faults.raw(`${ok}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`),
    ),
    'switching protocols': lost(
      faults.raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
    ),
    // HTTP allows it, undici does not: https://github.com/nodejs/undici/blob/v7.30.2/lib/dispatcher/client-h1.js#L602
    'an unsolicited 100 Continue': lost({ informational: [100] }),
    'a NUL in a header': invalid(faults.raw(`${ok}x-a: a\0b\r\ncontent-length: 2\r\n\r\n{}`)),
  },

  tooMuch: {
    'never answered': late(faults.silent()),
    'headers and then nothing': late(faults.raw(`${ok}content-length: 10\r\n\r\n`, 'open')),
    'half a status line and then nothing': late(faults.raw('HTTP/1.1 2', 'open')),
    'informational and then nothing': late({ ...faults.silent(), informational: [103] }),
    'dripping for minutes': late(faults.drip(1, 200)),
    endless: tooLarge(faults.endless()),
    'a gzip bomb': tooLarge(encoded(gzipSync(Buffer.alloc(32 * megabyte, ' ')), 'gzip')),
    'huge headers': invalid({ headers: { 'x-filler': 'x'.repeat(megabyte) } }),
    'an endless error': [faults.endless(500), 'serverError'],
  },
} satisfies Readonly<Record<string, Table>>;
