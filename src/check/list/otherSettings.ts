import { type MuteEntry, readMuteEntries } from '../../model/entered/muteEntries.js';
import { maxOwnerChars, readOwners } from '../../model/entered/owners.js';
import { CheckMutes } from '../mutes.js';
import { inTurns } from './deploymentEntries.js';
import { type PlacedSetting, type ReadSetting, section } from './fileSettings.js';
import type { EntryPosition, PlacedText } from './position.js';

/** What one settings file says besides its list. */
export interface OtherSettings {
  readonly file: string;
  readonly isOfWorkspaceFile: boolean;
  /** The IDs of the deployments that it lists. */
  readonly listedIds: ReadonlySet<string>;
  /** The owners that it names, by the ID of an account, deployment, or service. */
  readonly owners: ReadonlyMap<string, string>;
  /** Its usable mutes, and where they stand. */
  readonly mutes: ReadonlyMap<MuteEntry, EntryPosition>;
}

interface ReadOptions {
  /** Epoch ms at which the run began. */
  readonly now: number;
  /** Replaces the token in a text. */
  readonly redact: (text: string) => string;
}

/** Reads the value of the setting `owners`; `undefined` if the file has none. */
export async function readOwnersSetting(
  table: PlacedSetting | undefined,
  { redact }: ReadOptions,
): Promise<ReadSetting<OtherSettings['owners']>> {
  const { owners, malformed } = readOwners(table?.value);
  const redactedOwners = new Map<string, string>();
  for await (const [id, owner] of inTurns(owners)) redactedOwners.set(id, redact(owner));
  return {
    usable: redactedOwners,
    malformed: malformed.map((id) => ({
      position: table?.positionOf(id),
      text: malformedOwnerText(id),
    })),
  };
}

/** `id`: the key of the malformed owner; `undefined` if the whole setting is malformed. */
function malformedOwnerText(id: string | undefined): string {
  if (id === undefined) return `${section}.owners is not an object, so it names no owners.`;
  if (id.trim() === '') return 'This is no owner, because its ID is blank.';
  return `This is no owner, because it is not a text of 1 to ${maxOwnerChars} characters.`;
}

/** Reads the value of the setting `mutes`; `undefined` if the file has none. */
export async function readMutesSetting(
  list: PlacedSetting | undefined,
  { now, redact }: ReadOptions,
): Promise<ReadSetting<OtherSettings['mutes']>> {
  const usable = new Map<MuteEntry, EntryPosition>();
  if (list === undefined) return { usable, malformed: [] };
  if (!list.isList) {
    const text = `${section}.mutes is not a list, so it mutes nothing.`;
    return { usable, malformed: [{ position: list.positionOf(), text }] };
  }
  const malformed: PlacedText[] = [];
  const hasToken = (text: string): boolean => redact(text) !== text;
  for await (const { value, position } of inTurns(list.entries())) {
    const read = readMuteEntries([value], { now, hasToken });
    for (const { entry } of read.entries) usable.set(entry, position);
    for (const { reason } of read.malformed)
      malformed.push({ position, text: `This entry mutes nothing, because ${reason}.` });
  }
  return { usable, malformed };
}

interface MutesOptions {
  /** The IDs that stand in no settings file. */
  readonly plainIds: ReadonlySet<string>;
  /** The listed deployments that are not to be checked. */
  readonly leftOutIds: readonly string[];
  /** Epoch ms at which the run began. */
  readonly now: number;
}

/**
 * Returns what the files mute. The entries of a workspace file hold for all deployments; those of
 * another file for the ones that this file, a workspace file, or `plainIds` name.
 */
export function mutesOf(
  files: readonly OtherSettings[],
  { plainIds, leftOutIds, now }: MutesOptions,
): CheckMutes {
  const workspaceFiles = files.filter(({ isOfWorkspaceFile }) => isOfWorkspaceFile);
  const idsForAll = [...plainIds, ...workspaceFiles.flatMap(({ listedIds }) => [...listedIds])];
  const scopes = files.map(({ isOfWorkspaceFile, listedIds, mutes }) => ({
    entries: [...mutes.keys()],
    deploymentIds: isOfWorkspaceFile ? undefined : new Set([...listedIds, ...idsForAll]),
  }));
  const positions = new Map(files.flatMap(({ mutes }) => [...mutes]));
  return new CheckMutes({ scopes, positions, leftOutIds, now });
}
