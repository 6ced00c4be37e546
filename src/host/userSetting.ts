/**
 * What `WorkspaceConfiguration.inspect()` returns about a setting. Its public type lacks the last
 * two fields, which VS Code 1.105 and 1.139 have.
 */
interface InspectedSetting {
  /** From the user's settings, or in a remote window from the settings of the remote machine. */
  readonly globalValue?: unknown;
  /** From the user's settings on the local machine. */
  readonly globalLocalValue?: unknown;
  /** From the settings of the remote machine. */
  readonly globalRemoteValue?: unknown;
}

/** The editor that reads the setting: `vscode.env.remoteName` and `vscode.version`. */
export interface Editor {
  readonly remoteName: string | undefined;
  readonly version: string;
}

interface UserSetting {
  /** `undefined` if the user did not set it. */
  readonly value: unknown;
  /**
   * Whether the value is certainly the user's. If not, a repository's dev container may have
   * written it into the settings of the remote machine.
   */
  readonly isUsersOwn: boolean;
}

/**
 * Returns what the user wrote into their own settings, for settings that only the user may set
 * (scope `application`). `WorkspaceConfiguration.get()` is not enough: VS Code before 1.132 looks
 * only at the first key of a setting, so `{ "automationPlatform": { "baseUrl": … } }` in a
 * workspace passes by scope and trust (https://github.com/microsoft/vscode/issues/330310), and in
 * the same way a dev container's settings pass into those of the remote machine.
 */
export function userSetting(inspected: InspectedSetting | undefined, editor: Editor): UserSetting {
  if (!inspected) return { value: undefined, isUsersOwn: true };
  const { globalValue, globalLocalValue, globalRemoteValue } = inspected;
  const isRemoteWindow = editor.remoteName !== undefined;
  if (!isRemoteWindow) return { value: globalValue, isUsersOwn: true };

  if ('globalLocalValue' in inspected) {
    // VS Code keeps application settings in the default profile. In a window of another
    // profile only `globalValue` has them, unless the remote machine has a value, which then hides
    // them.
    const defaultProfileValue = globalRemoteValue === undefined ? globalValue : undefined;
    return { value: globalLocalValue ?? defaultProfileValue, isUsersOwn: true };
  }
  return { value: globalValue, isUsersOwn: checksScopeOfNestedSettings(editor.version) };
}

/**
 * The log line about a setting whose value is not used because it may not be the user's: "The
 * setting http.proxy is not used in this remote window: …"
 */
export function unusedSettingLine(setting: string): string {
  const reason = 'this editor does not say whether it is yours or the remote machine’s';
  return `The setting ${setting} is not used in this remote window: ${reason}.`;
}

/** VS Code 1.132 and newer look at the whole key of a setting. */
function checksScopeOfNestedSettings(vsCodeVersion: string): boolean {
  const [major = 0, minor = 0] = vsCodeVersion.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 132);
}
