import { realpath } from 'node:fs/promises';
import { join, relative, resolve, sep, win32 } from 'node:path';
import { capitalized, listText } from '../../host/text/format.js';
import { mergeEntries } from '../../model/entered/listEntries.js';
import type { ListedDeployment } from '../../model/findings/deployment.js';
import { type NoContent, readRegularFile } from '../../model/regularFile.js';
import { decodeTextFile } from '../../model/textFile.js';
import type { Exit } from '../exit.js';
import { noMutes } from '../mutes.js';
import { RefusedCheck } from '../refusal.js';
import { isWorkspaceFile, settingsFile, workspaceFiles } from './defaultFiles.js';
import { readDeployment, readDeployments } from './deploymentEntries.js';
import { isBehindBrokenLink, isMissing, reasonOf, unreadText } from './fileErrors.js';
import {
  FileSettings,
  isSettingsText,
  linesIn,
  type PlacedSetting,
  type PlacedValue,
  section,
} from './fileSettings.js';
import { inGroups, type PlacedUnusableField, unknownGroupsText, unusableTexts } from './groups.js';
import { malformedTexts } from './malformed.js';
import {
  mutesOf,
  type OtherSettings,
  readMutesSetting,
  readOwnersSetting,
} from './otherSettings.js';
import { type EntryPosition, type PlacedText, placedText, positionsIn } from './position.js';
import { folderProblem, foldersIn } from './workspaceFolders.js';

/** A settings file with 10,000 deployments has about 1 MB. */
const maxFileMegabytes = 4;
const noContentReasons: Readonly<Record<NoContent, string>> = {
  notRegular: 'is not a regular file',
  tooLarge: `is larger than ${maxFileMegabytes} MB`,
};

interface ListOptions {
  readonly exit: Pick<Exit, 'trackFileWork'>;
  /** Replaces the token in a text. */
  readonly redact: (text: string) => string;
  /** Epoch ms at which the run began. */
  readonly now: number;
  /** Whether the run is one as if there were no mutes. */
  readonly ignoresMutes: boolean;
  /** The groups whose deployments alone are to be checked; all deployments without any. */
  readonly groups?: readonly string[];
  /** `false` if only the owners and mutes of the files are wanted. */
  readonly takesEntries?: boolean;
}

/**
 * The deployments to check, where their entries stand, who owns them, what is muted for everyone,
 * and what could not be read. main.ts makes one and reads it once.
 */
export class List {
  /** Each ID once; empty until all is read. */
  listed: readonly ListedDeployment[] = [];
  /** Those of the listed deployments that are to be checked. */
  taken: readonly ListedDeployment[] = [];
  /** The groups that were asked for, each once, without the token; none for all deployments. */
  readonly groups: readonly string[];
  /** By deployment ID; only of entries in files. */
  readonly positions = new Map<string, EntryPosition>();
  /** Of each settings file, in the order in which they count; none until all is read. */
  owners: readonly OtherSettings['owners'][] = [];
  /** What the settings files mute for everyone; nothing until all is read. */
  mutes = noMutes;
  /** Why entries of the settings files mute nothing. */
  readonly malformedMutes: PlacedText[] = [];
  /** Of each settings file that was read, in the order in which they count. */
  private readonly otherSettings: OtherSettings[] = [];
  /** The IDs that stand in no settings file. */
  private readonly plainIds = new Set<string>();
  /** The paths, without links, of the files whose entries were read, each with how it was read. */
  private readonly readPaths = new Set<string>();
  /** Whether the list is from elsewhere than owners and mutes. */
  private isListFromElsewhere = false;
  /** Sentences that say why entries may be missing, without the token. */
  readonly errors: string[] = [];
  /** How many of these sentences say of a file that it lists no deployments. */
  filesWithoutEntries = 0;
  /** Sentences about what is left out, and may be: an owner, or a folder that no CI has. */
  readonly notes: string[] = [];
  private readonly entries: ListedDeployment[] = [];
  /** The IDs of those entries that have a group. */
  private readonly idsWithGroup = new Set<string>();
  private readonly unusableFields: PlacedUnusableField[] = [];
  /** Whether one of the files that were read holds settings. */
  private hasReadSettings = false;

  constructor(private readonly options: ListOptions) {
    const { groups = [], redact } = options;
    this.groups = [...new Set(groups.map(redact))];
  }

  /**
   * "No listed deployment is in the group “paymnts”. The groups are …"; `undefined` if there is a
   * deployment in each group that was asked for.
   */
  get unknownGroupsText(): string | undefined {
    return unknownGroupsText(this.listed, this.groups);
  }

  /**
   * The settings files from which owners and mutes were taken, although the list is not from there;
   * `undefined` if there are none.
   */
  get settingsFrom(): readonly string[] | undefined {
    const used = this.otherSettings.filter(({ owners, mutes }) => owners.size + mutes.size > 0);
    const isToBeSaid = this.isListFromElsewhere && used.length > 0;
    return isToBeSaid ? used.map(({ file }) => file) : undefined;
  }

  /**
   * "Owners and mutes are read from .vscode/settings.json."; `undefined` without `settingsFrom`.
   */
  get settingsText(): string | undefined {
    const { settingsFrom, otherSettings } = this;
    if (settingsFrom === undefined) return undefined;
    const hasOwners = otherSettings.some(({ owners }) => owners.size > 0);
    const hasMutes = otherSettings.some(({ mutes }) => mutes.size > 0);
    const names = [hasOwners && 'owners', hasMutes && 'mutes'].filter((name) => name !== false);
    return `${capitalized(names.join(' and '))} are read from ${listText(settingsFrom)}.`;
  }

  /**
   * Reads the IDs and files of the arguments, or without any the settings of the current folder.
   * Rejects with `RefusedCheck` if one of the files does not exist.
   */
  async read(ids: readonly string[], files: readonly string[]): Promise<void> {
    for (const id of ids) this.addId(id);
    for (const file of files) {
      const exists = await this.readFile(file, (text) => this.addListOf(file, text));
      if (!exists) throw new RefusedCheck(3, `${file} does not exist.`);
    }
    const isFromArguments = ids.length > 0 || files.length > 0;
    if (!isFromArguments) await this.readDefaultFiles();
    else if (!this.hasReadSettings) await this.readOtherSettings();
    this.listed = mergeEntries([this.entries]);
    this.taken = inGroups(this.listed, this.groups);
    const takenIds = new Set(this.taken.map(({ id }) => id));
    this.reportUnusableFields(takenIds);
    this.owners = this.otherSettings.map(({ owners }) => owners);
    const listedIds = this.listed.map(({ id }) => id);
    const leftOutIds = listedIds.filter((id) => !takenIds.has(id));
    const { now } = this.options;
    this.mutes = mutesOf(this.otherSettings, { plainIds: this.plainIds, leftOutIds, now });
  }

  private reportUnusableFields(takenIds: ReadonlySet<string>): void {
    const { notes, errors } = unusableTexts(this.unusableFields, takenIds);
    this.notes.push(...notes.map(placedText));
    for (const { text, position } of errors) this.reportError(text, position);
  }

  private addId(id: string): void {
    const deployment = readDeployment(id, this.options.redact);
    if (typeof deployment === 'string') this.reportError(deployment);
    else this.entries.push(deployment);
    this.plainIds.add(id);
  }

  /**
   * Takes owners and mutes from the default files. Never rejects: a file that cannot be read has
   * none, and is no part of the list.
   */
  private async readOtherSettings(): Promise<void> {
    this.isListFromElsewhere = true;
    const settings = new List({ ...this.options, takesEntries: false });
    try {
      await settings.readDefaultFiles();
    } catch (error) {
      this.notes.push(`The settings of this folder were not read (${reasonOf(error)}).`);
    }
    this.otherSettings.push(...settings.otherSettings);
    this.malformedMutes.push(...settings.malformedMutes);
    this.notes.push(...settings.notes, ...settings.errors);
  }

  /**
   * Reads in the order in which labels and owners count in VS Code: the folders of a workspace file
   * as it names them, then the workspace file. The settings of the current folder come first if no
   * workspace file names it.
   */
  private async readDefaultFiles(): Promise<void> {
    const workspaces = await this.readWorkspaces();
    const isNamed = workspaces.some(({ settingsFiles }) => settingsFiles.includes(settingsFile));
    const settingsFilesRead = new Set<string>();
    const readOnce = async (file: string): Promise<void> => {
      if (settingsFilesRead.has(file)) return;
      settingsFilesRead.add(file);
      await this.readFile(file);
    };
    if (!isNamed) await readOnce(settingsFile);
    for (const { file, text, settingsFiles } of workspaces) {
      for (const named of settingsFiles) await readOnce(named);
      await this.addEntriesOf(file, text);
    }
  }

  /** Resolves with the workspace files of the current folder that can be read, by name. */
  private async readWorkspaces(): Promise<readonly Workspace[]> {
    const workspaces: Workspace[] = [];
    for (const file of await this.track(workspaceFiles())) {
      await this.readFile(file, async (text) => {
        const settingsFiles = await this.settingsFilesOfFolders(file, text);
        workspaces.push({ file, text, settingsFiles });
      });
    }
    return workspaces;
  }

  /**
   * Resolves with the settings files of the folders that a workspace file names by a relative path,
   * whether or not the folders have such a file.
   */
  private async settingsFilesOfFolders(
    workspaceFile: string,
    text: string,
  ): Promise<readonly string[]> {
    const positionAt = positionsIn(workspaceFile, text);
    const files: string[] = [];
    for (const { offset, path } of foldersIn(text)) {
      const position = positionAt(offset);
      if (path === undefined || win32.isAbsolute(path)) {
        const why = 'The settings of this folder were not read, because its path is not relative.';
        this.notes.push(placedText({ position, text: why }));
        continue;
      }
      const problem = await this.track(folderProblem(path || '.'));
      // The path of the current folder becomes empty, however it is spelled.
      const settings = join(relative('', path), settingsFile).replaceAll(sep, '/');
      if (problem === undefined) files.push(settings);
      else this.reportError(`${problem}, so its settings were not read.`, position);
    }
    return files;
  }

  /**
   * Reads a file and gives its text to `useText`. Resolves with `false` if there is no such file,
   * else with `true`; reports why it could not be read.
   */
  private async readFile(
    file: string,
    useText: (text: string) => Promise<unknown> = (text) => this.addEntriesOf(file, text),
  ): Promise<boolean> {
    try {
      const content = await this.track(readRegularFile(file, maxFileMegabytes * 1024 * 1024));
      if (typeof content === 'string') {
        this.reportError(`${file} ${noContentReasons[content]}, so it was not read.`);
        return true;
      }
      const text = this.decode(file, content);
      if (text !== undefined) await useText(text);
    } catch (error) {
      if (isMissing(error) && !(await this.track(isBehindBrokenLink(file)))) return false;
      this.reportError(unreadText(file, error));
    }
    return true;
  }

  /** Returns `undefined` for a text that cannot be decoded, after it is reported. */
  private decode(file: string, content: Buffer): string | undefined {
    const text = decodeTextFile(content);
    if (!text.includes('\0')) return text;
    // The file is UTF-16 without a byte order mark.
    this.reportError(`${file} contains NUL characters, so it was not read. Save it as UTF-8.`);
    return undefined;
  }

  private track<T>(fileWork: Promise<T>): Promise<T> {
    return this.options.exit.trackFileWork(fileWork);
  }

  /** Reports a file that should list deployments and does not. Default files may do without. */
  private async addListOf(file: string, text: string): Promise<void> {
    const emptyReason = await this.addEntriesOf(file, text);
    if (emptyReason === undefined) return;
    this.filesWithoutEntries += 1;
    this.reportError(`${file} ${emptyReason}.`);
  }

  /**
   * Resolves with "lists no deployments: it has no automationPlatform.deployments" for a file
   * without a list; with `undefined` for other files.
   */
  private async addEntriesOf(file: string, text: string): Promise<string | undefined> {
    // Redacted here, because the summary cuts texts with positions.
    const shownFile = this.options.redact(file);
    const holdsSettings = isSettingsText(file, text);
    if (await this.wasRead(file, holdsSettings)) return undefined;
    if (!holdsSettings) {
      const ids = await this.addDeployments(shownFile, linesIn(shownFile, text));
      for (const id of ids) this.plainIds.add(id);
      const hasLine = /\S/.test(text);
      return hasLine ? undefined : 'lists no deployments';
    }
    this.hasReadSettings = true;
    const isOfWorkspaceFile = isWorkspaceFile(file);
    const settings = new FileSettings(text, { file: shownFile, isOfWorkspaceFile });
    const hasList = await this.addSettings(settings);
    if (hasList) return undefined;
    const whatHasNone = isOfWorkspaceFile ? 'its settings have' : 'it has';
    return `lists no deployments: ${whatHasNone} no ${section}.deployments`;
  }

  /**
   * Resolves with whether the entries of a file were read before. It can be named twice, or have a
   * second name by a link, and what is wrong in it is to be reported once.
   */
  private async wasRead(file: string, holdsSettings: boolean): Promise<boolean> {
    const path = await this.track(realpath(file).catch(() => resolve(file)));
    // A workspace file has its settings elsewhere in the text.
    const key = JSON.stringify([path, holdsSettings, isWorkspaceFile(file)]);
    const wasRead = this.readPaths.has(key);
    this.readPaths.add(key);
    return wasRead;
  }

  /** Resolves with whether there is a list, or may be one in what is not valid JSON. */
  private async addSettings(settings: FileSettings): Promise<boolean> {
    const { file, invalidAt, isOfWorkspaceFile } = settings;
    this.reportInvalid(settings);
    const owners = await this.readOwners(settings);
    const mutes = await this.readMutes(settings);
    const list = settings.get('deployments');
    const listedIds = await this.addListOfSettings(file, list);
    this.otherSettings.push({ file, isOfWorkspaceFile, listedIds, owners, mutes });
    return invalidAt !== undefined || list !== undefined;
  }

  /** "list.json:1:8: This is not valid JSON, so entries may be missing." */
  private reportInvalid(settings: FileSettings): void {
    const { ignoresMutes, takesEntries = true } = this.options;
    const { invalidAt } = settings;
    if (!invalidAt) return;
    const what = takesEntries ? 'entries' : 'owners';
    const hasMutes = !ignoresMutes && settings.get('mutes') !== undefined;
    const sentence = `This is not valid JSON, so ${what} may be missing.`;
    this.reportError(hasMutes ? `${sentence} Its mutes do not count.` : sentence, invalidAt);
  }

  private async readOwners(settings: FileSettings): Promise<OtherSettings['owners']> {
    const { file } = settings;
    const { usable, malformed } = await readOwnersSetting(settings.get('owners'), this.options);
    this.notes.push(...malformedTexts(malformed, { file, kind: 'owner' }).map(placedText));
    return usable;
  }

  private async readMutes(settings: FileSettings): Promise<OtherSettings['mutes']> {
    const { file, invalidAt } = settings;
    // The parser goes on after an error, and might find an entry that nobody has written.
    const isToBeRead = !invalidAt && !this.options.ignoresMutes;
    const list = isToBeRead ? settings.get('mutes') : undefined;
    const { usable, malformed } = await readMutesSetting(list, this.options);
    this.malformedMutes.push(...malformedTexts(malformed, { file, kind: 'mute' }));
    return usable;
  }

  /**
   * Resolves with the IDs that the list has; with none if only owners and mutes are wanted. `list`:
   * `undefined` if the file has none.
   */
  private async addListOfSettings(
    file: string,
    list: PlacedSetting | undefined,
  ): Promise<ReadonlySet<string>> {
    const { takesEntries = true } = this.options;
    if (!takesEntries || list === undefined) return new Set();
    if (list.isList) return this.addDeployments(file, list.entries());
    this.reportError(`${section}.deployments is not a list.`, list.positionOf());
    return new Set();
  }

  /** Resolves with the IDs of the usable entries of a file, and reports the others. */
  private async addDeployments(
    file: string,
    entries: Iterable<PlacedValue>,
  ): Promise<ReadonlySet<string>> {
    const { usable, malformed } = await readDeployments(entries, this.options.redact);
    const ids = new Set<string>();
    for (const { deployment, position, unusable: fields } of usable) {
      const { id, group } = deployment;
      ids.add(id);
      this.entries.push(deployment);
      const isGroupKnown = this.idsWithGroup.has(id);
      for (const field of fields)
        this.unusableFields.push({ ...field, id, position, isGroupKnown });
      if (group !== undefined) this.idsWithGroup.add(id);
      if (!this.positions.has(id)) this.positions.set(id, position);
    }
    for (const { text, position } of malformedTexts(malformed, { file, kind: 'entry' }))
      this.reportError(text, position);
    return ids;
  }

  /** "deploy/list.txt:3:5: This contains the token, so it is not sent as an ID." */
  private reportError(text: string, position?: EntryPosition): void {
    // Redacted here, because the summary cuts it: a token that is cut would not be found.
    this.errors.push(this.options.redact(placedText({ position, text })));
  }
}

/** A workspace file that was read. */
interface Workspace {
  readonly file: string;
  readonly text: string;
  /** Those of its folders, in their order. */
  readonly settingsFiles: readonly string[];
}
