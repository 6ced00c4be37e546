import { parseArgs } from 'node:util';
import { type HostVersion, hostVersion, hostVersions } from './vscode/hostVersions.js';

export type SuiteName = 'unit' | 'host' | 'e2e';

export interface CommandLine {
  /** Only these; none: everything that `npm test` is. */
  readonly suites: readonly SuiteName[];
  /** Only tests whose full title matches. */
  readonly grep?: string;
  /** The VS Code versions to use: one, or all. */
  readonly versions: readonly HostVersion[];
  /** Everything in every version. */
  readonly all: boolean;
  /** What `all` has and the usual run leaves out, with what it goes on from. */
  readonly rest: boolean;
  /** In a downloaded desktop VS Code instead of the server. */
  readonly desktop: boolean;
  /** `npm start`: not in the desktop VS Code that is installed. */
  readonly browser: boolean;
  /** How many jobs run at once. */
  readonly lanes: number;
}

export function readCommandLine(args = process.argv.slice(2)): CommandLine {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      grep: { type: 'string', short: 'g' },
      vscode: { type: 'string', multiple: true },
      all: { type: 'boolean' },
      rest: { type: 'boolean' },
      desktop: { type: 'boolean' },
      browser: { type: 'boolean' },
      // Two windows keep two cores busy.
      lanes: { type: 'string', default: '2' },
    },
  });
  return {
    suites: (['unit', 'host', 'e2e'] as const).filter((suite) => positionals.includes(suite)),
    versions: values.vscode ? values.vscode.map(hostVersion) : hostVersions,
    all: values.all ?? false,
    rest: values.rest ?? false,
    desktop: values.desktop ?? false,
    browser: values.browser ?? false,
    lanes: Number(values.lanes),
    ...(values.grep !== undefined && { grep: values.grep }),
  };
}
