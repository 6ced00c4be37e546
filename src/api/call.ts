import type { ConnectionCause, Failure, Peer } from './failure.js';
import type { ExtraCertificatesProblem } from './network/extraCertificates.js';
import type { Route } from './network/route.js';
import type { SearchedIn } from './secrets.js';

/** A token is only ever sent to its own base URL. A 429 pauses one organization, not the others. */
export interface Target {
  readonly organizationId: string;
  readonly baseUrl: string;
  readonly token: string;
}

export interface ApiRequest {
  readonly method: 'GET' | 'DELETE';
  readonly template: string;
  /** In place of the one `{parameter}` of the template. */
  readonly id: string;
  readonly idIsSecretIn?: SearchedIn;
}

export interface Call {
  readonly signal: AbortSignal;
  /** The user asked for this one: it goes ahead of refreshes. */
  readonly urgent: boolean;
  /** Sent once, on a connection of its own, and not at all during a pause. */
  readonly isProbe?: boolean;
  readonly onPhase?: (phase: Phase) => void;
  readonly onStep?: (step: ConnectionStep) => void;
}

/** Waiting does not count towards the time-out. A request that is stopped is not sent until `sending`: then it is written, or left to the editor. */
export type Phase =
  | { readonly kind: 'waiting' | 'connecting' | 'sending' }
  | { readonly kind: 'paused'; readonly until: number };

export type PeerRole = 'platform' | 'proxy';

export interface Handshake {
  readonly protocol?: string;
  /** The name is text of the issuer, for example `CN=ca.example, O=Example`. Times: epoch ms. */
  readonly certificate?: {
    readonly issuer: string;
    readonly validFrom: number;
    readonly validTo: number;
  };
}

export type OpeningFacts =
  | {
      readonly kind: 'dns';
      readonly role: PeerRole;
      readonly host: string;
      readonly addresses: readonly string[];
    }
  | (Peer & { readonly kind: 'tcp'; readonly role: PeerRole; readonly address?: string })
  | (Handshake & { readonly kind: 'tls'; readonly role: PeerRole; readonly host: string })
  /** `status`: of the proxy's answer to `CONNECT`, if it opened the tunnel. */
  | (Peer & { readonly kind: 'proxy'; readonly status?: number });

/** A step of a request on its way that has ended. No credential is in it. `cause`: why it failed, if it did. */
export type ConnectionStep =
  | {
      readonly kind: 'route';
      readonly route: Route;
      readonly credentials: boolean;
      readonly mayTryEditor: boolean;
      readonly cause?: ConnectionCause;
    }
  /** The system's certificates were not read, so they are not trusted. `ETIMEDOUT`: not yet. */
  | { readonly kind: 'certificates'; readonly code: string; readonly duration: number }
  /** Those of `NODE_EXTRA_CA_CERTS` are not trusted. */
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
 * What became of a revocation. `revoked`: answered with 2xx except 202. `refused`: answered with 4xx,
 * by the platform or on the way (then `failure` is `notFromPlatform`). `unknown`: answered with a web
 * page, or any other status, or not answered although it may have been sent.
 */
export type RevocationOutcome =
  | { readonly kind: 'revoked'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly status?: number; readonly failure?: Failure }
  | { readonly kind: 'notSent'; readonly failure: Failure };

/** For the log: without an id and without credentials. `bytes`: of the decoded body. */
export interface RequestLogEntry extends Pick<ApiRequest, 'method' | 'template'> {
  host: string;
  status?: number;
  failure?: Failure;
  bytes: number;
  duration: number;
  attempts: number;
}
