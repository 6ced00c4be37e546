import type { KnownSecrets } from './knownSecrets.js';
import type { Log } from './services.js';

export function createLog(_secrets: KnownSecrets): Log {
  throw new Error('not yet written');
}
