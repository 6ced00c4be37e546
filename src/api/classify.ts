import type { Failure } from './failure.js';
import type { WireResult } from './network/connector.js';

/** Why a request was stopped by us. */
export type Stop = Extract<Failure, { kind: 'timedOut' | 'cancelled' }>;

/** What a status other than 2xx means (contract, "Outcomes"); the reference (7) shows none. */
export function statusFailure(status: number, excerpt: string | undefined, pausedUntil: number): Failure {
  const said = excerpt === undefined ? {} : { excerpt };
  switch (status) {
    case 401:
      return { kind: 'tokenRejected', status, ...said };
    case 403:
      return { kind: 'notPermitted', status, ...said };
    case 404:
      return { kind: 'notFound', status, ...said };
    case 429:
      return { kind: 'rateLimited', status, until: pausedUntil, ...said };
    default:
      return { kind: status < 500 ? 'clientError' : 'serverError', status, ...said };
  }
}

/** Redirects are never followed, only named. */
export function redirected(status: number, location: string | undefined, url: string): Failure {
  const host = location !== undefined && URL.canParse(location, url) ? new URL(location, url).host : '';
  return { kind: 'redirected', status, ...(host !== '' && { host }) };
}

/** What the lack of a status line means. */
export function noAnswer(result: Exclude<WireResult, { kind: 'answer' }>): Failure {
  switch (result.kind) {
    case 'unreachable':
      return { ...result };
    case 'lost':
      return { kind: 'connectionLost', code: result.code };
    default:
      return { kind: 'cancelled' };
  }
}

/** Worth another try: what a moment later may well succeed. */
export function isPassing(failure: Failure): boolean {
  switch (failure.kind) {
    case 'connectionLost':
      // What the parser refuses once it refuses again.
      return !/^(?:HPE_|UND_ERR_HEADERS_OVERFLOW)/.test(failure.code);
    case 'unusable':
      return failure.reason === 'truncated';
    case 'rateLimited':
      return true;
    case 'serverError':
      return failure.status >= 502 && failure.status <= 504;
    default:
      return false;
  }
}
