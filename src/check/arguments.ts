import { parseArgs } from 'node:util';
import { readEntry } from '../model/listEntries.js';

/** Why nothing is checked. `exitCode`: 3 for what is not configured, 64 for wrong arguments. */
export class Refusal extends Error {
  constructor(
    readonly exitCode: 3 | 64,
    reason: string,
  ) {
    super(reason);
  }
}

export const usage = `Says which deployments of the automation platform are failing, and why. It sends GET requests only.

node automation-platform-check.mjs [--list FILE] [--id ID]... [--fail-on failed|not-satisfied]
[--format text|json|github] [--timeout SECONDS] [--without-token skip]

--list FILE            settings with "automationPlatform.deployments", or a text file with one ID a line
(neither list nor ID)  .vscode/settings.json and *.code-workspace of the working folder
--id ID                a deployment to check; may be repeated
--fail-on KIND         not-satisfied (default): failed accounts and requirements that are not satisfied; failed: accounts only
--format FORMAT        text (default), json, or github (annotations, and a table in $GITHUB_STEP_SUMMARY)
--timeout SECONDS      for the whole run, 300 by default, including waits that the service asks for
--without-token skip   exit with 0 if there is no token, for runs that get no secrets (forks)

Environment: AUTOMATION_PLATFORM_TOKEN, and AUTOMATION_PLATFORM_BASE_URL (https://host.example/api/v1).
Behind a proxy: HTTPS_PROXY, and NODE_USE_ENV_PROXY=1 (Node 22.21, 24, or newer).
GitLab, Jenkins: keep the token as a masked variable (a credential), and run  node automation-platform-check.mjs
Exit code: 0 all healthy; 1 a problem; 2 something could not be read; 3 nothing to check, or not configured; 64 wrong arguments.
`;

const string = { type: 'string' } as const;

export type Options = ReturnType<typeof readOptions>;

/** @throws Refusal, or an error of Node with a code of `ERR_PARSE_ARGS_`… */
export function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      list: string,
      id: { ...string, multiple: true, default: [] },
      'fail-on': { ...string, default: 'not-satisfied' },
      format: { ...string, default: 'text' },
      timeout: { ...string, default: '300' },
      'without-token': { ...string, default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { 'fail-on': failOn, format, help, id: ids, list, timeout, 'without-token': withoutToken } = values;
  if (!/^0*[1-9]\d{0,4}$/.test(timeout)) throw new Refusal(64, '--timeout takes 1 to 99999 seconds.');
  if (ids.some((id) => readEntry(id) === undefined)) throw new Refusal(64, '--id takes the ID of a deployment.');
  return {
    help,
    ids,
    list,
    failOn: oneOf('--fail-on', failOn, ['not-satisfied', 'failed']),
    format: oneOf('--format', format, ['text', 'json', 'github']),
    timeoutMs: Number(timeout) * 1000,
    skipsWithoutToken: withoutToken !== '' && oneOf('--without-token', withoutToken, ['skip']) === 'skip',
  };
}

function oneOf<const T extends string>(option: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === given);
  if (found === undefined) throw new Refusal(64, `${option} takes ${allowed.join(' or ')}.`);
  return found;
}
