import { firstWithMore, listText } from '../../host/text/format.js';
import type { ListedDeployment } from '../../model/findings/deployment.js';
import { groupBy } from '../../model/findings/findings.js';
import { compareGroups } from '../../model/groups.js';
import { shorten } from '../../model/inertText.js';
import type { UnusableField } from './deploymentEntries.js';
import { malformedTexts } from './malformed.js';
import type { EntryPosition, PlacedText } from './position.js';

/** Returns the deployments of these groups; all if there are none. */
export function inGroups(
  listed: readonly ListedDeployment[],
  groups: readonly string[],
): readonly ListedDeployment[] {
  if (groups.length === 0) return listed;
  return listed.filter(({ group }) => group !== undefined && groups.includes(group));
}

/** How many of the groups that there are a sentence names. */
const maxGroups = 10;
/** How much of the name of a group is shown. */
export const maxGroupNameChars = 60;

/**
 * "No listed deployment is in the group “paymnts”. The groups are “ops”, “payments”, and 3 more.";
 * `undefined` if there is a deployment in each of these groups. `groups`: texts without the token.
 */
export function unknownGroupsText(
  listed: readonly ListedDeployment[],
  groups: readonly string[],
): string | undefined {
  const known = new Set(listed.flatMap(({ group }) => group ?? []));
  const unknown = groups.filter((group) => !known.has(group));
  if (unknown.length === 0) return undefined;
  const names = namesText(unknown, 'or');
  const word = unknown.length === 1 ? 'group' : 'groups';
  const sentence = `No listed deployment is in the ${word} ${names}.`;
  if (known.size === 0) return `${sentence} No entry of the list names a group.`;
  const knownNames = namesText([...known].toSorted(compareGroups), 'long');
  return `${sentence} ${known.size === 1 ? 'The only group is' : 'The groups are'} ${knownNames}.`;
}

function namesText(groups: readonly string[], style: 'or' | 'long'): string {
  const names = firstWithMore(groups, maxGroups, (name) => `“${shorten(name, maxGroupNameChars)}”`);
  return listText(names, style);
}

/** A label or a group that counts as none, and where it stands. */
export interface PlacedUnusableField extends UnusableField {
  readonly id: string;
  readonly position: EntryPosition;
  /** Whether an earlier entry, which counts first, has a group for the deployment. */
  readonly isGroupKnown: boolean;
}

/**
 * Returns for each file the sentences about its unusable labels and groups. `errors`: about groups
 * because of which a deployment may be missing from those that are to be checked. `notes`: about
 * all others. `takenIds`: the deployments that are to be checked.
 */
export function unusableTexts(
  unusable: readonly PlacedUnusableField[],
  takenIds: ReadonlySet<string>,
): { readonly notes: readonly PlacedText[]; readonly errors: readonly PlacedText[] } {
  const isMissing = ({ id, field, isGroupKnown }: PlacedUnusableField): boolean =>
    field === 'group' && !isGroupKnown && !takenIds.has(id);
  const textsOf = (fields: readonly PlacedUnusableField[], end: string): readonly PlacedText[] => {
    const byFile = groupBy(fields, ({ position }) => position.file);
    return Array.from(byFile).flatMap(([file, ofFile]) => {
      const texts = ofFile.map(({ position, reason }) => ({ position, text: `${reason}${end}` }));
      return malformedTexts(texts, { file, kind: 'field' });
    });
  };
  return {
    notes: textsOf(
      unusable.filter((field) => !isMissing(field)),
      ', so it does not count.',
    ),
    errors: textsOf(unusable.filter(isMissing), ', so the deployment may be missing.'),
  };
}
