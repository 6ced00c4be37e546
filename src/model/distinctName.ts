/** A folder of a workspace: the name that users know, and its address. */
export interface NamedPlace {
  readonly name: string;
  /** "/home/ann/web/src" */
  readonly path: string;
  /** Stands in for a path that another place has too, on another machine. */
  readonly address: string;
}

/**
 * Returns the name of a place where no other one has it, regardless of case, else what tells it apart: its path from
 * `base` ("web/src"), or the shortest end of its path that no other one has.
 */
export function distinctName(
  place: NamedPlace,
  others: readonly NamedPlace[],
  base?: string,
): string {
  if (!others.some(({ name }) => isSameText(name, place.name))) return place.name;
  const isDistinct = (end: string) =>
    end !== '' && !others.some(({ name, path }) => isSameText(name, end) || hasEnd(path, end));
  return [...pathFrom(base, place.path), ...endsOf(place.path)].find(isDistinct) ?? place.address;
}

function pathFrom(base: string | undefined, path: string): readonly string[] {
  if (base === undefined) return [];
  const start = base.endsWith('/') ? base : `${base}/`;
  return path.startsWith(start) ? [path.slice(start.length)] : [];
}

/** "src", "web/src", "ann/web/src" */
function endsOf(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.map((_, at) => parts.slice(parts.length - 1 - at).join('/'));
}

function hasEnd(path: string, end: string): boolean {
  return `/${path}`.toLowerCase().endsWith(`/${end}`.toLowerCase());
}

function isSameText(one: string, another: string): boolean {
  return one.toLowerCase() === another.toLowerCase();
}
