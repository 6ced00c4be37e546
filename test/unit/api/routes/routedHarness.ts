/** What tests of routes share: services whose names no resolver knows. */
import { strict as assert } from 'node:assert';
import type { LookupFunction } from 'node:net';
import tls from 'node:tls';
import type { RouteSettings } from '../../../../src/api/network/route.js';
import { Router, type RouterOptions } from '../../../../src/api/network/router.js';
import type { ReadCertificates } from '../../../../src/api/network/trust.js';
import { type Authority, createAuthority } from '../../../support/service/certificates.js';
import type { Service, ServiceOptions } from '../../../support/service/service.js';
import { Harness } from '../harness.js';

export const serviceName = 'service.test.example';

export const plainSettings: RouteSettings = {
  proxySupport: 'override',
  proxy: '',
  noProxy: [],
  systemCertificates: true,
  environment: {},
};

/** Resolves the names in `known` to these addresses, and nothing else. */
export function resolver(known: Readonly<Record<string, readonly string[]>>, resolved: string[] = []): LookupFunction {
  return (hostname, _options, callback) => {
    resolved.push(hostname);
    const addresses = known[hostname] ?? (/^[\d.]+$|:/.test(hostname) ? [hostname] : []);
    const list = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const [first] = list;
    setImmediate(() => {
      if (first) callback(null, list);
      else callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }), '');
    });
  };
}

/** The harness with routes instead of the direct way. */
export class RoutedHarness extends Harness {
  /** Names that were resolved. */
  readonly resolved: string[] = [];
  private current = plainSettings;

  constructor(
    private readonly routerOptions: Partial<RouterOptions> = {},
    serviceOptions: ServiceOptions = {},
  ) {
    super({}, serviceOptions);
  }

  get settings(): RouteSettings {
    return this.current;
  }

  /** As the host does, which says that they changed. */
  set settings(settings: RouteSettings) {
    this.current = settings;
    this.client.forgetRoutes();
  }

  get servicePort(): number {
    return portOf(this.service);
  }

  override reset(): void {
    super.reset();
    this.resolved.length = 0;
    this.settings = plainSettings;
  }

  protected override connector(): Router {
    return new Router({
      settings: () => this.current,
      requestTimeout: () => this.limits.requestTimeout,
      lookup: resolver({}, this.resolved),
      ...this.routerOptions,
    });
  }
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
