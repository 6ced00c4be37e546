import { strict as assert } from 'node:assert';
import zlib from 'node:zlib';
import { ApiError } from '../../../../src/api/failure.js';
import { healthy } from '../../../support/platform/data.js';
import { type Fault, faults } from '../../../support/platform/faults.js';
import {
  editorWayTo,
  Harness,
  named,
  newCall,
  plainSettings,
  platformHost,
  used,
} from '../harness.js';

const good = JSON.stringify(healthy());
const cutShort = good.slice(0, -20);
const megabyte = 1024 * 1024;

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = 'transfer-encoding: chunked\r\n';
const close = 'connection: close\r\n';

function bytes(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function lengthOf(body: string | Uint8Array): string {
  return `content-length: ${body.length}\r\n`;
}

function chunkOf(body: string | Uint8Array): Buffer {
  return bytes(`${body.length.toString(16)}\r\n`, body, '\r\n');
}

function raw(...parts: readonly (string | Uint8Array)[]): Fault {
  return faults.raw(bytes(...parts));
}

function encoded(coding: string, body: string | Uint8Array): Fault {
  return raw(ok, `content-encoding: ${coding}\r\n`, lengthOf(body), '\r\n', body);
}

const gzip = zlib.gzipSync(good);
const brotli = zlib.brotliCompressSync(good);
const deflated = zlib.deflateSync(good);
const spaces = Buffer.alloc(5 * megabyte, ' ');

function withByte(body: Buffer, at: number): Buffer {
  const changed = Buffer.from(body);
  changed[at]! ^= 0xff;
  return changed;
}

/** How a read ends: with the answer, or with a failure's kind or reason. */
type Ending = 'used' | 'truncated' | 'notJson' | 'empty' | 'tooLarge' | 'invalidHttp';

/** Two endings where `fetch` keeps from us what our own connections see. */
type Row = readonly [Fault, Ending, byFetch?: Ending];

/** Older ones take the end of a connection for the end of a chunked body. */
const knowsCutChunks = process.version > 'v22.23';

const table: Readonly<Record<string, Row>> = {
  'of its length': [raw(ok, lengthOf(good), '\r\n', good), 'used'],
  'longer than its length': [raw(ok, lengthOf(good), '\r\n', good, 'more'), 'used'],
  'shorter than its length': [raw(ok, lengthOf(good), '\r\n', cutShort), 'truncated'],
  'shorter than its length, on a connection that closes': [
    raw(ok, close, lengthOf(good), '\r\n', cutShort),
    'truncated',
  ],
  'with its length twice': [raw(ok, lengthOf(good), lengthOf(good), '\r\n', good), 'invalidHttp'],
  'with two lengths': [raw(ok, lengthOf(good), lengthOf('x'), '\r\n', good), 'invalidHttp'],
  'with length and chunks': [
    raw(ok, lengthOf(good), chunked, '\r\n', chunkOf(good), '0\r\n\r\n'),
    'invalidHttp',
  ],
  'in chunks': [raw(ok, chunked, '\r\n', chunkOf(good), '0\r\n\r\n'), 'used'],
  'in chunks with trailers': [
    raw(ok, chunked, '\r\n', chunkOf(good), '0\r\nx-sum: 1\r\n\r\n'),
    'used',
  ],
  'in chunks with huge trailers': [
    raw(ok, chunked, '\r\n', chunkOf(good), `0\r\nx-sum: ${'1'.repeat(70_000)}\r\n\r\n`),
    'invalidHttp',
  ],
  'in chunks without the last one': [raw(ok, chunked, '\r\n', chunkOf(good)), 'truncated'],
  'in chunks without the last one, on a connection that closes': [
    raw(ok, close, chunked, '\r\n', chunkOf(good)),
    'truncated',
    knowsCutChunks ? 'truncated' : 'used',
  ],
  'cut in a chunk, on a connection that closes': [
    raw(ok, close, chunked, '\r\n', chunkOf(good).subarray(0, -30)),
    'truncated',
  ],
  'in chunks of no size': [
    raw(ok, chunked, '\r\n', 'zz\r\n', good, '\r\n0\r\n\r\n'),
    'invalidHttp',
  ],
  'in chunks of which a later one has no size': [
    raw(ok, chunked, '\r\n', chunkOf(good), 'zz\r\n'),
    'invalidHttp',
  ],
  'up to the end of the connection': [raw(ok, '\r\n', good), 'used'],
  'up to the end of the connection, in a transfer coding': [
    raw(ok, 'transfer-encoding: identity\r\n\r\n', good),
    'used',
  ],
  'cut by the end of the connection': [raw(ok, '\r\n', cutShort), 'truncated'],
  'cut by the end of the connection, in a transfer coding': [
    raw(ok, 'transfer-encoding: identity\r\n\r\n', cutShort),
    'truncated',
  ],
  'whole before a reset': [faults.raw(bytes(ok, lengthOf(good), '\r\n', good), 'reset'), 'used'],
  'cut by a reset': [faults.raw(bytes(ok, lengthOf(good), '\r\n', cutShort), 'reset'), 'truncated'],
  'in chunks of which a reset takes the last': [
    faults.raw(bytes(ok, chunked, '\r\n', chunkOf(good)), 'reset'),
    'truncated',
  ],
  'that is empty': [raw(ok, 'content-length: 0\r\n\r\n'), 'empty'],
  'that a 204 cannot have': [raw('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n'), 'empty'],
  'over 4 MB': [raw(ok, lengthOf(spaces), '\r\n', spaces), 'tooLarge'],
  'that is no JSON': [raw(ok, lengthOf(cutShort), '\r\n', cutShort), 'notJson'],

  'in gzip': [encoded('gzip', gzip), 'used'],
  'in gzip, written otherwise': [encoded('X-GZip', gzip), 'used'],
  'in gzip without its trailer': [encoded('gzip', gzip.subarray(0, -8)), 'used'],
  'in gzip without the mark of its last block': [
    encoded('gzip', zlib.gzipSync(good, { finishFlush: zlib.constants.Z_SYNC_FLUSH })),
    'used',
  ],
  'in gzip that is cut': [encoded('gzip', gzip.subarray(0, -30)), 'truncated'],
  'in gzip that lacks almost all': [encoded('gzip', gzip.subarray(0, 5)), 'empty'],
  'in gzip of no JSON': [encoded('gzip', zlib.gzipSync('It works.')), 'notJson'],
  'in gzip with a wrong checksum': [
    encoded('gzip', withByte(gzip, gzip.length - 8)),
    'invalidHttp',
  ],
  'in gzip with a wrong byte': [encoded('gzip', withByte(gzip, 30)), 'invalidHttp'],
  'in gzip with garbage behind it': [encoded('gzip', bytes(gzip, 'garbage')), 'invalidHttp'],
  'in gzip with zeros behind it': [encoded('gzip', bytes(gzip, Buffer.alloc(20))), 'used'],
  'in two members of gzip': [
    encoded('gzip', bytes(zlib.gzipSync(good.slice(0, 50)), zlib.gzipSync(good.slice(50)))),
    'used',
  ],
  'in gzip shorter than its length': [
    raw(ok, 'content-encoding: gzip\r\n', lengthOf(gzip), '\r\n', gzip.subarray(0, -8)),
    'truncated',
  ],
  'in gzip up to the end of the connection': [
    raw(ok, 'content-encoding: gzip\r\n\r\n', gzip),
    'used',
  ],
  'in gzip cut by the end of the connection': [
    raw(ok, 'content-encoding: gzip\r\n\r\n', gzip.subarray(0, -30)),
    'truncated',
  ],
  'in gzip that is none': [encoded('gzip', good), 'used', 'invalidHttp'],
  'in gzip that is empty': [encoded('gzip', ''), 'empty'],
  'in gzip of over 4 MB': [encoded('gzip', zlib.gzipSync(spaces)), 'tooLarge'],
  'in deflate': [encoded('deflate', deflated), 'used'],
  'in deflate without its header': [encoded('deflate', zlib.deflateRawSync(good)), 'used'],
  'in deflate without its trailer': [encoded('deflate', deflated.subarray(0, -4)), 'used'],
  'in deflate that is none': [encoded('deflate', good), 'used', 'invalidHttp'],
  'in Brotli': [encoded('br', brotli), 'used'],
  'in Brotli that is cut': [encoded('br', brotli.subarray(0, -3)), 'truncated'],
  'in Brotli that is none': [encoded('br', good), 'used', 'invalidHttp'],
  'in two codings': [encoded('br, gzip', zlib.gzipSync(brotli)), 'used'],
  'in two codings, of which the outer is cut': [
    encoded('br, gzip', zlib.gzipSync(brotli).subarray(0, -30)),
    'truncated',
  ],
  'in two codings of over 4 MB': [
    encoded('br, gzip', zlib.gzipSync(zlib.brotliCompressSync(spaces))),
    'tooLarge',
  ],
  'in no coding, which is named': [encoded('identity', good), 'used'],
  'in a coding nobody knows': [encoded('x-secret', gzip), 'notJson'],
  'in gzip and a coding nobody knows': [encoded('gzip, x-secret', gzip), 'notJson'],
};

describe('a body', () => {
  const harness: Harness = used(
    new Harness({ editorFetch: (...request) => editorWayTo(() => harness.platform)(...request) }),
  );

  async function ending(call = newCall(), target = harness.target): Promise<string> {
    try {
      const { value } = await harness.read(call, target);
      assert.deepEqual(value, healthy());
      return 'used';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.failure.kind === 'unusable' ? error.failure.reason : error.failure.kind;
    }
  }

  for (const [name, [fault, own, byFetch = own]] of Object.entries(table)) {
    it(`${name} ends as ${own} on a connection of ours`, async () => {
      harness.platform.fault('all', fault);
      assert.equal(await ending(), own);
    });

    it(`${name} ends as ${byFetch} with fetch`, async () => {
      harness.settings = { ...plainSettings, proxies: named('socks5://127.0.0.1:1080') };
      harness.platform.fault('all', fault);
      const target = { ...harness.target, baseUrl: `https://${platformHost}/api/v1` };
      assert.equal(await ending(newCall(), target), byFetch);
    });
  }

  it('in gzip leaves its connection for the next request', async () => {
    harness.platform.fault('all', { body: gzip, headers: { 'content-encoding': 'gzip' } });
    for (let nth = 0; nth < 3; nth++) await harness.read();
    assert.equal(new Set(harness.platform.requests.map(({ connection }) => connection)).size, 1);
  });
});
