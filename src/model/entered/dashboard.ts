import {
  type AddressProblem,
  addressProblem,
  isLoopback,
  markless,
  pathSegment,
} from '../../api/entered/baseUrl.js';
import { withoutQuotes } from '../../api/entered/pastedText.js';

export const placeholder = '{deploymentId}';

/**
 * Why a template can't be used: the first of these that holds. `host`: the ID would stand in it.
 */
export type DashboardProblem = AddressProblem | 'missing' | 'host';

export function dashboardProblem(setting: string): DashboardProblem | undefined {
  const template = withoutQuotes(setting);
  const [authority = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\\s]*/i.exec(template) ?? [];
  if (authority.includes(placeholder)) return authority.includes('@') ? 'credentials' : 'host';
  return addressProblem(template) ?? (template.includes(placeholder) ? undefined : 'missing');
}

/**
 * For a template without a problem. `url`: as a browser writes it. `isPlain`: the ID needs no
 * encoding, so that decoding changes nothing.
 */
export function dashboardPage(setting: string, id: string) {
  const template = withoutQuotes(setting);
  const encoded = markless(pathSegment(id));
  const { href, host, origin, hostname } = new URL(template.replaceAll(placeholder, () => encoded));
  return {
    url: href,
    host,
    origin,
    isPlain: /^[\w.-]+$/.test(id),
    isLoopback: isLoopback(hostname),
  };
}
