import type { ConnectionCause, Failure } from './failure.js';
import type { ProxySource, Route } from './network/route.js';
import type { Store, TrustTrouble } from './network/trust.js';

/** Whose name, connection or certificate a step is about. */
export type Whose = 'service' | 'proxy';

/** Facts of a certificate as its owner presents it: text of theirs, bounded. */
export interface CertificateFacts {
  /** For example `CN=host.example, O=Example`. */
  readonly subject: string;
  readonly issuer: string;
  /** Epoch ms. */
  readonly validFrom: number;
  /** Epoch ms. */
  readonly validTo: number;
}

interface Step {
  /** Ms that this step took. */
  readonly duration: number;
  /** Why it failed; absent if it did not. */
  readonly cause?: ConnectionCause;
}

/** One step on the way to a service, as it is done. No credential is in it. */
export type ConnectionStep =
  | {
      readonly kind: 'route';
      readonly route: Route['kind'];
      /** Why it is direct. */
      readonly why?: Extract<Route, { kind: 'direct' }>['why'];
      /** What names the proxy. */
      readonly from?: ProxySource;
      readonly proxy?: { readonly host: string; readonly port: number; readonly tls: boolean };
      /** Whether the proxy is given credentials. */
      readonly credentials?: boolean;
      /** Whether the editor's own `fetch` is tried if no connection can be made. */
      readonly mayTryEditor: boolean;
    }
  /** Only if the system's certificates could not be had: those that Node carries are all that is trusted. */
  | { readonly kind: 'certificates'; readonly trouble: TrustTrouble; readonly duration: number }
  | (Step & {
      readonly kind: 'dns';
      readonly whose: Whose;
      readonly host: string;
      readonly addresses: readonly string[];
    })
  | (Step & {
      readonly kind: 'tcp';
      readonly whose: Whose;
      readonly host: string;
      readonly port: number;
      /** The one of the addresses that answered. */
      readonly address?: string;
    })
  | (Step & {
      readonly kind: 'tls';
      readonly whose: Whose;
      readonly host: string;
      /** For example `TLSv1.3`. */
      readonly protocol?: string;
      readonly certificate?: CertificateFacts;
      /** The store that holds the authority at the end of the chain, as far as this Node can tell. */
      readonly trustedBy?: Store;
    })
  /** The proxy's answer to `CONNECT`. */
  | (Step & { readonly kind: 'proxy'; readonly host: string; readonly port: number; readonly status?: number })
  /** One harmless request. Any status shows that a service answers; `redirectedTo`: host of a redirect, not followed. */
  | {
      readonly kind: 'http';
      readonly via: 'direct' | 'proxy' | 'editor';
      /** Path template of the request. */
      readonly template: string;
      readonly status?: number;
      readonly redirectedTo?: string;
      /** Why there is no status. */
      readonly failure?: Failure;
      readonly duration: number;
    };
