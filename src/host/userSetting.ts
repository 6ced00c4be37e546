/**
 * What `inspect()` says about a setting. Its public type lacks the last two, which VS Code 1.105 and
 * 1.139 have.
 */
interface InspectedSetting {
  /** From the user's settings, or in a remote window from the settings of the remote machine. */
  readonly globalValue?: unknown;
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
}

/** Which editor reads the setting: `vscode.env.remoteName` and `vscode.version`. */
export interface Editor {
  readonly remoteName: string | undefined;
  readonly version: string;
}

interface UserSetting {
  /** `undefined` if the user did not set it. */
  readonly value: unknown;
  /** `false`: a repository's dev container may have written it into the remote machine's settings. */
  readonly isOwn: boolean;
}

/**
 * Returns what the user wrote into their own settings, for settings that only the user may set (scope
 * `application`). `WorkspaceConfiguration.get()` is not enough: VS Code before 1.132 looks only at
 * the first key of a setting, so `{ "automationPlatform": { "baseUrl": … } }` in a workspace passes
 * by scope and trust (https://github.com/microsoft/vscode/issues/330310), and in the same way a dev
 * container's settings pass into those of the remote machine.
 */
export function userSetting(inspected: InspectedSetting | undefined, editor: Editor): UserSetting {
  if (!inspected) return { value: undefined, isOwn: true };
  const { globalValue, globalLocalValue, globalRemoteValue } = inspected;
  if (editor.remoteName === undefined) return { value: globalValue, isOwn: true };
  if ('globalLocalValue' in inspected) {
    // VS Code keeps application settings in the default profile. In a window of another profile only
    // `globalValue` has them, unless the remote machine has a value, which then hides them.
    const ofDefaultProfile = globalRemoteValue === undefined ? globalValue : undefined;
    return { value: globalLocalValue ?? ofDefaultProfile, isOwn: true };
  }
  return { value: globalValue, isOwn: filtersNestedSettings(editor.version) };
}

/** For the log, of a setting whose value does not count because it may not be the user's own. */
export function unusedSettingLine(setting: string): string {
  const reason = 'this editor does not say whether it is yours or the remote machine’s';
  return `The setting ${setting} is not used in this remote window: ${reason}.`;
}

/** VS Code 1.132 and newer look at whole keys. */
function filtersNestedSettings(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 132);
}
