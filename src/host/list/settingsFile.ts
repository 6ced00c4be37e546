import { access, constants } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { SetTimer } from '../../api/timers.js';
import { type FoundSetting, findSetting } from '../../model/entered/settingsText.js';
import { configurationSection } from '../ids.js';
import { inTime, maxAnswerMs } from '../inTime.js';
import { editedText, isSameValue, mayHaveComments, textWrittenByVsCode } from './editedText.js';
import {
  foundTwice,
  notJson,
  notOpened,
  notReadAgain,
  notUtf8,
  type Refusing,
  readOnly,
  replaced,
  unanswered,
  unreadable,
  unsaved,
} from './refusedChange.js';
import type { SettingsScope } from './settingsScope.js';

type Scope = Refusing & Pick<SettingsScope, 'key' | 'value'>;

/** How long VS Code may take to make an editor active that it has been asked to show. */
const maxShowMs = 2000;

/**
 * The file of a scope at a moment when disk, editor, and VS Code's settings agree about it. It edits one value in
 * the text, and takes back what a write without effect has left in the file or its editor.
 */
export class SettingsFile {
  /** As our last save has left it: VS Code may format what it saves. */
  private savedText: string;
  /** Asked before the write, since VS Code opens a tab for a text that stays unsaved. */
  private readonly hadTab: boolean;

  constructor(
    private readonly scope: Scope,
    private readonly document: vscode.TextDocument,
    private readonly found: FoundSetting,
    private readonly setTimer: SetTimer,
    /** As it is before the write. */
    readonly text = document.getText(),
  ) {
    this.savedText = text;
    this.hadTab = tabOf(document) !== undefined;
  }

  /** As VS Code has it now: it may format what it saves. */
  get currentText(): string {
    return this.document.getText();
  }

  /** Whether the value stands in an object of its section, where VS Code's own write would set it a second time. */
  get isNested(): boolean {
    return this.found.path?.at(-1) === this.scope.key;
  }

  /**
   * Returns the text with this value. `undefined` where it has no former value with comments: there VS Code's own
   * write, which keeps none, does as well.
   */
  edited(value: unknown): string | undefined {
    const { path, value: former } = this.found;
    if (!path) return undefined;
    return this.isNested || mayHaveComments(this.text, path)
      ? editedText(this.text, path, former, value)
      : undefined;
  }

  /** @returns whether VS Code has saved the text. If not, nothing of it is left. */
  save(text: string): Promise<boolean> {
    const save = async () => {
      if (await this.saveOrTakeBack(text)) return true;
      // VS Code refuses to save a file that has changed on disk since it read it. It read the file again to take the edit back.
      return isSameText(this.currentText, this.text) && this.saveOrTakeBack(text);
    };
    // One wait for edits and saves: an edit that comes late must not stay unsaved.
    return inTime(save(), () => unanswered(this.scope), this.setTimer);
  }

  private async saveOrTakeBack(text: string): Promise<boolean> {
    const isSaved = await saveText(this.document, text);
    if (isSaved) this.savedText = this.currentText;
    else await this.takeBack([text]);
    return isSaved;
  }

  /** Takes back what our save and VS Code's own write of this value have left. @returns whether nothing of it is left. */
  takeBackWrite(value: unknown): Promise<boolean> {
    const { file, key } = this.scope;
    const setting = `${configurationSection}.${key}`;
    const path = file?.isWorkspaceFile ? ['settings', setting] : [setting];
    const bases = [this.text, this.savedText];
    return this.takeBack([
      ...bases,
      ...bases.map((base) => textWrittenByVsCode(base, path, value)),
    ]);
  }

  /**
   * Puts back the text from before a write that has failed, but only over one of our own texts:
   * meanwhile the user may have typed, or VS Code may have read what another program wrote.
   */
  private async takeBack(ownTexts: readonly string[]): Promise<boolean> {
    const { document, text } = this;
    if (document.getText() === text && !document.isDirty) return true;
    const bytes = await readFile(document.uri);
    const current = document.getText();
    const isOwn = ownTexts.some((own) => withoutSpace(own) === withoutSpace(current));
    if (!isOwn && tabOf(document)) return true;
    const isOnDisk = bytes !== undefined && isSameText(decode(bytes) ?? '', current);
    if (isOwn && isOnDisk && (await saveText(document, text))) return true;
    // A text of a file that VS Code keeps read-only is never dirty.
    if (!isOwn && !document.isDirty) return true;
    return revertToDisk(document, () => showText(document), {
      keepsTab: this.hadTab,
      setTimer: this.setTimer,
    });
  }
}

/**
 * Resolves with the file of a scope, once disk, editor, and VS Code's settings agree about it: `undefined` if there
 * is none yet, or only VS Code knows where. Rejects with a `RefusedChange` if nothing can be written.
 */
export async function openSettingsFile(
  scope: Scope,
  setTimer: SetTimer,
): Promise<SettingsFile | undefined> {
  const { file, key } = scope;
  if (!file) return undefined;
  const opening = openFile(file.uri).catch((error: unknown) => {
    throw unreadable(scope, error);
  });
  const { content, document, isReadOnly } = await inTime(opening, () => notOpened(scope), setTimer);
  if (!document) return undefined;
  if (isReadOnly) throw readOnly(scope);
  if (content === undefined) throw notUtf8(scope);
  if (document.isDirty) throw unsaved(scope);
  const found = findSetting(content, file.isWorkspaceFile, { section: configurationSection, key });
  if (!found) throw notJson(scope);
  if (found.duplicateKey !== undefined) throw foundTwice(scope, found.duplicateKey);
  if (found.replacedBy !== undefined) throw replaced(scope, found.replacedBy);
  const isAgreed = () =>
    isSameText(document.getText(), content) && isSameValue(scope.value, found.value);
  if (await holdsInTime(isAgreed, setTimer))
    return new SettingsFile(scope, document, found, setTimer);
  throw notReadAgain(scope);
}

/** Resolves with whether VS Code reads this value within ten seconds. */
export function isRead(
  scope: Pick<Scope, 'value'>,
  value: unknown,
  setTimer: SetTimer,
): Promise<boolean> {
  return holdsInTime(() => isSameValue(scope.value, value), setTimer);
}

/** Resolves with `true` as soon as it holds, else with `false`. Looks again at each change of a setting, a text, a tab, or the active editor. */
async function holdsInTime(
  holds: () => boolean,
  setTimer: SetTimer,
  maxMs = maxAnswerMs,
): Promise<boolean> {
  if (holds()) return true;
  return new Promise<boolean>((resolve) => {
    const finish = (result: boolean) => {
      timeUp.dispose();
      for (const listener of listeners) listener.dispose();
      resolve(result);
    };
    const check = () => {
      if (holds()) finish(true);
    };
    const timeUp = setTimer(() => finish(false), maxMs);
    const { onDidChangeConfiguration, onDidChangeTextDocument } = vscode.workspace;
    const listeners = [
      onDidChangeConfiguration(check),
      onDidChangeTextDocument(check),
      vscode.window.onDidChangeActiveTextEditor(check),
      vscode.window.tabGroups.onDidChangeTabGroups(check),
      vscode.window.tabGroups.onDidChangeTabs(check),
    ];
  });
}

/** `content`: `undefined` if it is not UTF-8. `document`: `undefined` if there is no such file. */
async function openFile(uri: vscode.Uri) {
  const bytes = await readFile(uri);
  // VS Code keeps the text of a file that was deleted, and would write it again with the new value.
  if (!bytes) return { content: '', document: documentOf(uri), isReadOnly: false };
  const document = await vscode.workspace.openTextDocument(uri);
  return { content: decode(bytes), document, isReadOnly: await isReadOnlyFile(uri) };
}

/** The file is asked before the write, since a refused write leaves an editor with unsaved changes. */
async function isReadOnlyFile({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== 'file') return vscode.workspace.fs.isWritableFileSystem(scheme) === false;
  return access(fsPath, constants.W_OK).then(
    () => false,
    () => true,
  );
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => String(document.uri) === String(uri));
}

/** @returns `undefined` if there is no such file. */
async function readFile(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/**
 * Returns `undefined` for what is not UTF-8. VS Code reads settings as UTF-8 whatever they are, so it would write
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

/** VS Code gives all lines of a text the same ending. */
function isSameText(one: string, another: string): boolean {
  return one.replaceAll(/\r\n?/g, '\n') === another.replaceAll(/\r\n?/g, '\n');
}

/** VS Code may format what it saves. */
function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/** In the active editor VS Code changes only what differs, so that its cursor stays where it is. */
async function saveText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  return (await vscode.workspace.applyEdit(edit)) && document.save();
}

/** VS Code tells no extension where the user settings are. A profile has a folder of its own. */
const userSettingsPath = /\/User\/(?:profiles\/[^/]+\/)?settings\.json$/;

/** A project may have a folder `User` of its own. */
function isOfUserSettings({ uri }: vscode.TextDocument): boolean {
  return userSettingsPath.test(uri.path) && !vscode.workspace.getWorkspaceFolder(uri);
}

/** What is open before VS Code writes to a file that only VS Code knows, or that is not there yet. */
export interface OpenTexts {
  readonly unsaved: ReadonlySet<vscode.TextDocument>;
  /** Those with a tab. */
  readonly shown: ReadonlySet<vscode.TextDocument>;
  /** Whether the user settings have unsaved changes. */
  readonly hasUnsavedUserSettings: boolean;
}

export function openTexts(): OpenTexts {
  const { textDocuments } = vscode.workspace;
  const unsavedTexts = textDocuments.filter(({ isDirty }) => isDirty);
  return {
    unsaved: new Set(unsavedTexts),
    shown: new Set(textDocuments.filter(tabOf)),
    hasUnsavedUserSettings: unsavedTexts.some(isOfUserSettings),
  };
}

/** Takes back the new value where VS Code's own write, which failed, has left it unsaved. @returns whether nothing of it is left. */
export async function discardUnsaved(
  { file, key, openAction }: Pick<Scope, 'file' | 'key' | 'openAction'>,
  value: unknown,
  before: OpenTexts,
  setTimer: SetTimer,
): Promise<boolean> {
  const hasValue = (text: string) =>
    [true, false].some((isWorkspaceFile) => {
      const found = findSetting(text, isWorkspaceFile, { section: configurationSection, key });
      return found?.path !== undefined && isSameValue(found.value, value);
    });
  const document = vscode.workspace.textDocuments.find(
    (one) => one.isDirty && !before.unsaved.has(one) && hasValue(one.getText()),
  );
  if (!document) return true;
  // In a browser VS Code keeps user settings at an address that extensions can read, but not open.
  const show = () =>
    file ? showText(document) : vscode.commands.executeCommand(openAction.command);
  return revertToDisk(document, show, { keepsTab: before.shown.has(document), setTimer });
}

/** With the focus: else VS Code shows it where it is open already, and another editor stays active. */
function showText(document: vscode.TextDocument): Thenable<unknown> {
  return vscode.window.showTextDocument(document, { preview: false });
}

/**
 * VS Code reverts what the active editor shows, so the text is shown for a moment. While another one is active, as may be where
 * the user goes on working, nothing is reverted. @returns whether the text is as on disk.
 */
async function revertToDisk(
  document: vscode.TextDocument,
  show: () => Thenable<unknown>,
  { keepsTab, setTimer }: { readonly keepsTab: boolean; readonly setTimer: SetTimer },
): Promise<boolean> {
  const { document: former, viewColumn } = vscode.window.activeTextEditor ?? {};
  const isShown = await show().then(
    () => true,
    () => false,
  );
  if (!isShown || !(await holdsInTime(() => isActive(document), setTimer, maxShowMs))) return false;
  // The last look before the command: whatever else is active may be the user's own unsaved text.
  if (!isActive(document)) return false;
  await vscode.commands.executeCommand('workbench.action.files.revert');
  const tab = tabOf(document);
  if (tab && !keepsTab) await vscode.window.tabGroups.close(tab, true);
  if (former && former !== document && !former.isClosed) {
    await vscode.window.showTextDocument(former, viewColumn);
  }
  return !document.isDirty;
}

/** The active tab has to show it, too: the active text editor can be a box that belongs to no tab. */
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
