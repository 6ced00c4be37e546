// What a repository and its dev container may write into settings files, and what the user wrote. All of it is nested
// (`{ "automationPlatform": { … } }`), which VS Code before 1.132 lets through whatever a setting's scope.

/** One setting: its value in each file, none of them the default. */
interface SettingInFiles {
  /** Absent: the user did not set it. */
  readonly user?: unknown;
  /** The settings of the remote machine, which a dev container's `customizations.vscode.settings` become. */
  readonly machine: unknown;
  /** `.code-workspace` */
  readonly workspace: unknown;
  /** `.vscode/settings.json` */
  readonly folder: unknown;
}

export type SettingsFileName = keyof SettingInFiles;

export const foreignSettings: Readonly<Record<string, SettingInFiles>> = {
  baseUrl: {
    user: 'https://user.example/api/v1',
    machine: 'https://machine.example/api/v1',
    workspace: 'https://workspace.example/api/v1',
    folder: 'https://folder.example/api/v1',
  },
  dashboardUrl: {
    machine: 'https://machine.example/{deploymentId}',
    workspace: 'https://workspace.example/{deploymentId}',
    folder: 'https://folder.example/{deploymentId}',
  },
  requestTimeout: { user: 11, machine: 12, workspace: 13, folder: 14 },
  maxConcurrentRequests: { machine: 22, workspace: 23, folder: 24 },
  deployments: { user: ['user'], machine: ['machine'], workspace: ['workspace'], folder: ['folder'] },
  owners: {
    user: { acc_1: 'user' },
    machine: { acc_1: 'machine' },
    workspace: { acc_1: 'workspace' },
    folder: { acc_1: 'folder' },
  },
  refreshInterval: { user: 31, machine: 32, workspace: 33, folder: 34 },
  'diagnostics.failedAccounts': { user: 'hint', machine: 'error', workspace: 'off', folder: 'information' },
  'diagnostics.unsatisfiedRequirements': { user: 'hint', machine: 'error', workspace: 'off', folder: 'warning' },
  inlayHints: { machine: 'off', workspace: 'off', folder: 'off' },
  'statusBar.enabled': { machine: false, workspace: false, folder: false },
  'badge.enabled': { machine: false, workspace: false, folder: false },
  'notifications.newProblems': { machine: true, workspace: true, folder: true },
};

/** VS Code's own setting. Of the remote machine it counts by right: a dev container has its own network. */
const proxies: Readonly<Partial<Record<SettingsFileName, string>>> = {
  workspace: 'http://workspace.example:3128',
  folder: 'http://folder.example:3128',
};

/** The settings of one file: `{ "automationPlatform": { "diagnostics": { "failedAccounts": … } } }`. */
export function nestedSettings(file: SettingsFileName): Record<string, unknown> {
  const own: Nested = {};
  for (const [key, values] of Object.entries(foreignSettings)) {
    if (values[file] !== undefined) setNested(own, key, values[file]);
  }
  const proxy = proxies[file];
  return { automationPlatform: own, ...(proxy !== undefined && { http: { proxy } }) };
}

/** No setting has more than one dot. */
type Nested = Record<string, unknown>;

function setNested(target: Nested, key: string, value: unknown): void {
  const [first = '', second] = key.split('.');
  const outer = target[first];
  if (second === undefined) target[first] = value;
  else target[first] = { ...(typeof outer === 'object' && outer), [second]: value };
}

/** The windows in which test/host/windows runs. */
export const foreignWindows = [
  { name: 'a trusted folder', isTrusted: true, hasWorkspaceFile: false },
  { name: 'a folder that is not trusted', isTrusted: false, hasWorkspaceFile: false },
  { name: 'a trusted workspace file', isTrusted: true, hasWorkspaceFile: true },
  { name: 'a workspace file that is not trusted', isTrusted: false, hasWorkspaceFile: true },
] as const;

/** The file of the report that Mocha writes in this window. */
export function foreignReportName(window: string): string {
  return `${window.replaceAll(' ', '-')}.json`;
}
