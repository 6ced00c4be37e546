/** The service in another process: the same names as `Service`, each one a promise. */
import { connect } from 'node:net';
import type { Service } from './service.js';
import { encode, revive } from './wire.js';

/** What can be called from another process. */
export const members = [
  'baseUrl',
  'data',
  'requests',
  'putDeployment',
  'deleteDeployment',
  'putInstall',
  'deleteInstall',
  'putApiKey',
  'deleteApiKey',
  'putToken',
  'deleteToken',
  'putData',
  'fault',
  'clearFaults',
  'release',
  'clearRequests',
  'closeConnections',
  'reset',
  'waitForRequests',
  'stop',
] as const satisfies readonly (keyof Service)[];

type Remote<T> = {
  readonly [Member in keyof T]: T[Member] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : () => Promise<T[Member]>;
};

export type ServiceControl = Remote<Pick<Service, (typeof members)[number]>>;

export function serviceControl(controlUrl: string): ServiceControl {
  const call =
    (action: string) =>
    async (...given: unknown[]): Promise<unknown> => {
      const { status, body } = await post(new URL(controlUrl), action, encode(given));
      if (status !== 200) throw new Error(`${action}: ${body}`);
      return JSON.parse(body, revive);
    };
  // Filled from the list, so the compiler has to be told what it is.
  const control: ServiceControl = JSON.parse('{}');
  return Object.assign(control, Object.fromEntries(members.map((member) => [member, call(member)])));
}

/**
 * HTTP by hand, because inside an extension host VS Code replaces `fetch` and `http`: a test that sets `http.proxy` would
 * otherwise send its own control requests through that proxy.
 */
function post({ hostname, port }: URL, action: string, body: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('error', reject);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => {
      const answer = Buffer.concat(chunks).toString();
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0) {
        reject(new Error(`${action}: the control server closed the connection without an answer`));
        return;
      }
      resolve({ status: Number(answer.slice(9, 12)), body: answer.slice(end + 4) });
    });
    // HTTP/1.0: the answer is neither chunked nor kept alive.
    const head = [
      `POST /${action} HTTP/1.0`,
      `host: ${hostname}:${port}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
