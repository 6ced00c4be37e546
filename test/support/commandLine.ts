import { parseArgs } from 'node:util';
import { type HostVersion, hostVersion, hostVersions } from './vscode/hostVersions.js';

export interface CommandLine {
  /** Only tests whose full title matches. */
  readonly grep?: string;
  /** The VS Code versions to use: one, or all. */
  readonly versions: readonly HostVersion[];
  /** In a downloaded desktop VS Code instead of the server. */
  readonly desktop: boolean;
  /** `npm start`: not in the desktop VS Code that is installed. */
  readonly browser: boolean;
  /** One of several processes of the same runner, for one version. */
  readonly child: boolean;
  /** Where another runner wants to read our counts. */
  readonly results?: string;
  /** A packaged extension that another runner has made. */
  readonly vsix?: string;
}

export function readCommandLine(args = process.argv.slice(2)): CommandLine {
  const { values } = parseArgs({
    args,
    options: {
      grep: { type: 'string', short: 'g' },
      vscode: { type: 'string', multiple: true },
      desktop: { type: 'boolean' },
      browser: { type: 'boolean' },
      results: { type: 'string' },
      child: { type: 'boolean' },
      vsix: { type: 'string' },
    },
  });
  return {
    versions: values.vscode ? values.vscode.map(hostVersion) : hostVersions,
    desktop: values.desktop ?? false,
    browser: values.browser ?? false,
    child: values.child ?? false,
    ...(values.grep !== undefined && { grep: values.grep }),
    ...(values.results !== undefined && { results: values.results }),
    ...(values.vsix !== undefined && { vsix: values.vsix }),
  };
}
