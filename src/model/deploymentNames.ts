import { lazy } from './base/lazy.js';
import type { Deployment, ListedDeployment } from './findings/deployment.js';
import { shorten, shortenMiddle } from './inertText.js';
import { visibleControls } from './invisibleCharacters.js';

/** Names that differ only behind so many characters would look alike in sentences. */
const maxNameChars = 80;
const minIdChars = 40;

/**
 * Returns by ID what deployments of one list are called: the label, else the ID. A label that could be taken for the name
 * of another deployment carries the ID, "Nightly sync (twin_us)".
 */
export function deploymentNames(listed: readonly ListedDeployment[]): ReadonlyMap<string, string> {
  const keys = new Map(listed.map(({ id, label = id }) => [id, spoken(label)]));
  const counts = new Map<string, number>();
  for (const key of keys.values()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const withIds = lazy(
    () => new Set(listed.filter(hasOwnLabel).map((one) => spoken(shortNameWithId(one)))),
  );
  return new Map(
    listed.map((one) => {
      const { id, label = id } = one;
      const key = keys.get(id)!;
      const isShared = counts.get(key) !== 1 || (key.endsWith(')') && withIds().has(key));
      return [id, isShared && hasOwnLabel(one) ? nameWithId(label, id) : label];
    }),
  );
}

/** What is listed, with what is known of it: the same object if that has this label and this name. */
export function namedDeployment(
  { id, label }: ListedDeployment,
  name: string,
  known?: Deployment,
): Deployment {
  if (known !== undefined && known.label === label && known.name === name) return known;
  const { label: _, ...rest }: Omit<Deployment, 'id' | 'name'> = known ?? {
    state: 'notYetRead',
    activity: 'idle',
  };
  return { ...rest, id, name, ...(label !== undefined && { label }) };
}

/** The name in at most `maxChars` characters, of which an ID that tells it from others keeps 40. */
export function shortName(
  { id, label, name }: Omit<Deployment, 'state' | 'activity'>,
  maxChars = maxNameChars,
): string {
  return label === undefined || name === label
    ? shorten(name, maxChars)
    : shortNameWithId({ id, label }, maxChars);
}

function shortNameWithId(
  { id, label }: Required<ListedDeployment>,
  maxChars = maxNameChars,
): string {
  const shortId = shortenMiddle(id, Math.max(minIdChars, maxChars - nameWithId(label, '').length));
  return nameWithId(shorten(label, maxChars - nameWithId('', shortId).length), shortId);
}

/** The same deployment without what `redact` takes out of its texts. */
export function redactedDeployment(
  deployment: Deployment,
  redact: (text: string) => string,
): Deployment {
  const { id, label, name } = deployment;
  const own = label !== undefined && { label: redact(label) };
  return { ...deployment, id: redact(id), name: redact(name), ...own };
}

function nameWithId(label: string, id: string): string {
  return `${label} (${id})`;
}

function hasOwnLabel(listed: ListedDeployment): listed is Required<ListedDeployment> {
  return listed.label !== undefined && listed.label !== listed.id;
}

/** Equal for names that look alike or that a screen reader says alike: without case and invisible characters. */
function spoken(name: string): string {
  return visibleControls(shorten(name, maxNameChars))
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .toLowerCase();
}
