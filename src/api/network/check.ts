import { noAnswer, redirected } from '../answer.js';
import { authorizationTemplate } from '../authorization.js';
import { within } from '../deadline.js';
import type { Failure } from '../failure.js';
import type { KnownSecrets } from '../secrets.js';
import { failureOf, type Target, wireRequest } from '../send.js';
import { exchangeByEditor } from './editorFetch.js';
import type { WireRequest, WireResult } from './exchange.js';
import { Opening, type OpeningStep } from './open.js';
import { Pool } from './pool.js';
import { decideRoute, mayAskEditor, type Proxy, type ProxySource, type Route, type RouteSettings } from './route.js';
import type { RouterOptions } from './router.js';
import { Trust, type TrustTrouble } from './trust.js';

/** One step on the way to a service, as it is done. No credential is in it. `duration`: ms. */
export type ConnectionStep =
  | {
      readonly kind: 'route';
      readonly route: Route['kind'];
      readonly why?: Extract<Route, { kind: 'direct' }>['why'];
      readonly from?: ProxySource;
      readonly proxy?: Pick<Proxy, 'host' | 'port' | 'tls'>;
      readonly credentials?: boolean;
      /** Whether the editor's own `fetch` is tried if no connection can be made. */
      readonly mayTryEditor: boolean;
    }
  /** Only if the system's certificates could not be had: those that Node carries are all that is trusted. */
  | { readonly kind: 'certificates'; readonly trouble: TrustTrouble; readonly duration: number }
  | OpeningStep
  | HttpStep;

/** One harmless request. `redirectedTo`: host of a redirect, not followed; `failure`: why there is no status. */
interface HttpStep {
  readonly kind: 'http';
  readonly via: 'direct' | 'proxy' | 'editor';
  readonly status?: number;
  readonly redirectedTo?: string;
  readonly failure?: Failure;
  readonly duration: number;
}

export interface CheckOptions extends Pick<RouterOptions, 'editorFetch' | 'resolve' | 'readCertificates'> {
  readonly settings: RouteSettings;
  /** Ends the check: no further step is told, and nothing stays open. */
  readonly signal: AbortSignal;
  /** Ms that one step may take. */
  readonly timeout: number;
  /** Absent: an id that no deployment is likely to have. */
  readonly deploymentId?: string;
  readonly secrets: KnownSecrets;
  /** Epoch ms until which a 429 holds this organization's requests, if one does. */
  readonly pausedUntil: (organizationId: string) => number | undefined;
}

/**
 * Goes to a service step by step and tells each step as it is done. Never rejects; after a step that failed only the other way,
 * through the editor, may follow. Neither pools nor remembered routes are touched.
 *
 * No operation can test a token, so the request at the end is the one without side effects that is sent all
 * the time anyway: reading the authorization of a deployment. An answer is an answer, 404 as well.
 */
export async function check(
  target: Target,
  options: CheckOptions,
  tell: (step: ConnectionStep) => void,
): Promise<void> {
  const { settings, signal, timeout, resolve } = options;
  const tellUnlessEnded = (step: ConnectionStep): void => {
    if (!signal.aborted) tell(step);
  };
  const origin = new URL(target.baseUrl);
  const route = decideRoute(origin, settings);
  const editorFetch = mayAskEditor(route, settings) ? options.editorFetch : undefined;
  tellUnlessEnded(routeStep(route, editorFetch !== undefined));
  if (route.kind === 'direct' || route.kind === 'proxy') {
    const trust = new Trust(options.readCertificates);
    const start = performance.now();
    const wanted = origin.protocol === 'https:' && settings.systemCertificates;
    const context = await trust.context(wanted, timeout, signal).catch(() => undefined);
    const { trouble } = trust;
    if (trouble) tellUnlessEnded({ kind: 'certificates', trouble, duration: performance.now() - start });
    const proxy = route.kind === 'proxy' ? route.proxy : undefined;
    const way = { proxy, context, resolve, storeOf: (certificate: Buffer) => trust.storeOf(certificate) };
    const opening = within(timeout, signal, (limited, restart) =>
      new Opening(way, limited, (step) => {
        // Each step may take the whole time-out.
        restart();
        tellUnlessEnded(step);
      }).connectTo(origin),
    );
    const socket = await opening.catch(() => undefined);
    if (socket) {
      const opened = () => Promise.resolve(socket);
      tellUnlessEnded(await sendOne(target, route.kind, (request) => new Pool().exchange(request, opened), options));
      socket.destroy();
      return;
    }
  }
  if (editorFetch && !signal.aborted) {
    tellUnlessEnded(await sendOne(target, 'editor', (request) => exchangeByEditor(editorFetch, request), options));
  }
}

function routeStep(route: Route, mayTryEditor: boolean): ConnectionStep {
  if (route.kind !== 'proxy') return { ...route, kind: 'route', route: route.kind, mayTryEditor };
  const { from, host, port, tls, authorization } = route.proxy;
  const credentials = authorization !== undefined;
  return { kind: 'route', route: route.kind, from, proxy: { host, port, tls }, credentials, mayTryEditor };
}

/** Sends the one harmless request, unless the service asked to wait; nothing of the answer's body is read. */
async function sendOne(
  target: Target,
  via: HttpStep['via'],
  exchange: (request: WireRequest) => Promise<WireResult>,
  { signal, timeout, deploymentId = 'connection-check', secrets, pausedUntil }: CheckOptions,
): Promise<HttpStep> {
  const start = performance.now();
  const step = (facts: Partial<HttpStep>): HttpStep => {
    return { kind: 'http', via, duration: performance.now() - start, ...facts };
  };
  const until = pausedUntil(target.organizationId);
  if (until !== undefined) return step({ failure: { kind: 'rateLimited', status: 429, until } });
  try {
    const request = wireRequest(target, { method: 'GET', template: authorizationTemplate, id: deploymentId });
    const only = { ...request, alone: true, wanted: () => ({ bytes: 0 }) };
    const result = await within(timeout, signal, (limited) => exchange({ ...only, signal: limited }));
    if (result.kind === 'stopped') return step({ failure: { kind: 'timedOut', after: timeout } });
    if (result.kind !== 'answer') return step({ failure: noAnswer(result) });
    const { status } = result;
    const host = status >= 300 && status < 400 ? redirected(result, target.baseUrl, secrets).host : undefined;
    return step({ status, ...(host !== undefined && { redirectedTo: host }) });
  } catch (error) {
    // An id or a token that can't be sent.
    return step({ failure: failureOf(error) });
  }
}
