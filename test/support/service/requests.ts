/** What the service was asked: recorded, and waited for, so that a test need not guess a time. */
import type { IncomingHttpHeaders } from 'node:http';
import { type FaultTarget, matches } from './faults.js';
import type { Route } from './operations.js';

/** `open`: no answer yet. `broken`: the service broke the connection. `aborted`: the client left before its answer was complete. */
export type RequestState = 'open' | 'held' | 'answered' | 'broken' | 'aborted';

export interface RequestRecord {
  id: number;
  method: string;
  /** As it came, percent-encoding and all, without the query. */
  path: string;
  /** Without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  /** Filled while it arrives: complete once the request is. */
  body: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  route: Route;
  /** Equal for requests over the same connection. */
  connection: number;
  /** How many requests, this one included, were without a complete answer when it came. */
  inFlight: number;
  state: RequestState;
  abortedByClient: boolean;
}

export interface RequestFilter extends FaultTarget {
  state?: RequestState | RequestState[];
}

interface Waiter {
  check: () => void;
  fail: (error: Error) => void;
}

export class RequestLog {
  readonly records: RequestRecord[] = [];
  private readonly waiters = new Set<Waiter>();

  add(record: RequestRecord): void {
    this.records.push(record);
    this.checkNow();
  }

  setState(record: RequestRecord, state: RequestState): void {
    record.state = state;
    record.abortedByClient = state === 'aborted';
    this.checkNow();
  }

  clear(): void {
    this.records.length = 0;
  }

  waitFor(count: number, filter: RequestFilter, timeoutMs: number): Promise<RequestRecord[]> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        act();
      };
      const waiter: Waiter = {
        check: () => {
          const found = this.matching(filter);
          if (found.length >= count) {
            settle(() => resolve(found));
          }
        },
        fail: (error) => settle(() => reject(error)),
      };
      const timer = setTimeout(() => {
        const seen = this.records.map(({ method, path, state }) => `${method} ${path} (${state})`).join(', ');
        const found = `${this.matching(filter).length} of ${count} requests like ${JSON.stringify(filter)}`;
        waiter.fail(new Error(`${found} after ${timeoutMs} ms; recorded: ${seen || 'none'}`));
      }, timeoutMs);
      this.waiters.add(waiter);
      waiter.check();
    });
  }

  /** Nothing more will come: whoever still waits is told so. */
  end(): void {
    for (const waiter of this.waiters) {
      waiter.fail(new Error('the service was stopped'));
    }
  }

  private matching(filter: RequestFilter): RequestRecord[] {
    return this.records.filter(
      ({ route, state }) =>
        matches(filter, route.operation, route.id) &&
        (filter.state === undefined || [filter.state].flat().includes(state)),
    );
  }

  private checkNow(): void {
    for (const waiter of this.waiters) {
      waiter.check();
    }
  }
}
