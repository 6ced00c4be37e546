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

/** How a read ends: 'used' for an answer, or else the kind or reason of its failure. */
type Ending = 'used' | 'truncated' | 'notJson' | 'empty' | 'tooLarge' | 'invalidHttp';

/** The third value is there when `fetch` hides what a direct connection sees. */
type Row = readonly [Fault, Ending, byFetch?: Ending];

/** Older versions of Node take the end of a connection for the end of a chunked body. */
const knowsCutChunks = process.version > 'v22.23';

const table: Readonly<Record<string, Row>> = {
  'it has its length': [raw(ok, lengthOf(good), '\r\n', good), 'used'],
  'it is longer than its length': [raw(ok, lengthOf(good), '\r\n', good, 'more'), 'used'],
  'it is shorter than its length': [raw(ok, lengthOf(good), '\r\n', cutShort), 'truncated'],
  'it is too short and the connection closes': [
    raw(ok, close, lengthOf(good), '\r\n', cutShort),
    'truncated',
  ],
  'its length is given twice': [
    raw(ok, lengthOf(good), lengthOf(good), '\r\n', good),
    'invalidHttp',
  ],
  'it has two lengths': [raw(ok, lengthOf(good), lengthOf('x'), '\r\n', good), 'invalidHttp'],
  'it has a length and chunks': [
    raw(ok, lengthOf(good), chunked, '\r\n', chunkOf(good), '0\r\n\r\n'),
    'invalidHttp',
  ],
  'it is in chunks': [raw(ok, chunked, '\r\n', chunkOf(good), '0\r\n\r\n'), 'used'],
  'it is in chunks with trailers': [
    raw(ok, chunked, '\r\n', chunkOf(good), '0\r\nx-sum: 1\r\n\r\n'),
    'used',
  ],
  'it is in chunks with huge trailers': [
    raw(ok, chunked, '\r\n', chunkOf(good), `0\r\nx-sum: ${'1'.repeat(70_000)}\r\n\r\n`),
    'invalidHttp',
  ],
  'the last chunk is missing': [raw(ok, chunked, '\r\n', chunkOf(good)), 'truncated'],
  'the last chunk is missing and the connection closes': [
    raw(ok, close, chunked, '\r\n', chunkOf(good)),
    'truncated',
    knowsCutChunks ? 'truncated' : 'used',
  ],
  'a chunk is cut and the connection closes': [
    raw(ok, close, chunked, '\r\n', chunkOf(good).subarray(0, -30)),
    'truncated',
  ],
  'a chunk has no size': [raw(ok, chunked, '\r\n', 'zz\r\n', good, '\r\n0\r\n\r\n'), 'invalidHttp'],
  'a later chunk has no size': [raw(ok, chunked, '\r\n', chunkOf(good), 'zz\r\n'), 'invalidHttp'],
  'it ends with the connection': [raw(ok, '\r\n', good), 'used'],
  'it ends with the connection, in a transfer coding': [
    raw(ok, 'transfer-encoding: identity\r\n\r\n', good),
    'used',
  ],
  'the end of the connection cuts it': [raw(ok, '\r\n', cutShort), 'truncated'],
  'the end of the connection cuts a transfer coding': [
    raw(ok, 'transfer-encoding: identity\r\n\r\n', cutShort),
    'truncated',
  ],
  'a reset follows it': [faults.raw(bytes(ok, lengthOf(good), '\r\n', good), 'reset'), 'used'],
  'a reset cuts it': [
    faults.raw(bytes(ok, lengthOf(good), '\r\n', cutShort), 'reset'),
    'truncated',
  ],
  'a reset takes the last chunk': [
    faults.raw(bytes(ok, chunked, '\r\n', chunkOf(good)), 'reset'),
    'truncated',
  ],
  'its length is 0': [raw(ok, 'content-length: 0\r\n\r\n'), 'empty'],
  'a 204 announces one': [raw('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n'), 'empty'],
  'it is larger than 4 MB': [raw(ok, lengthOf(spaces), '\r\n', spaces), 'tooLarge'],
  'it is no JSON': [raw(ok, lengthOf(cutShort), '\r\n', cutShort), 'notJson'],

  'it is in gzip': [encoded('gzip', gzip), 'used'],
  'it is in X-GZip': [encoded('X-GZip', gzip), 'used'],
  'it is in gzip without its trailer': [encoded('gzip', gzip.subarray(0, -8)), 'used'],
  'it is in gzip without the mark of its last block': [
    encoded('gzip', zlib.gzipSync(good, { finishFlush: zlib.constants.Z_SYNC_FLUSH })),
    'used',
  ],
  'it is in gzip that is cut': [encoded('gzip', gzip.subarray(0, -30)), 'truncated'],
  'it is in gzip that lacks almost all': [encoded('gzip', gzip.subarray(0, 5)), 'empty'],
  'it is gzip of no JSON': [encoded('gzip', zlib.gzipSync('It works.')), 'notJson'],
  'it is in gzip with a wrong checksum': [
    encoded('gzip', withByte(gzip, gzip.length - 8)),
    'invalidHttp',
  ],
  'it is in gzip with a wrong byte': [encoded('gzip', withByte(gzip, 30)), 'invalidHttp'],
  'it is in gzip with garbage behind it': [encoded('gzip', bytes(gzip, 'garbage')), 'invalidHttp'],
  'it is in gzip with zeros behind it': [encoded('gzip', bytes(gzip, Buffer.alloc(20))), 'used'],
  'it is in two members of gzip': [
    encoded('gzip', bytes(zlib.gzipSync(good.slice(0, 50)), zlib.gzipSync(good.slice(50)))),
    'used',
  ],
  'it is in gzip shorter than its length': [
    raw(ok, 'content-encoding: gzip\r\n', lengthOf(gzip), '\r\n', gzip.subarray(0, -8)),
    'truncated',
  ],
  'it is in gzip up to the end of the connection': [
    raw(ok, 'content-encoding: gzip\r\n\r\n', gzip),
    'used',
  ],
  'it is in gzip cut by the end of the connection': [
    raw(ok, 'content-encoding: gzip\r\n\r\n', gzip.subarray(0, -30)),
    'truncated',
  ],
  'gzip is announced for plain text': [encoded('gzip', good), 'used', 'invalidHttp'],
  'it is in gzip that is empty': [encoded('gzip', ''), 'empty'],
  'it is gzip of more than 4 MB': [encoded('gzip', zlib.gzipSync(spaces)), 'tooLarge'],
  'it is in deflate': [encoded('deflate', deflated), 'used'],
  'it is in deflate without its header': [encoded('deflate', zlib.deflateRawSync(good)), 'used'],
  'it is in deflate without its trailer': [encoded('deflate', deflated.subarray(0, -4)), 'used'],
  'deflate is announced for plain text': [encoded('deflate', good), 'used', 'invalidHttp'],
  'it is in Brotli': [encoded('br', brotli), 'used'],
  'it is in Brotli that is cut': [encoded('br', brotli.subarray(0, -3)), 'truncated'],
  'Brotli is announced for plain text': [encoded('br', good), 'used', 'invalidHttp'],
  'it is in two codings': [encoded('br, gzip', zlib.gzipSync(brotli)), 'used'],
  'the outer of its two codings is cut': [
    encoded('br, gzip', zlib.gzipSync(brotli).subarray(0, -30)),
    'truncated',
  ],
  'it is more than 4 MB in two codings': [
    encoded('br, gzip', zlib.gzipSync(zlib.brotliCompressSync(spaces))),
    'tooLarge',
  ],
  'it is in the coding identity': [encoded('identity', good), 'used'],
  'it is in an unknown coding': [encoded('x-secret', gzip), 'notJson'],
  'it is in gzip and an unknown coding': [encoded('gzip, x-secret', gzip), 'notJson'],
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
    it(`is ${own} on a direct connection when ${name}`, async () => {
      harness.platform.fault('all', fault);
      assert.equal(await ending(), own);
    });

    it(`is ${byFetch} with fetch when ${name}`, async () => {
      harness.settings = { ...plainSettings, proxies: named('socks5://127.0.0.1:1080') };
      harness.platform.fault('all', fault);
      const target = { ...harness.target, baseUrl: `https://${platformHost}/api/v1` };
      assert.equal(await ending(newCall(), target), byFetch);
    });
  }

  it('leaves its connection for the next request when it is in gzip', async () => {
    harness.platform.fault('all', { body: gzip, headers: { 'content-encoding': 'gzip' } });
    for (let nth = 0; nth < 3; nth += 1) await harness.read();
    const connections = new Set(harness.platform.requests.map(({ connection }) => connection));
    assert.equal(connections.size, 1);
  });
});
