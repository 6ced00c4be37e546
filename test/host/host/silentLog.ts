import type { Log } from '../../../src/host/log.js';

/** A log that keeps nothing and knows no secrets; tests replace what they listen to. */
export const silentLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  show: () => undefined,
  redact: (text: string) => text,
  dispose: () => undefined,
} satisfies Pick<Log, keyof Log>;
