import type { Services } from '../host/services.js';

export function showLog({ log }: Services): void {
  log.show();
}
