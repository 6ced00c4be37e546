import type { Exchange } from '../api/client.js';

/** One finished request as a line of the log; English like the rest of the log, so that it can be read in a report. */
export function exchangeLine(exchange: Exchange): string {
  const { method, template, status, failure, bytes, duration, attempts, host } = exchange;
  // A status that became a failure (401, or 200 with an unusable body) still says which kind it was.
  const outcome = [status, failure?.kind].filter((part) => part !== undefined).join(' ') || 'no answer';
  const repeats = attempts > 1 ? [`${attempts} attempts`] : [];
  return [`${method} ${template} ${outcome}`, size(bytes), time(duration), ...repeats, host].join(', ');
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function time(duration: number): string {
  return duration < 10_000 ? `${Math.round(duration)} ms` : `${(duration / 1000).toFixed(1)} s`;
}
