/** The service's actions for another process: a connection each, with what is called and then what it yields. */
import { connect, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';
import { listen } from './listen.js';
import type { Service } from './service.js';

const actions = [
  'requests',
  'putDeployment',
  'putInstall',
  'putToken',
  'putData',
  'fault',
  'clearFaults',
  'release',
  'clearRequests',
  'closeConnections',
  'reset',
  'waitForRequests',
] as const satisfies readonly (keyof Service)[];

type Action = (typeof actions)[number];

type Remote<T> = {
  readonly [Member in keyof T]: T[Member] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : () => Promise<T[Member]>;
};

export type ServiceControl = Remote<Pick<Service, Action>>;

interface Call {
  readonly action: Action;
  readonly given: readonly unknown[];
}

/** The same names as `Service`, each one a promise. */
export function serviceControl(controlUrl: string): ServiceControl {
  const { hostname, port } = new URL(controlUrl);
  const call = async (action: Action, ...given: unknown[]): Promise<unknown> => {
    // Not HTTP, because inside an extension host that goes through the proxy that a test sets.
    const socket = connect(Number(port), hostname).end(serialize({ action, given } satisfies Call));
    const { yields, failed } = deserialize(await buffer(socket));
    if (failed !== undefined) throw new Error(`${action}: ${failed}`);
    return yields;
  };
  // Filled from the list, so the compiler has to be told what it is.
  const control: ServiceControl = JSON.parse('{}');
  return Object.assign(control, Object.fromEntries(actions.map((action) => [action, call.bind(undefined, action)])));
}

/** Opens the service to other processes for as long as this one lives. */
export async function openControl(service: Service): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const chunks: Buffer[] = [];
    const answer = async () => {
      const { action, given }: Call = deserialize(Buffer.concat(chunks));
      const member = service[action];
      return { yields: typeof member === 'function' ? await Reflect.apply(member, service, given) : member };
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => {
      void answer()
        .catch((error: unknown) => ({ failed: String(error) }))
        .then((end) => socket.end(serialize(end)));
    });
    // A caller that has left needs no answer.
    socket.on('error', () => {});
  });
  server.unref();
  return `tcp://127.0.0.1:${await listen(server)}`;
}
