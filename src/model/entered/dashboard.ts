import {
  type AddressProblem,
  addressProblem,
  isLoopback,
  pathSegment,
  withMarksEncoded,
} from '../../api/entered/baseUrl.js';
import { withoutQuotes } from '../../api/entered/pastedText.js';

/** What the ID of a deployment replaces in the template of the dashboard's URL. */
export const idPlaceholder = '{deploymentId}';

/**
 * Why a template of the dashboard's URL can't be used. `missing`: it has no place for an ID.
 * `host`: the ID would be a part of the host.
 */
export type DashboardProblem = AddressProblem | 'missing' | 'host';

const schemeAndAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\\s]*/i;

/**
 * Checks the setting of the dashboard's URL. Returns `undefined` if it can be used, otherwise the
 * first problem.
 */
export function dashboardProblem(setting: string): DashboardProblem | undefined {
  const template = withoutQuotes(setting);
  const origin = schemeAndAuthority.exec(template)?.[0] ?? '';
  if (origin.includes(idPlaceholder)) return origin.includes('@') ? 'credentials' : 'host';
  const problem = addressProblem(template);
  if (problem !== undefined) return problem;
  return template.includes(idPlaceholder) ? undefined : 'missing';
}

/** The page of one deployment in the dashboard. */
export interface DashboardPage {
  /** The address as a browser writes it. */
  readonly url: string;
  readonly host: string;
  readonly origin: string;
  /** The ID needs no encoding, so that decoding the URL does not change it. */
  readonly isPlain: boolean;
  readonly isLoopback: boolean;
}

/**
 * Makes the page of a deployment from a template without a problem. Throws if `pathSegment` refuses
 * the ID.
 */
export function dashboardPage(setting: string, id: string): DashboardPage {
  const template = withoutQuotes(setting);
  const encodedId = withMarksEncoded(pathSegment(id));
  // A replacement that is a string would have patterns such as `$&`.
  const url = new URL(template.replaceAll(idPlaceholder, () => encodedId));
  return {
    url: url.href,
    host: url.host,
    origin: url.origin,
    isPlain: /^[\w.-]+$/.test(id),
    isLoopback: isLoopback(url.hostname),
  };
}
