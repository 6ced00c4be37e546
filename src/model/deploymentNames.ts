import { lazy } from './base/lazy.js';
import { type Deployment, type ListedDeployment, listedDeployment } from './findings/deployment.js';
import { shorten, shortenMiddle } from './inertText.js';
import { visibleControls } from './invisibleCharacters.js';

/** Names that differ only after so many characters would look the same in sentences. */
const maxNameChars = 80;
const minIdChars = 40;

/**
 * Returns by ID what deployments of one list are called: the label, else the ID. A label that could
 * be taken for the name of another deployment is followed by the ID, "Nightly sync (twin_us)".
 */
export function deploymentNames(listed: readonly ListedDeployment[]): ReadonlyMap<string, string> {
  const spokenLabels = new Map(listed.map(({ id, label = id }) => [id, spoken(label)]));
  const counts = new Map<string, number>();
  for (const label of spokenLabels.values()) counts.set(label, (counts.get(label) ?? 0) + 1);
  const spokenNamesWithId = lazy(() => {
    const labeled = listed.filter(hasOwnLabel);
    return new Set(labeled.map((deployment) => spoken(shortNameWithId(deployment))));
  });

  const names = new Map<string, string>();
  for (const deployment of listed) {
    const { id, label = id } = deployment;
    const spokenLabel = spokenLabels.get(id)!;
    const isAmbiguous =
      counts.get(spokenLabel) !== 1 ||
      (spokenLabel.endsWith(')') && spokenNamesWithId().has(spokenLabel));
    const needsId = isAmbiguous && hasOwnLabel(deployment);
    names.set(id, needsId ? nameWithId(label, id) : label);
  }
  return names;
}

/**
 * Returns a listed deployment with the name that it has in its list. `known`: the deployment as it
 * was until now, which is returned itself if label, group, and name are the same. Without it, the
 * deployment is new in the list, and has not been read.
 */
export function namedDeployment(
  { id, label, group }: ListedDeployment,
  name: string,
  known: Deployment = { id, name, state: 'notYetRead', activity: 'idle' },
): Deployment {
  const isAsKnown = known.label === label && known.group === group && known.name === name;
  if (isAsKnown) return known;
  const { label: _label, group: _group, ...others } = known;
  return { ...others, ...listedDeployment(id, label, group), name };
}

/**
 * Returns the name in at most `maxChars` characters, but for an ID that distinguishes it from other
 * names: that keeps at least 40.
 */
export function shortName(
  { id, label, name }: Omit<Deployment, 'state' | 'activity'>,
  maxChars = maxNameChars,
): string {
  const hasId = label !== undefined && name !== label;
  return hasId ? shortNameWithId({ id, label }, maxChars) : shorten(name, maxChars);
}

type LabeledDeployment = ListedDeployment & { readonly label: string };

/** "Nightly sync (twin_us)", of which the label is cut at its end, and the ID in its middle. */
function shortNameWithId({ id, label }: LabeledDeployment, maxChars = maxNameChars): string {
  const charsAroundId = nameWithId(label, '').length;
  const shortId = shortenMiddle(id, Math.max(minIdChars, maxChars - charsAroundId));
  const charsAroundLabel = nameWithId('', shortId).length;
  return nameWithId(shorten(label, maxChars - charsAroundLabel), shortId);
}

/** Returns the same deployment without what `redact` takes out of its ID, name, and label. */
export function redactedDeployment(
  deployment: Deployment,
  redact: (text: string) => string,
): Deployment {
  const { id, label, name } = deployment;
  const redacted = { ...deployment, id: redact(id), name: redact(name) };
  return label === undefined ? redacted : { ...redacted, label: redact(label) };
}

function nameWithId(label: string, id: string): string {
  return `${label} (${id})`;
}

function hasOwnLabel(listed: ListedDeployment): listed is LabeledDeployment {
  return listed.label !== undefined && listed.label !== listed.id;
}

/**
 * Returns a text that is equal for names that look or sound the same: without case and invisible
 * characters.
 */
function spoken(name: string): string {
  return visibleControls(shorten(name, maxNameChars))
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .toLowerCase();
}
