import { access, constants } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { SetTimer } from '../../api/timers.js';
import { type FoundSetting, findSetting } from '../../model/entered/settingsText.js';
import { configurationSection } from '../ids.js';
import { inTime, maxAnswerMs } from '../inTime.js';
import { editedText, isSameValue, mayHaveComments, textWrittenByVsCode } from './editedText.js';
import {
  invalidJsonError,
  notOpenedError,
  notUtf8Error,
  type RefusingScope,
  readOnlyError,
  replacedSettingError,
  setTwiceError,
  staleSettingsError,
  unreadableError,
  unsavedChangesError,
  writeTimeoutError,
} from './refusedChange.js';
import type { SettingsScope } from './settingsScope.js';

type Scope = RefusingScope & Pick<SettingsScope, 'key' | 'value'>;

/** How long VS Code may take to make an editor active after it was asked to show it. */
const maxShowMs = 2000;

/**
 * The file of a scope, as it was when disk, editor, and VS Code's settings agreed about it. Edits
 * one value in the text, and takes back what a write without effect has left in the file or its
 * editor. `openSettingsFile()` makes one for each write, and for each check before one.
 */
export class SettingsFile {
  /** The text before the write. */
  readonly text: string;
  /**
   * The text after our last save, which VS Code may have formatted; before a save the same as
   * `text`.
   */
  private savedText: string;
  /** Read before the write, since VS Code opens a tab for a text that stays unsaved. */
  private readonly hadTab: boolean;

  constructor(
    private readonly scope: Scope,
    private readonly document: vscode.TextDocument,
    private readonly found: FoundSetting,
    private readonly setTimer: SetTimer,
  ) {
    this.text = document.getText();
    this.savedText = this.text;
    this.hadTab = tabOf(document) !== undefined;
  }

  /** The text that VS Code has now. */
  get currentText(): string {
    return this.document.getText();
  }

  /**
   * Whether the value stands in an object of its section, `"automationPlatform": { "deployments": …
   * }`. VS Code's own write would set such a value a second time.
   */
  get isNested(): boolean {
    return this.found.path?.at(-1) === this.scope.key;
  }

  /**
   * Returns the text with this value; `undefined` if there is no former value, if VS Code can write
   * the value without removing comments, or if the value can't be edited.
   */
  textWith(value: unknown): string | undefined {
    const { path, value: formerValue } = this.found;
    if (!path) return undefined;
    const needsEdit = this.isNested || mayHaveComments(this.text, path);
    return needsEdit ? editedText(this.text, path, formerValue, value) : undefined;
  }

  /**
   * Resolves with whether VS Code has saved the text; if not, the edit is taken back. Rejects if VS
   * Code does not answer in ten seconds.
   */
  save(text: string): Promise<boolean> {
    // One wait for edits and saves together: an edit that comes late must not stay unsaved.
    return inTime(this.saveWithRetry(text), () => writeTimeoutError(this.scope), this.setTimer);
  }

  private async saveWithRetry(text: string): Promise<boolean> {
    if (await this.saveOrTakeBack(text)) return true;
    // VS Code refuses to save a file that has changed on disk since it read it. It has read
    // the file once more to take the edit back.
    const isUnchanged = isSameText(this.currentText, this.text);
    return isUnchanged && this.saveOrTakeBack(text);
  }

  private async saveOrTakeBack(text: string): Promise<boolean> {
    const isSaved = await saveText(this.document, text);
    if (isSaved) this.savedText = this.currentText;
    else await this.takeBack([text]);
    return isSaved;
  }

  /**
   * Takes back what our save and VS Code's own write of this value have left. Resolves with whether
   * nothing of them is left in an editor.
   */
  takeBackWrite(value: unknown): Promise<boolean> {
    const { file, key } = this.scope;
    const setting = `${configurationSection}.${key}`;
    const path = file?.isWorkspaceFile ? ['settings', setting] : [setting];
    const ourTexts = [this.text, this.savedText];
    const vsCodeTexts = ourTexts.map((text) => textWrittenByVsCode(text, path, value));
    return this.takeBack([...ourTexts, ...vsCodeTexts]);
  }

  /**
   * Puts back the text from before a failed write, but only over one of `writtenTexts`: meanwhile
   * the user may have typed, or VS Code may have read what another program wrote. Resolves with
   * whether nothing of the write is left in an editor.
   */
  private async takeBack(writtenTexts: readonly string[]): Promise<boolean> {
    const { document, text } = this;
    if (document.getText() === text && !document.isDirty) return true;

    const bytes = await readFile(document.uri);
    const currentText = document.getText();
    const isWritten = writtenTexts.some(
      (written) => withoutSpace(written) === withoutSpace(currentText),
    );
    if (!isWritten && tabOf(document)) return true;

    const isOnDisk = bytes !== undefined && isSameText(decode(bytes) ?? '', currentText);
    if (isWritten && isOnDisk && (await saveText(document, text))) return true;

    // The text of a file that VS Code keeps read-only is never dirty.
    if (!isWritten && !document.isDirty) return true;
    return revertToDisk(document, () => showText(document), {
      keepsTab: this.hadTab,
      setTimer: this.setTimer,
    });
  }
}

/**
 * Resolves with the file of a scope, once disk, editor, and VS Code's settings agree about it;
 * `undefined` if there is no file yet, or only VS Code knows where it is. Rejects with a
 * `RefusedChange` if the file cannot be written.
 */
export async function openSettingsFile(
  scope: Scope,
  setTimer: SetTimer,
): Promise<SettingsFile | undefined> {
  const { file, key } = scope;
  if (!file) return undefined;
  const opening = openFile(file.uri).catch((error: unknown) => {
    throw unreadableError(scope, error);
  });
  const opened = await inTime(opening, () => notOpenedError(scope), setTimer);
  const { content, document, isReadOnly } = opened;
  if (!document) return undefined;
  if (isReadOnly) throw readOnlyError(scope);
  if (content === undefined) throw notUtf8Error(scope);
  if (document.isDirty) throw unsavedChangesError(scope);

  const found = findSetting(content, file.isWorkspaceFile, { section: configurationSection, key });
  if (!found) throw invalidJsonError(scope);
  if (found.duplicateKey !== undefined) throw setTwiceError(scope, found.duplicateKey);
  if (found.replacedBy !== undefined) throw replacedSettingError(scope, found.replacedBy);

  const doAllAgree = () =>
    isSameText(document.getText(), content) && isSameValue(scope.value, found.value);
  if (await isTrueInTime(doAllAgree, setTimer))
    return new SettingsFile(scope, document, found, setTimer);
  throw staleSettingsError(scope);
}

/** Resolves with whether VS Code reads this value within ten seconds. */
export function isReadInTime(
  scope: Pick<Scope, 'value'>,
  value: unknown,
  setTimer: SetTimer,
): Promise<boolean> {
  return isTrueInTime(() => isSameValue(scope.value, value), setTimer);
}

/**
 * Resolves with `true` as soon as the condition is true, and with `false` after `maxMs`. Checks it
 * at each change of a setting, a text, a tab, or the active editor.
 */
async function isTrueInTime(
  condition: () => boolean,
  setTimer: SetTimer,
  maxMs = maxAnswerMs,
): Promise<boolean> {
  if (condition()) return true;
  return new Promise<boolean>((resolve) => {
    const finish = (result: boolean) => {
      timeUp.dispose();
      for (const listener of listeners) listener.dispose();
      resolve(result);
    };
    const check = () => {
      if (condition()) finish(true);
    };
    const timeUp = setTimer(() => finish(false), maxMs);
    const listeners = [
      vscode.workspace.onDidChangeConfiguration(check),
      vscode.workspace.onDidChangeTextDocument(check),
      vscode.window.onDidChangeActiveTextEditor(check),
      vscode.window.tabGroups.onDidChangeTabGroups(check),
      vscode.window.tabGroups.onDidChangeTabs(check),
    ];
  });
}

interface OpenedFile {
  /** The text on disk, empty if there is no file; `undefined` if it is not UTF-8. */
  readonly content: string | undefined;
  /** `undefined` if there is no such file, neither on disk nor in an editor. */
  readonly document: vscode.TextDocument | undefined;
  readonly isReadOnly: boolean;
}

async function openFile(uri: vscode.Uri): Promise<OpenedFile> {
  const bytes = await readFile(uri);
  // VS Code keeps the text of a file that was deleted, and would write it again with the new value.
  if (!bytes) return { content: '', document: openDocumentOf(uri), isReadOnly: false };
  const document = await vscode.workspace.openTextDocument(uri);
  return { content: decode(bytes), document, isReadOnly: await isReadOnlyFile(uri) };
}

/** Checked before the write, since a refused write leaves an editor with unsaved changes. */
async function isReadOnlyFile({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== 'file') return vscode.workspace.fs.isWritableFileSystem(scheme) === false;
  return access(fsPath, constants.W_OK).then(
    () => false,
    () => true,
  );
}

function openDocumentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => String(document.uri) === String(uri));
}

/** Resolves with `undefined` if there is no such file. */
async function readFile(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/**
 * Returns `undefined` for bytes that are not UTF-8: invalid ones, and those with a NUL, which are
 * probably UTF-16. VS Code reads settings as UTF-8 whatever their encoding, so it would write
 * replacement characters, or a value that it then does not read.
 */
function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * Ignores differences in line endings, because VS Code gives all lines of a text the same ending.
 */
function isSameText(first: string, second: string): boolean {
  return first.replaceAll(/\r\n?/g, '\n') === second.replaceAll(/\r\n?/g, '\n');
}

/** For comparisons: VS Code may format what it saves. */
function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/**
 * Replaces the whole text of a document and saves it. Resolves with whether VS Code has saved it.
 * In the active editor VS Code changes only what differs, so that its cursor stays where it is.
 */
async function saveText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  return (await vscode.workspace.applyEdit(edit)) && document.save();
}

/**
 * Matches "/home/maria/.config/Code/User/settings.json" and, for a profile,
 * "…/User/profiles/5a3c1f/settings.json". VS Code tells no extension where the user settings are.
 */
const userSettingsPath = /\/User\/(?:profiles\/[^/]+\/)?settings\.json$/;

/** A project may have a folder `User`, so files in the workspace are not user settings. */
function isUserSettings({ uri }: vscode.TextDocument): boolean {
  return userSettingsPath.test(uri.path) && !vscode.workspace.getWorkspaceFolder(uri);
}

/**
 * The documents that are open before VS Code writes to a file that does not exist yet, or whose
 * location only VS Code knows.
 */
export interface OpenTexts {
  readonly unsaved: ReadonlySet<vscode.TextDocument>;
  readonly withTab: ReadonlySet<vscode.TextDocument>;
  readonly hasUnsavedUserSettings: boolean;
}

/**
 * Returns what is open now. Called before a write, so that the text it leaves unsaved can be found.
 */
export function currentOpenTexts(): OpenTexts {
  const { textDocuments } = vscode.workspace;
  const unsaved = textDocuments.filter(({ isDirty }) => isDirty);
  return {
    unsaved: new Set(unsaved),
    withTab: new Set(textDocuments.filter((document) => tabOf(document))),
    hasUnsavedUserSettings: unsaved.some(isUserSettings),
  };
}

/**
 * Takes back the new value where VS Code's own write, which failed, has left it unsaved in an
 * editor. Resolves with whether nothing of it is left. `before`: the documents that were open
 * before the write.
 */
export async function discardUnsaved(
  { file, key, openAction }: Pick<Scope, 'file' | 'key' | 'openAction'>,
  value: unknown,
  before: OpenTexts,
  setTimer: SetTimer,
): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find((candidate) => {
    const isNewlyUnsaved = candidate.isDirty && !before.unsaved.has(candidate);
    return isNewlyUnsaved && setsValue(candidate.getText(), key, value);
  });
  if (!document) return true;

  // In a browser VS Code keeps user settings at a URI that extensions can read, but not open.
  const show = () =>
    file ? showText(document) : vscode.commands.executeCommand(openAction.command);
  return revertToDisk(document, show, { keepsTab: before.withTab.has(document), setTimer });
}

/** Whether a text, as a settings file or as a workspace file, gives the setting this value. */
function setsValue(text: string, key: Scope['key'], value: unknown): boolean {
  return [true, false].some((isWorkspaceFile) => {
    const found = findSetting(text, isWorkspaceFile, { section: configurationSection, key });
    return found?.path !== undefined && isSameValue(found.value, value);
  });
}

/**
 * Shows a document with the focus. Without the focus VS Code would show it where it is open
 * already, and another editor would stay active.
 */
function showText(document: vscode.TextDocument): Thenable<unknown> {
  return vscode.window.showTextDocument(document, { preview: false });
}

/**
 * Discards the unsaved changes of a document. VS Code reverts what the active editor shows, so the
 * document is shown for a moment; if another editor stays active, because the user goes on working
 * there, nothing is reverted. Resolves with whether the text is as on disk.
 */
async function revertToDisk(
  document: vscode.TextDocument,
  show: () => Thenable<unknown>,
  { keepsTab, setTimer }: { readonly keepsTab: boolean; readonly setTimer: SetTimer },
): Promise<boolean> {
  const editorBefore = vscode.window.activeTextEditor;
  const documentBefore = editorBefore?.document;
  const columnBefore = editorBefore?.viewColumn;

  const isShown = await show().then(
    () => true,
    () => false,
  );
  if (!isShown) return false;
  const becameActive = await isTrueInTime(() => isActive(document), setTimer, maxShowMs);
  if (!becameActive) return false;
  // Checked once more right before the command: whatever else is active may be the user's own
  // unsaved text.
  if (!isActive(document)) return false;
  await vscode.commands.executeCommand('workbench.action.files.revert');

  const tab = tabOf(document);
  if (tab && !keepsTab) await vscode.window.tabGroups.close(tab, true);
  if (documentBefore && documentBefore !== document && !documentBefore.isClosed)
    await vscode.window.showTextDocument(documentBefore, columnBefore);
  return !document.isDirty;
}

/**
 * Whether the active editor and the active tab both show the document: the active text editor can
 * be a box that belongs to no tab.
 */
function isActive(document: vscode.TextDocument): boolean {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return (
    vscode.window.activeTextEditor?.document === document &&
    activeTab?.input instanceof vscode.TabInputText &&
    String(activeTab.input.uri) === String(document.uri)
  );
}

function tabOf({ uri }: vscode.TextDocument): vscode.Tab | undefined {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.find(
    ({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri),
  );
}
