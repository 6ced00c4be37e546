import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { untilEvent } from '../../../src/api/deadline.js';
import { codeOf, neverConnected } from '../../../src/api/network/errorCodes.js';

/** As Node reports it of a call of the system. */
function failed(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

/** As Node reports it if no address of a name answers: with the code of the first. */
function none(...errors: Error[]): Error {
  return Object.assign(new AggregateError(errors), { code: codeOf(errors[0]) });
}

const silent = failed('connect', 'ETIMEDOUT');
const refused = failed('connect', 'ECONNREFUSED');

it('waiting for a socket that is gone fails at once', async () => {
  const socket = new Socket().destroy();
  await once(socket, 'close');
  await assert.rejects(untilEvent(socket, 'connect', new AbortController().signal), { code: 'ECONNRESET' });
});

it('the code of the error of several addresses is that of the first that is no time-out', () => {
  assert.equal(codeOf(none(silent, refused)), 'ECONNREFUSED');
  assert.equal(codeOf(none(failed('connect', 'EHOSTUNREACH'), refused)), 'EHOSTUNREACH');
  assert.equal(codeOf(none(silent, silent)), 'ETIMEDOUT');
});

it('only the call that failed proves that nothing was sent', () => {
  assert.equal(neverConnected(failed('getaddrinfo', 'EMFILE')), true);
  assert.equal(neverConnected(failed('read', 'ECONNREFUSED')), false);
  assert.equal(neverConnected(new TypeError('fetch failed', { cause: none(silent, refused) })), true);
  assert.equal(neverConnected(new TypeError('fetch failed', { cause: failed('read', 'EHOSTUNREACH') })), false);
});
