/** The harness with routes instead of the direct way, to services whose names no resolver knows. */
import { strict as assert } from 'node:assert';
import type { LookupFunction } from 'node:net';
import tls from 'node:tls';
import type { RouteSettings } from '../../../../src/api/network/route.js';
import { Router, type RouterOptions } from '../../../../src/api/network/router.js';
import type { ReadCertificates } from '../../../../src/api/network/trust.js';
import { type Authority, createAuthority } from '../../../support/service/certificates.js';
import type { Service, ServiceOptions } from '../../../support/service/service.js';
import { type Harness, startHarness } from '../harness.js';

export const serviceName = 'service.test.example';

export interface RoutedHarness extends Harness {
  /** May be changed: each request reads them anew. */
  settings: RouteSettings;
  /** Names that were resolved. */
  readonly resolved: string[];
  readonly servicePort: number;
}

export const plainSettings: RouteSettings = {
  proxySupport: 'override',
  proxy: '',
  noProxy: [],
  systemCertificates: true,
  environment: {},
};

/** Resolves the names in `known` to these addresses, and nothing else. */
export function resolver(known: Readonly<Record<string, readonly string[]>>, resolved: string[] = []): LookupFunction {
  return (hostname, options, callback) => {
    resolved.push(hostname);
    const addresses = known[hostname] ?? (/^[\d.]+$|:/.test(hostname) ? [hostname] : []);
    const list = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const [first] = list;
    setImmediate(() => {
      if (!first) {
        const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
        callback(error, '');
      } else if (options.all) {
        callback(null, list);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

export async function startRoutedHarness(
  options: Partial<RouterOptions> = {},
  serviceOptions: ServiceOptions = {},
): Promise<RoutedHarness> {
  const resolved: string[] = [];
  const current = { settings: plainSettings };
  let limits = { requestTimeout: 5000 };
  const connector = new Router({
    settings: () => current.settings,
    requestTimeout: () => limits.requestTimeout,
    lookup: resolver({}, resolved),
    ...options,
  });
  const harness = await startHarness({ connector }, serviceOptions);
  ({ limits } = harness);
  return {
    ...harness,
    resolved,
    servicePort: portOf(harness.service),
    get settings() {
      return current.settings;
    },
    set settings(settings: RouteSettings) {
      current.settings = settings;
      // As the host does.
      harness.client.forgetRoutes();
    },
  };
}

/** The editor's `fetch`, where it knows a way to a service that no resolver knows. */
export function editorWayTo(service: () => Service): typeof fetch {
  return (input, init) => {
    assert.ok(typeof input === 'string');
    return fetch(input.replace(/^https:\/\/[^/]+/, new URL(service().baseUrl).origin), init);
  };
}

export function portOf({ baseUrl }: Service): number {
  return Number(new URL(baseUrl).port);
}

/**
 * An authority as if it had been found in the system's store. This Node may be too old to know that store; `systemStore.test.ts`
 * asks the real one where there is one.
 */
export class SystemAuthority {
  readonly authority: Authority = createAuthority('Test authority in the system');

  readonly read: ReadCertificates = () =>
    Promise.resolve({ default: tls.rootCertificates, extra: [], system: [this.authority.cert] });
}
