import type { Log } from './services.js';
import type { Settings } from './settings.js';

export function createSettings(_log: Log): Settings {
  throw new Error('not yet written');
}
