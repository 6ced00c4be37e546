import { addressProblem, isLoopback, markless, pathSegment } from '../../api/baseUrl.js';

export const placeholder = '{deploymentId}';

/** Why a template can't be used: the first of these that holds. `insecure`: `http` to a host that is not this machine. */
export type DashboardProblem = 'notAUrl' | 'scheme' | 'credentials' | 'insecure' | 'missing' | 'host';

export function dashboardProblem(template: string): DashboardProblem | undefined {
  const [authority = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\\s]*/i.exec(template) ?? [];
  if (authority.includes(placeholder)) return authority.includes('@') ? 'credentials' : 'host';
  return addressProblem(template) ?? (template.includes(placeholder) ? undefined : 'missing');
}

/** For a template without a problem. `url`: as a browser writes it. `isPlain`: the ID needs no encoding, so that decoding changes nothing. */
export function dashboardPage(template: string, id: string) {
  const encoded = markless(pathSegment(id));
  const { href, host, origin, hostname } = new URL(template.replaceAll(placeholder, () => encoded));
  return { url: href, host, origin, isPlain: /^[\w.-]+$/.test(id), isLoopback: isLoopback(hostname) };
}
