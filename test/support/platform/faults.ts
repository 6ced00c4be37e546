/**
 * Everything that can go wrong with an answer, as plain data: it also travels to a platform in another process.
 * The fields of a fault combine; `faults` below has the usual ones by name.
 */
export type Operation = 'getIntegrationInstall' | 'deleteApiKey' | 'getDeploymentAuthorization';

/** What a request means, or which requests are meant: `{}` is every one, also those outside the three operations. */
export interface Route {
  operation?: Operation;
  /** The decoded path parameter: deployment id, install token or key id. */
  id?: string;
}

export interface TargetedFault {
  target: Route;
  fault: Fault;
}

export interface Fault {
  /** For so many requests, then gone. Absent: until cleared. */
  times?: number;

  /** The answer is made when the request arrives, and sent once `release()` is called. */
  hold?: boolean;
  /** Milliseconds before anything is sent (after a `hold`). */
  latency?: number;
  /** Status codes of informational (1xx) answers that go first. */
  informational?: number[];

  /** In place of the true answer. With a status and no body, a JSON error; with a body and no status, 200. */
  status?: number;
  headers?: Record<string, string | string[]>;
  /** Ms that the clock of its `Date` is ahead of the true time, whole seconds as in every `Date`; null for no `Date`. */
  dateAheadMs?: number | null;
  /** Text or bytes, sent as they are; null for none. */
  body?: string | Uint8Array | null;
  /** A page that holds what the request held, its headers and path, as debug pages do. */
  echo?: 'json' | 'html' | 'text';
  /** These bytes and no HTTP server in between. */
  raw?: string | Uint8Array;

  cut?: number;
  drip?: { bytes: number; everyMs: number };
  /** What becomes of the connection, unannounced. Absent: after a cut or raw answer it ends, else HTTP decides. */
  ending?: 'end' | 'reset' | 'open';
}

/** A fault that stands in place of the true answer, so that a DELETE does not delete. */
export function replacesAnswer(fault: Fault): boolean {
  const replacing = ['status', 'body', 'echo', 'raw'] as const;
  return replacing.some((field) => fault[field] !== undefined);
}

export const faults = {
  status: (status: number): Fault => ({ status }),
  json: (value: unknown, more: Fault = {}): Fault => ({
    body: JSON.stringify(value),
    headers: { 'content-type': 'application/json' },
    ...more,
  }),
  html: (status = 502, title = `${status} from a gateway`): Fault => ({
    status,
    body: `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  }),
  text: (status: number, body: string): Fault => ({
    status,
    body,
    headers: { 'content-type': 'text/plain' },
  }),
  noBody: (status = 200): Fault => ({ status, body: null }),
  redirect: (location: string, status = 302): Fault => ({
    status,
    body: null,
    headers: { location },
  }),
  retryAfter: (when: number | string, status = 429): Fault => ({
    status,
    headers: { 'retry-after': String(when) },
  }),
  hold: (): Fault => ({ hold: true }),
  silent: (): Fault => ({ raw: '', ending: 'open' }),
  /** Instead of the status line, after the headers, or in the body. */
  reset: (place: 'before' | 'headers' | 'body' = 'before'): Fault => ({
    ...(place === 'before' ? { raw: '' } : { cut: place === 'headers' ? 0 : 20 }),
    ending: 'reset',
  }),
  drip: (bytes = 1, everyMs = 10): Fault => ({ drip: { bytes, everyMs } }),
  echo: (echo: Fault['echo'] = 'html', status = 500): Fault => ({ echo, status }),
  endless: (status = 200): Fault => ({
    raw: `HTTP/1.1 ${status} -\r\n\r\n{"x":"${'x'.repeat(6_000_000)}`,
    ending: 'open',
  }),
  raw: (raw: string | Uint8Array, ending?: Fault['ending']): Fault => ({ raw, ending }),
} as const;

const weight = ({ target }: TargetedFault) =>
  (target.id === undefined ? 0 : 2) + (target.operation === undefined ? 0 : 1);

/** The fault that a request meets: of the most specific target (id before operation before all), and of equal ones the newest. */
export function faultFor(route: Route, given: readonly TargetedFault[]): TargetedFault | undefined {
  const matching = given.filter(({ target }) => matches(target, route));
  return matching.toSorted((one, other) => weight(one) - weight(other)).at(-1);
}

export function matches(target: Route, { operation, id }: Route): boolean {
  return (
    (target.operation === undefined || target.operation === operation) &&
    (target.id === undefined || target.id === id)
  );
}
