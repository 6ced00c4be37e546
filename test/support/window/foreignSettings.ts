// What a repository and its dev container may write into settings files, and what the user wrote. All of it is nested
// (`{ "automationPlatform": { … }, "http": { … } }`), which VS Code before 1.132 lets through whatever a setting's scope.

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

const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);

/** An entry of the setting `mutes` that names this account. */
function muteOf(account: string): object {
  return { account, error: 'token_revoked', since: today, until: today, reason: 'App review' };
}

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
  deployments: {
    user: ['user'],
    machine: ['machine'],
    workspace: ['workspace'],
    folder: ['folder'],
  },
  owners: {
    user: { acc_1: 'user' },
    machine: { acc_1: 'machine' },
    workspace: { acc_1: 'workspace' },
    folder: { acc_1: 'folder' },
  },
  mutes: {
    user: [muteOf('user')],
    machine: [muteOf('machine')],
    workspace: [muteOf('workspace')],
    folder: [muteOf('folder')],
  },
  refreshInterval: { user: 31, machine: 32, workspace: 33, folder: 34 },
  'diagnostics.failedAccounts': {
    user: 'hint',
    machine: 'error',
    workspace: 'off',
    folder: 'information',
  },
  'diagnostics.unsatisfiedRequirements': {
    user: 'hint',
    machine: 'error',
    workspace: 'off',
    folder: 'warning',
  },
  inlayHints: { machine: 'off', workspace: 'off', folder: 'off' },
  'statusBar.enabled': { machine: false, workspace: false, folder: false },
  'badge.enabled': { machine: false, workspace: false, folder: false },
  'notifications.newProblems': { machine: true, workspace: true, folder: true },
};

/** VS Code's own settings, `http.…`. */
export const foreignNetworkSettings: Readonly<Record<string, SettingInFiles>> = {
  proxy: {
    user: 'http://user.example:3128',
    machine: 'http://machine.example:3128',
    workspace: 'http://workspace.example:3128',
    folder: 'http://folder.example:3128',
  },
  proxySupport: { machine: 'off', workspace: 'off', folder: 'off' },
  noProxy: {
    machine: ['machine.example'],
    workspace: ['workspace.example'],
    folder: ['folder.example'],
  },
  proxyAuthorization: {
    machine: 'Basic machine',
    workspace: 'Basic workspace',
    folder: 'Basic folder',
  },
  proxyStrictSSL: { machine: false, workspace: false, folder: false },
  systemCertificates: { machine: false, workspace: false, folder: false },
};

/** The settings of one file: `{ "automationPlatform": { "diagnostics": { "failedAccounts": … } }, "http": … }`. */
export function nestedSettings(file: SettingsFileName): Record<string, unknown> {
  return {
    automationPlatform: nested(foreignSettings, file),
    http: nested(foreignNetworkSettings, file),
  };
}

function nested(
  settings: Readonly<Record<string, SettingInFiles>>,
  file: SettingsFileName,
): Nested {
  const result: Nested = {};
  for (const [key, values] of Object.entries(settings)) {
    if (values[file] !== undefined) setNested(result, key, values[file]);
  }
  return result;
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
