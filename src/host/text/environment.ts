import { type BaseUrlProblem, parseBaseUrl, versionPrefix } from '../../api/baseUrl.js';
import { isUsableToken } from '../../api/secrets.js';
import { environmentId, type StoredOrganization } from '../organizations/organization.js';

export const environmentVariables = {
  token: 'AUTOMATION_PLATFORM_TOKEN',
  baseUrl: 'AUTOMATION_PLATFORM_BASE_URL',
} as const;

/** The read-only organization of Codespaces, dev containers and CI, if both variables make one; else what to do about them. */
export function environmentOrganization(
  env: Readonly<Record<string, string | undefined>>,
): StoredOrganization | string | undefined {
  const token = env[environmentVariables.token]?.trim();
  const address = env[environmentVariables.baseUrl]?.trim();
  if (!token && !address) return undefined;
  if (!address || !token) return 'only one of them is set. Set both or neither.';
  const parsed = parseBaseUrl(address);
  if (!parsed.ok) return `the base URL ${baseUrlFixes[parsed.problem]}`;
  if (!isUsableToken(token)) return 'the token contains characters that no token can have. Copy it again.';
  return { id: environmentId, name: environmentId, baseUrl: parsed.url, token };
}

/** The value itself is not repeated: credentials may be the very thing that is wrong with it. */
const baseUrlFixes: Readonly<Record<BaseUrlProblem, string>> = {
  notAUrl: `is not a full URL. Use the form https://host.example${versionPrefix}.`,
  scheme: 'does not start with https. Use https.',
  credentials: 'contains credentials. Remove them.',
  insecure: 'uses http for another machine. Use https.',
  query: 'contains a query string. Remove it.',
  fragment: 'contains a fragment. Remove the # and everything after it.',
  path: `does not end in ${versionPrefix}. Append it.`,
};
