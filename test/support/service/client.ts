/** The service in another process: the same names as `Service`, each one a promise. */
import { connect } from 'node:net';
import type { Service, ServiceActions } from './actions.js';
import type { ServiceData, TokenGrant } from './data.js';
import type { Fault, FaultTarget } from './faults.js';
import type { RequestFilter, RequestRecord } from './requests.js';
import { encode, revive } from './wire.js';

type Remote<T> = {
  [Member in keyof T]: T[Member] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : () => Promise<T[Member]>;
};

export class ServiceControl implements Remote<Omit<Service, 'controlUrl'>> {
  constructor(readonly controlUrl: string) {}

  baseUrl = (): Promise<string> => this.#call('baseUrl');
  data = (): Promise<ServiceData> => this.#call('data');
  requests = (): Promise<RequestRecord[]> => this.#call('requests');
  putDeployment = (id: string, authorization: unknown): Promise<void> => this.#call('putDeployment', id, authorization);
  deleteDeployment = (id: string): Promise<void> => this.#call('deleteDeployment', id);
  putInstall = (token: string, install: unknown): Promise<void> => this.#call('putInstall', token, install);
  deleteInstall = (token: string): Promise<void> => this.#call('deleteInstall', token);
  putApiKey = (keyId: string): Promise<void> => this.#call('putApiKey', keyId);
  deleteApiKey = (keyId: string): Promise<void> => this.#call('deleteApiKey', keyId);
  putToken = (token: string, given: Partial<TokenGrant> = {}): Promise<void> => this.#call('putToken', token, given);
  deleteToken = (token: string): Promise<void> => this.#call('deleteToken', token);
  putData = (data: Partial<ServiceData>): Promise<void> => this.#call('putData', data);
  fault = (target: FaultTarget | 'all', fault: Fault): Promise<void> => this.#call('fault', target, fault);
  clearFaults = (...given: Parameters<ServiceActions['clearFaults']>): Promise<void> =>
    this.#call('clearFaults', ...given);
  release = (...given: Parameters<ServiceActions['release']>): Promise<number> => this.#call('release', ...given);
  clearRequests = (): Promise<void> => this.#call('clearRequests');
  closeConnections = (which: 'idle' | 'all'): Promise<void> => this.#call('closeConnections', which);
  reset = (): Promise<void> => this.#call('reset');
  waitForRequests = (count: number, filter: RequestFilter = {}, timeoutMs = 5000): Promise<RequestRecord[]> =>
    this.#call('waitForRequests', count, filter, timeoutMs);
  stop = (): Promise<void> => this.#call('stop');

  async #call<Result>(action: keyof Service, ...given: unknown[]): Promise<Result> {
    const { status, body } = await post(new URL(this.controlUrl), action, encode(given));
    if (status !== 200) {
      throw new Error(`${action}: ${body}`);
    }
    const result: Result = JSON.parse(body, revive);
    return result;
  }
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
