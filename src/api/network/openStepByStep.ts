import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { ConnectionStep, Whose } from '../connectionStep.js';
import { type Peer, peerOf } from './connectError.js';
import { inspectTls } from './inspectTls.js';
import { resolveAll, resolvedAs } from './resolve.js';
import type { Proxy } from './route.js';
import { openTcp } from './tcp.js';
import { type Tried, tried } from './tried.js';
import type { Trust } from './trust.js';
import { openTunnel } from './tunnel.js';

export interface Opening {
  readonly trust: Trust;
  readonly context: SecureContext | undefined;
  /** Ms for one step. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly lookup?: LookupFunction;
}

/** A generator of steps that ends with an open connection, or without one after a step that failed or was stopped. */
type Steps = AsyncGenerator<ConnectionStep, Socket | undefined, undefined>;

/** What `openVia` does, told step by step. */
export async function* openStepByStep(origin: URL, proxy: Proxy | undefined, opening: Opening): Steps {
  const service = peerOf(origin);
  let socket = yield* connect(proxy ?? service, proxy ? 'proxy' : 'service', opening);
  if (socket && proxy?.tls) {
    socket = yield* secure(socket, proxy, 'proxy', opening);
  }
  if (socket && proxy) {
    socket = yield* tunnel(socket, proxy, service, opening);
  }
  if (socket && origin.protocol === 'https:') {
    socket = yield* secure(socket, service, 'service', opening);
  }
  return socket;
}

async function* connect({ host, port }: Peer, whose: Whose, opening: Opening): Steps {
  const { timeout, signal, lookup } = opening;
  let addresses: readonly string[] | undefined = [host];
  if (isIP(host) === 0) {
    const found = await tried('dns', { host, port }, timeout, signal, () => resolveAll(host, lookup));
    if (!found) {
      return undefined;
    }
    addresses = found.value;
    yield { kind: 'dns', whose, host, addresses: addresses ?? [], ...timeAndCause(found) };
  }
  if (!addresses) {
    return undefined;
  }
  const known = resolvedAs(addresses);
  const opened = await tried(undefined, { host, port }, timeout, signal, (limited) =>
    openTcp({ host, port }, limited, known),
  );
  if (!opened) {
    return undefined;
  }
  const address = opened.value?.remoteAddress;
  yield* withSocket(opened.value, {
    kind: 'tcp',
    whose,
    host,
    port,
    ...(address !== undefined && { address }),
    ...timeAndCause(opened),
  });
  return opened.value;
}

async function* secure(socket: Socket, { host, port }: Peer, whose: Whose, opening: Opening): Steps {
  const { timeout, signal, trust, context } = opening;
  const secured = await tried('tls', { host, port }, timeout, signal, (limited) =>
    inspectTls(socket, { host, port }, limited, context, trust),
  );
  if (!secured?.value) {
    socket.destroy();
  }
  if (!secured) {
    return undefined;
  }
  const { rejected, ...facts } = secured.value?.facts ?? {};
  const step = { kind: 'tls', whose, host, ...facts, ...timeAndCause(secured) } as const;
  if (rejected !== undefined) {
    socket.destroy();
    yield { ...step, cause: { step: 'tls', code: rejected, host, port } };
    return undefined;
  }
  yield* withSocket(secured.value?.secured, step);
  return secured.value?.secured;
}

async function* tunnel(socket: Socket, proxy: Proxy, service: Peer, opening: Opening): Steps {
  const { host, port } = proxy;
  const { timeout, signal } = opening;
  const opened = await tried('proxy', proxy, timeout, signal, (limited) => openTunnel(socket, proxy, service, limited));
  if (!opened) {
    socket.destroy();
    return undefined;
  }
  const status = opened.value ?? opened.cause?.status;
  yield* withSocket(opened.value === undefined ? undefined : socket, {
    kind: 'proxy',
    host,
    port,
    ...(status !== undefined && { status }),
    ...timeAndCause(opened),
  });
  return opened.value === undefined ? undefined : socket;
}

/** Tells a step; if nobody wants to hear the next one, the connection ends. */
async function* withSocket(socket: Socket | undefined, step: ConnectionStep): AsyncGenerator<ConnectionStep, void> {
  let heard = false;
  try {
    yield step;
    heard = true;
  } finally {
    if (!heard) {
      socket?.destroy();
    }
  }
}

function timeAndCause({ duration, cause }: Tried<unknown>): Pick<Tried<unknown>, 'duration' | 'cause'> {
  return { duration, ...(cause && { cause }) };
}
