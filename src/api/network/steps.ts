import type { ConnectionCause, Peer } from '../failure.js';
import type { Proxy, ProxySource, Route } from './route.js';
import type { TrustTrouble } from './trust.js';

/** Whose name, connection or certificate a step is about. */
export type Whose = 'service' | 'proxy';

export interface Handshake {
  readonly protocol?: string;
  /** As its owner presents it. Names: for example `CN=host.example, O=Example`, text of theirs, bounded. Times: epoch ms. */
  readonly certificate?: Readonly<Record<'subject' | 'issuer', string> & Record<'validFrom' | 'validTo', number>>;
}

/** What is found out while a connection is opened. */
export type OpeningFacts =
  | { readonly kind: 'dns'; readonly whose: Whose; readonly host: string; readonly addresses: readonly string[] }
  /** `address`: the one that answered. */
  | (Peer & { readonly kind: 'tcp'; readonly whose: Whose; readonly address?: string })
  | (Handshake & { readonly kind: 'tls'; readonly whose: Whose; readonly host: string })
  /** `status`: that of the proxy's answer to `CONNECT`, if it let us through. */
  | (Peer & { readonly kind: 'proxy'; readonly status?: number });

/** One step of a request on its way, when it has ended. No credential is in it. `duration`: ms; `cause`: why it failed, if it did. */
export type ConnectionStep =
  | {
      readonly kind: 'route';
      readonly route: Route['kind'];
      readonly why?: Extract<Route, { kind: 'direct' }>['why'];
      readonly from?: ProxySource;
      readonly proxy?: Pick<Proxy, 'host' | 'port' | 'tls'>;
      readonly credentials?: boolean;
      /** Whether the editor's own `fetch` is tried if no connection can be made. */
      readonly mayTryEditor: boolean;
      readonly cause?: ConnectionCause;
    }
  /** Only if the system's certificates could not be had: those that Node carries are all that is trusted. */
  | { readonly kind: 'certificates'; readonly trouble: TrustTrouble; readonly duration: number }
  | (OpeningFacts & { readonly duration: number; readonly cause?: ConnectionCause })
  /** The request itself, until its status line. `viaEditor`: by the editor's `fetch`. */
  | {
      readonly kind: 'http';
      readonly viaEditor: boolean;
      readonly status?: number;
      readonly duration: number;
      readonly cause?: ConnectionCause;
    };
