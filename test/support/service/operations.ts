/** The three operations: which one a request means, whether its token may, and the true answer. */
import type { ServiceData, TokenGrant } from './data.js';
import type { Operation } from './faults.js';
import { type Answer, errorAnswer, jsonAnswer } from './send.js';

export interface Route {
  operation?: Operation;
  /** The decoded path parameter. */
  id?: string;
}

const BASE = '/api/v1';

const ROUTES: { method: string; pattern: RegExp; operation: Operation }[] = [
  { method: 'GET', pattern: /^\/integration-installs\/([^/]+)$/, operation: 'getIntegrationInstall' },
  { method: 'DELETE', pattern: /^\/api-keys\/([^/]+)$/, operation: 'deleteApiKey' },
  { method: 'GET', pattern: /^\/deployments\/([^/]+)\/authorization$/, operation: 'getDeploymentAuthorization' },
];

/** By the path as it came: a URL parser would already have resolved the `..` that a careless client sends. */
export function route(method: string, path: string): Route {
  if (path.startsWith(`${BASE}/`)) {
    for (const candidate of ROUTES) {
      const id = candidate.pattern.exec(path.slice(BASE.length))?.[1];
      if (id !== undefined && candidate.method === method) return { operation: candidate.operation, id: decoded(id) };
    }
  }
  return {};
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The true answer of now. With `effect` a DELETE deletes. */
export function operate(
  data: ServiceData,
  { operation, id }: Route,
  bearer: string | undefined,
  effect: boolean,
): Answer {
  if (operation === undefined || id === undefined) return errorAnswer(404, 'No such operation');
  const granted = bearer === undefined ? undefined : data.tokens.get(bearer);
  if (granted === undefined || !accepts(data, operation, granted)) {
    const answer = errorAnswer(401, granted === undefined ? 'Unknown token' : 'Another kind of token is needed here');
    return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } };
  }
  const lacking = data.permissions[operation].find((permission) => !granted.permissions.includes(permission));
  if (lacking !== undefined) return errorAnswer(403, `Missing permission ${lacking}`);
  switch (operation) {
    case 'getIntegrationInstall':
      return found(data.installs, id.toLowerCase());
    case 'getDeploymentAuthorization':
      return found(data.deployments, id);
    default:
      return revoke(data, id, effect);
  }
}

function accepts(data: ServiceData, operation: Operation, { kind }: TokenGrant): boolean {
  if (kind === 'both') return true;
  if (operation !== 'getIntegrationInstall') return kind === 'access';
  const sessionOnly =
    data.lookUpAccepts === 'session' ||
    (data.lookUpAccepts === 'auto' && [...data.tokens.values()].some((token) => token.kind === 'session'));
  return kind === 'session' || !sessionOnly;
}

function found(known: Map<string, unknown>, id: string): Answer {
  return known.has(id) ? jsonAnswer(200, known.get(id)) : errorAnswer(404);
}

function revoke(data: ServiceData, keyId: string, effect: boolean): Answer {
  if (!data.apiKeys.has(keyId)) return errorAnswer(404);
  if (effect) {
    data.apiKeys.delete(keyId);
  }
  const { status, body, headers } = data.revoked;
  return { status, headers, body: body === null ? null : Buffer.from(body) };
}
