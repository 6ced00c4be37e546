import type { ConnectionCause, Failure, Peer } from './failure.js';
import type { ExtraCertificatesProblem } from './network/extraCertificates.js';
import type { Route } from './network/route.js';
import type { SearchedIn } from './secrets.js';

/** An organization at the platform. Its token is sent to its own base URL only. */
export interface Target {
  readonly organizationId: string;
  readonly baseUrl: string;
  readonly token: string;
}

/** An operation of the platform. */
export interface ApiRequest {
  readonly method: 'GET' | 'DELETE';
  /** The path below the base URL, for example `/deployments/{deploymentId}/authorization`. */
  readonly template: string;
  /** Replaces the `{parameter}` of the template. */
  readonly id: string;
  /** Where the ID is redacted. Absent if it is no secret. */
  readonly idIsSecretIn?: SearchedIn;
}

/** How a caller wants an operation to be sent, and what the caller listens to. */
export interface Call {
  /** Ends the operation. */
  readonly signal: AbortSignal;
  /** Whether the user asked for this operation, so that it goes ahead of refreshes. */
  readonly urgent: boolean;
  /** Whether it is sent once, on a new connection, and not at all during a pause. */
  readonly isProbe?: boolean;
  /** May abort `signal`. */
  readonly onPhase?: (phase: Phase) => void;
  /** May abort `signal`. */
  readonly onStep?: (step: ConnectionStep) => void;
}

/**
 * What an operation does. Neither `paused` (`until`: epoch ms) nor `waiting` for a slot counts
 * toward the time-out; `waiting` before a repeat does. Before `sending`, an attempt that is aborted
 * is not sent. Then undici or the editor's `fetch` gets it.
 */
export type Phase =
  | { readonly kind: 'waiting' | 'connecting' | 'sending' }
  | { readonly kind: 'paused'; readonly until: number };

/** Whom a step of a connection concerns. */
export type PeerRole = 'platform' | 'proxy';

/** What TLS has agreed on, as far as it came. */
export interface Handshake {
  /** `TLSv1.3` */
  readonly protocol?: string;
  /** Absent if the peer sent none. */
  readonly certificate?: {
    /** Text of the peer, for example `CN=ca.example, O=Example`. */
    readonly issuer: string;
    /** Epoch ms. */
    readonly validFrom: number;
    /** Epoch ms. */
    readonly validTo: number;
  };
}

/** A step of opening a connection. */
export type OpeningFacts =
  | {
      readonly kind: 'dns';
      readonly role: PeerRole;
      readonly host: string;
      readonly addresses: readonly string[];
    }
  /** `address`: the IP address, if a connection was made. */
  | (Peer & { readonly kind: 'tcp'; readonly role: PeerRole; readonly address?: string })
  | (Handshake & { readonly kind: 'tls'; readonly role: PeerRole; readonly host: string })
  /** A tunnel through a proxy. `status`: of the answer to `CONNECT`, if it opened the tunnel. */
  | (Peer & { readonly kind: 'proxy'; readonly status?: number });

/**
 * A step of a request that has ended, without any credential. `cause`: why it failed; absent if it
 * succeeded. An `http` step without `status` has failed even if it has no `cause`. `duration`: in
 * ms.
 */
export type ConnectionStep =
  | {
      readonly kind: 'route';
      readonly route: Route;
      /** Whether a proxy gets credentials. */
      readonly hasCredentials: boolean;
      readonly mayTryEditor: boolean;
      readonly cause?: ConnectionCause;
    }
  /**
   * The system's certificates are not trusted, because reading failed. `ETIMEDOUT`: it still runs.
   */
  | { readonly kind: 'certificates'; readonly code: string; readonly duration: number }
  /** The certificates of `NODE_EXTRA_CA_CERTS` are not trusted, or not all of them. */
  | { readonly kind: 'extraCertificates'; readonly problem: ExtraCertificatesProblem }
  | (OpeningFacts & { readonly duration: number; readonly cause?: ConnectionCause })
  | {
      readonly kind: 'http';
      readonly viaEditor: boolean;
      readonly status?: number;
      readonly duration: number;
      readonly cause?: ConnectionCause;
    };

/**
 * The outcome of a revocation.
 * - `revoked`: it was answered with 2xx except 202, and not with a web page.
 * - `refused`: it was answered with 4xx, by the platform or by something on the way (then `failure`
 *   may be `notFromPlatform`).
 * - `unknown`: it was answered with 2xx and a web page or with any other status, or it was not
 *   answered although it may have been sent.
 * - `notSent`: the platform cannot have got it.
 */
export type RevocationOutcome =
  | { readonly kind: 'revoked'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly status?: number; readonly failure?: Failure }
  | { readonly kind: 'notSent'; readonly failure: Failure };

/** A request as the log has it, without its ID and without credentials. */
export interface RequestLogEntry extends Pick<ApiRequest, 'method' | 'template'> {
  /** Perhaps with a port. */
  readonly host: string;
  /** Of the last attempt, if it was answered. */
  readonly status?: number | undefined;
  readonly failure?: Failure;
  /** Of the decoded body of the last attempt. */
  readonly bytes: number;
  /** Ms of all attempts and of the waits before repeats, without the time in the queue. */
  readonly duration: number;
  /** How many attempts began, even if no connection was made. */
  readonly attempts: number;
}
