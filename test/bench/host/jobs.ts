// What is measured inside a real extension host: asked for by the bench, in the environment; answered in a file.

import type { Comparison } from '../compare.js';

/** In the environment of the extension host. */
export const jobVariable = 'AUTOMATION_PLATFORM_BENCH_JOB';

export interface Job {
  readonly name: 'activation' | 'refresh' | 'scale' | 'stall' | 'tree';
  readonly rounds: number;
  /** The file for what was measured. */
  readonly results: string;
  /** The file for a CPU profile, if one is wanted. */
  readonly profile?: string;
  /** The local service, if it is needed. */
  readonly service?: { readonly baseUrl: string; readonly controlUrl: string; readonly token: string };
  /** Deployment ids. */
  readonly ids?: readonly string[];
}

/** One window. */
export interface ActivationTimes {
  readonly ours: number;
  readonly empty: number;
  /** Characters of our code that were loaded when `activate()` had returned, and two seconds later. */
  readonly loaded: number;
  readonly loadedLater: number;
}

export interface Cost {
  /** Ms. */
  readonly wall: number;
  readonly cpu: number;
}

export interface RefreshRound {
  readonly ours: Cost;
  readonly bare: Cost;
  /** Epoch ms at which our refresh was over. */
  readonly endedAt: number;
  /** The deployment that stands first from then on, and not before. */
  readonly first: string;
}

/** Ms. */
export interface Pair {
  readonly ours: number;
  readonly limit: number;
}

export interface TreeTimes {
  /** Ms: of rows that VS Code has not asked for before, how long they took, and how long they held the extension host at most. */
  readonly first: readonly { readonly time: number; readonly stall: number }[];
  readonly items: Comparison;
  readonly growth: Comparison;
}
