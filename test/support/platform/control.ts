/** The platform's actions for another process: a connection each, with what is called and then what it yields. */
import { connect, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deserialize, serialize } from 'node:v8';
import { listen } from './listen.js';
import type { Platform } from './platform.js';

export type PlatformControl = {
  readonly [Name in keyof Platform]: Platform[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : () => Promise<Platform[Name]>;
};

export function platformControl(controlUrl: string): PlatformControl {
  const { hostname, port } = new URL(controlUrl);
  const call = async (action: string, ...given: readonly unknown[]): Promise<unknown> => {
    // Not HTTP, because inside an extension host that goes through the proxy that a test sets.
    const socket = connect(Number(port), hostname).end(serialize({ action, given }));
    const { yields, failed } = deserialize(await buffer(socket));
    if (failed !== undefined) throw new Error(`${action}: ${failed}`);
    return yields;
  };
  // Each name is a call, so the compiler has to be told what it is.
  const control: PlatformControl = JSON.parse('{}');
  return new Proxy(control, { get: (_, action) => call.bind(undefined, String(action)) });
}

export async function openControl(platform: Platform): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const chunks: Buffer[] = [];
    const answer = async () => {
      const { action, given }: { action: keyof Platform; given: unknown[] } = deserialize(
        Buffer.concat(chunks),
      );
      const member = platform[action];
      return {
        yields:
          typeof member === 'function' ? await Reflect.apply(member, platform, given) : member,
      };
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
