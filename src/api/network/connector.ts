import type { ConnectionCause } from '../failure.js';

/** One request on its way: no redirects, no repeats, no body. */
export interface WireRequest {
  readonly method: 'GET' | 'DELETE';
  /** Scheme, host and port. */
  readonly origin: string;
  /** Sent as it stands. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the exchange at any moment, also while resolving and connecting. */
  readonly signal: AbortSignal;
  /** `sending`: in this moment the request is written, or left to the editor. Until then, stopping it keeps it from being sent. */
  readonly onPhase?: (phase: 'connecting' | 'sending') => void;
  /** On a connection of its own, never a pooled one, so that "not sent" can be told from "outcome unknown". */
  readonly alone: boolean;
  /** How much of the body of an answer with this status is wanted. */
  readonly wanted: (status: number) => Wanted;
}

export interface Wanted {
  /** Decoded; 0: none, the connection is given up. */
  readonly bytes: number;
  /** Ms after the status line; then what has arrived must do. */
  readonly patience?: number;
}

/**
 * Where a body ended. `complete`: where its framing says. `closed`: with the connection, for want of framing, so perhaps
 * too early. `cut`: before its framing says. `capped`: more came than wanted. `stopped`: out of patience, or the signal.
 */
export type BodyEnd = 'complete' | 'closed' | 'cut' | 'capped' | 'stopped';

/** What became of one exchange. Exchanges never reject. */
export type WireResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string | undefined>>;
      /** Decoded. */
      readonly body: Uint8Array;
      readonly end: BodyEnd;
    }
  /** No connection could be made: nothing was sent. */
  | { readonly kind: 'unreachable'; readonly cause: ConnectionCause; readonly viaEditor?: ConnectionCause }
  /** Sent, but no status line came back; `code` as in `Failure.connectionLost`. */
  | { readonly kind: 'lost'; readonly code: string }
  /** The signal ended it before a status line. */
  | { readonly kind: 'stopped'; readonly sent: boolean };

/** What became of an exchange that may go on over the editor's `fetch`, but has no place there: nothing was sent. */
export interface NeedsEditor {
  readonly kind: 'needsEditor';
  /** Why the direct way did not lead there, if it was tried. */
  readonly directFailed?: ConnectionCause;
}

export interface EditorTurn {
  /** May use the editor's `fetch`. */
  readonly hasEditorPlace: boolean;
  /** The direct way was tried, and is not tried again. */
  readonly directFailed?: ConnectionCause;
}

/** Who opens the connection: the seam between the sender and the routes to the service. */
export interface Connector {
  /** The next exchange with this origin begins with the editor's `fetch`. */
  viaEditor(origin: string): boolean;
  exchange(request: WireRequest, turn: EditorTurn): Promise<WireResult | NeedsEditor>;
  /** Forgets what it has learned about routes; requests under way are not touched. */
  forget(): void;
  /** Closes every connection. */
  close(): Promise<void>;
}
