// The local service as test runs use it: started outside of VS Code, steered through its control address.
import { onEnd } from './cleanup.js';
import { DEFAULT_TOKEN } from './service/data.js';
import { startService } from './service/service.js';

export interface ServiceForTests {
  /** For the extension host: signed in through the environment pair, and where to steer the service. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function serviceForTests(): Promise<ServiceForTests> {
  const service = await startService();
  return {
    env: {
      AUTOMATION_PLATFORM_BASE_URL: service.baseUrl,
      AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN,
      AUTOMATION_PLATFORM_TEST_SERVICE_CONTROL: service.controlUrl,
    },
    stop: onEnd(() => service.stop()),
  };
}
