import { unescape } from 'node:querystring';
import type { PlatformData, TokenKind } from './data.js';
import type { Operation, Route } from './faults.js';
import { type Answer, errorAnswer, jsonAnswer } from './send.js';

const routes: readonly (readonly [Operation, RegExp])[] = [
  ['getIntegrationInstall', /^GET \/api\/v1\/integration-installs\/([^/]+)$/],
  ['deleteApiKey', /^DELETE \/api\/v1\/api-keys\/([^/]+)$/],
  ['getDeploymentAuthorization', /^GET \/api\/v1\/deployments\/([^/]+)\/authorization$/],
];

/** By the path as it came: a URL parser would already have resolved the `..` that a careless client sends. */
export function routeOf(method: string, path: string): Route {
  for (const [operation, pattern] of routes) {
    const id = pattern.exec(`${method} ${path}`)?.[1];
    if (id !== undefined) return { operation, id: unescape(id) };
  }
  return {};
}

/** The true answer of now. With `effect` a DELETE deletes. */
export function operate(
  data: PlatformData,
  { operation, id }: Route,
  bearer: string,
  effect: boolean,
): Answer {
  if (operation === undefined || id === undefined) return errorAnswer(404, 'No such operation');
  const kind = data.tokens.get(bearer);
  if (kind === undefined || !accepts(data, operation, kind)) {
    const answer = errorAnswer(
      401,
      kind === undefined ? 'Unknown token' : 'Another kind of token is needed here',
    );
    return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } };
  }
  switch (operation) {
    case 'getIntegrationInstall':
      return found(data.installs, id.toLowerCase());
    case 'getDeploymentAuthorization':
      return found(data.deployments, id);
    default:
      if (!data.apiKeys.has(id)) return errorAnswer(404);
      if (effect) data.apiKeys.delete(id);
      return { status: 204, headers: {}, body: null };
  }
}

/**
 * Whose token the look-up takes: docs/service.md says "a user session token" and no more, hence session tokens only as soon as
 * one is configured, else access tokens.
 */
function accepts({ tokens }: PlatformData, operation: Operation, kind: TokenKind): boolean {
  const sessions =
    operation === 'getIntegrationInstall' && [...tokens.values()].includes('session');
  return kind === 'both' || kind === (sessions ? 'session' : 'access');
}

function found(known: Map<string, unknown>, id: string): Answer {
  return known.has(id) ? jsonAnswer(200, known.get(id)) : errorAnswer(404);
}
