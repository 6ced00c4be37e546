import { parseArgs } from 'node:util';
import { hostVersion, hostVersions } from './vscode/hostVersions.js';

export type SuiteName = 'unit' | 'host' | 'e2e';

export type CommandLine = ReturnType<typeof readCommandLine>;

export function readCommandLine(args = process.argv.slice(2)) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      /** Only tests whose full title matches. */
      grep: { type: 'string', short: 'g' },
      /** The VS Code versions to use, of all that are known. */
      vscode: { type: 'string', multiple: true },
      /** Everything in every version. */
      all: { type: 'boolean', default: false },
      /** What `all` has and the usual run leaves out, with what it goes on from. */
      rest: { type: 'boolean', default: false },
      /** In a downloaded desktop VS Code instead of the server. */
      desktop: { type: 'boolean', default: false },
      /** `npm start`: not in the desktop VS Code that is installed. */
      browser: { type: 'boolean', default: false },
      /** How many jobs run at once. Each waits for its window half of the time, so that three keep two cores busy. */
      lanes: { type: 'string', default: '3' },
    },
  });
  return {
    ...values,
    /** Only these; none: everything that `npm test` is. */
    suites: (['unit', 'host', 'e2e'] as const).filter((suite) => positionals.includes(suite)),
    versions: values.vscode?.map(hostVersion) ?? hostVersions,
    lanes: Number(values.lanes),
  };
}
