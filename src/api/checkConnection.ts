import type { LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import { checkHttp } from './checkHttp.js';
import type { Target } from './client.js';
import type { ConnectionStep } from './connectionStep.js';
import { EditorConnector } from './network/editorConnector.js';
import { openStepByStep } from './network/openStepByStep.js';
import { orStopped } from './network/orStopped.js';
import { PooledConnector } from './network/pooledConnector.js';
import { decideRoute, type Route } from './network/route.js';
import { type RouteSettings, verifies } from './network/routeSettings.js';
import { type ReadCertificates, Trust, type TrustTrouble } from './network/trust.js';
import type { KnownSecrets } from './secrets.js';

export interface CheckOptions {
  readonly settings: RouteSettings;
  /** The editor's own `fetch`; absent: no second try. */
  readonly editorFetch?: typeof fetch;
  /** Ends the check: no further step comes, and nothing stays open. */
  readonly signal: AbortSignal;
  /** Ms that one step may take. */
  readonly timeout: number;
  /** A deployment to ask for; absent: an id that no deployment is likely to have. */
  readonly deploymentId?: string;
  readonly secrets: KnownSecrets;
  /** Epoch ms until which a 429 holds this organization's requests, if one does. */
  readonly pausedUntil: (organizationId: string) => number | undefined;
  /** Instead of the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Instead of the stores of this machine. */
  readonly readCertificates?: ReadCertificates;
}

/**
 * Goes to a service step by step and tells each step as it is done. Never throws; after a step that failed only the other way,
 * through the editor, may follow. Nothing that is used elsewhere is touched: neither pools nor remembered routes.
 *
 * No operation can test a token (reference, 5), so the request at the end is the one without side effects that is sent all
 * the time anyway: reading the authorization of a deployment (4.3), with the token, to its own base URL.
 */
export async function* checkConnection(
  target: Target,
  options: CheckOptions,
): AsyncGenerator<ConnectionStep, void, undefined> {
  const origin = new URL(target.baseUrl);
  const route = decideRoute(origin, options.settings);
  const editorFetch = verifies(options.settings) ? options.editorFetch : undefined;
  const mayTryEditor =
    editorFetch !== undefined && (route.kind === 'editor' || (route.kind === 'direct' && route.why === 'noProxyNamed'));
  yield routeStep(route, mayTryEditor);
  if (route.kind === 'direct' || route.kind === 'proxy') {
    const troubles: TrustTrouble[] = [];
    const trust = new Trust(options.readCertificates, (trouble) => troubles.push(trouble));
    const start = performance.now();
    const context = origin.protocol === 'https:' ? await trusted(trust, options) : undefined;
    for (const trouble of troubles) {
      yield { kind: 'certificates', trouble, duration: performance.now() - start };
    }
    const opening = { ...options, trust, context };
    const socket = yield* openStepByStep(origin, route.kind === 'proxy' ? route.proxy : undefined, opening);
    if (socket) {
      const opened = new PooledConnector(() => Promise.resolve(socket));
      yield* present(await checkHttp(target, route.kind, opened, options));
      socket.destroy();
      return;
    }
  }
  if (editorFetch && mayTryEditor && !options.signal.aborted) {
    yield* present(await checkHttp(target, 'editor', new EditorConnector(editorFetch), options));
  }
}

/** Whatever ends the check meanwhile is noticed by the next step. */
async function trusted(trust: Trust, { settings, timeout, signal }: CheckOptions): Promise<SecureContext | undefined> {
  return orStopped(trust.context(settings.systemCertificates, timeout), signal).catch(() => undefined);
}

function* present(step: ConnectionStep | undefined): Generator<ConnectionStep, void, undefined> {
  if (step) {
    yield step;
  }
}

function routeStep(route: Route, mayTryEditor: boolean): ConnectionStep {
  switch (route.kind) {
    case 'direct':
      return { kind: 'route', route: route.kind, why: route.why, mayTryEditor };
    case 'proxy': {
      const { from, host, port, tls, authorization } = route.proxy;
      const credentials = authorization !== undefined;
      return { kind: 'route', route: route.kind, from, proxy: { host, port, tls }, credentials, mayTryEditor };
    }
    default:
      return { kind: 'route', route: route.kind, from: route.from, mayTryEditor };
  }
}
