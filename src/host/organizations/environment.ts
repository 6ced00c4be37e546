import { type BaseUrlProblem, parseBaseUrl, versionPrefix } from '../../api/baseUrl.js';
import { isUsableToken } from '../../api/secrets.js';
import { environmentName, type StoredOrganization } from './organization.js';

export const environmentVariables = {
  token: 'AUTOMATION_PLATFORM_TOKEN',
  baseUrl: 'AUTOMATION_PLATFORM_BASE_URL',
} as const;

/** Fixed, so that a workspace that chose it finds it again in the next window. */
export const environmentId = 'environment';

/** The read-only organization of Codespaces, dev containers and CI, if both variables make one; else the log says why not. */
export function environmentOrganization(
  env: Readonly<Record<string, string | undefined>>,
  log: { warn(line: string): void },
): StoredOrganization | undefined {
  const token = env[environmentVariables.token]?.trim();
  const address = env[environmentVariables.baseUrl]?.trim();
  if (!token && !address) return undefined;
  const ignore = (reason: string): undefined => {
    log.warn(`The organization of the environment variables is ignored: ${reason} Then start VS Code again.`);
  };
  if (!address) {
    return ignore(`${environmentVariables.token} is set without ${environmentVariables.baseUrl}. Set both, or none.`);
  }
  if (!token) {
    return ignore(`${environmentVariables.baseUrl} is set without ${environmentVariables.token}. Set both, or none.`);
  }
  const parsed = parseBaseUrl(address);
  if (!parsed.ok) return ignore(`${environmentVariables.baseUrl} ${fixes[parsed.problem]}`);
  if (!isUsableToken(token)) {
    return ignore(`${environmentVariables.token} has a character in it that no token can have. Copy it once more.`);
  }
  return { id: environmentId, name: environmentName, baseUrl: parsed.url, token };
}

/** The value itself is not repeated: credentials may be the very thing that is wrong with it. */
const fixes: Readonly<Record<BaseUrlProblem, string>> = {
  notAUrl: `is no URL. Write it as https://host.example${versionPrefix}.`,
  scheme: 'has another scheme than https. Write https.',
  credentials: 'has credentials in it. Take them out.',
  insecure: 'is http to another machine. Write https.',
  query: 'has a query in it. Take out everything from the ? on.',
  fragment: 'has a fragment in it. Take out everything from the # on.',
  path: `does not end in the version prefix. Append ${versionPrefix}.`,
};
