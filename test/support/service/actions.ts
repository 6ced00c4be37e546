/** What a test can do with the service, in this process (`Service`) and from another one (`ServiceControl`). */
import type { ServiceData, TokenGrant } from './data.js';
import type { Fault, FaultTarget } from './faults.js';
import type { RequestFilter, RequestRecord } from './requests.js';

export interface ServiceActions {
  putDeployment(id: string, authorization: unknown): void;
  deleteDeployment(id: string): void;
  putInstall(token: string, install: unknown): void;
  deleteInstall(token: string): void;
  putApiKey(keyId: string): void;
  deleteApiKey(keyId: string): void;
  putToken(token: string, given?: Partial<TokenGrant>): void;
  deleteToken(token: string): void;
  /** Replaces the given members, whole. */
  putData(data: Partial<ServiceData>): void;
  fault(target: FaultTarget | 'all', fault: Fault): void;
  /** All of them, or those set with exactly this target. What is held stays held. */
  clearFaults(target?: FaultTarget | 'all'): void;
  /** Lets held answers go, the oldest first; how many went. */
  release(target?: FaultTarget | 'all', count?: number): number;
  clearRequests(): void;
  /** Closes connections now: those without a request under way, or every one. */
  closeConnections(which: 'idle' | 'all'): void;
  /** Back to the data at the start, without faults, held answers or recorded requests. */
  reset(): void;
  /** Waits until so many recorded requests match, and yields them. Rejects after the time (5 s if not given). */
  waitForRequests(count: number, filter?: RequestFilter, timeoutMs?: number): Promise<RequestRecord[]>;
  stop(): Promise<void>;
}

export interface Service extends ServiceActions {
  /** Ends in /api/v1. */
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly data: ServiceData;
  readonly requests: RequestRecord[];
}
