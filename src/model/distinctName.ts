/** A folder of a workspace: the name that users know, and its address. */
export interface NamedFolder {
  readonly name: string;
  /** "/home/ann/web/src" */
  readonly path: string;
  /** Shown if another folder has the same path, on another machine. */
  readonly address: string;
}

/**
 * Returns the name of a folder if no other one has it, regardless of case. Otherwise returns its
 * path from `base` ("web/src"), or the shortest end of its path that no other folder has, or its
 * address.
 */
export function distinctName(
  folder: NamedFolder,
  others: readonly NamedFolder[],
  base?: string,
): string {
  const isShared = others.some(({ name }) => isSameText(name, folder.name));
  if (!isShared) return folder.name;
  const isDistinct = (end: string): boolean => {
    const isOfOther = others.some(({ name, path }) => isSameText(name, end) || hasEnd(path, end));
    return end !== '' && !isOfOther;
  };
  const candidates = [...pathFrom(base, folder.path), ...endsOf(folder.path)];
  return candidates.find(isDistinct) ?? folder.address;
}

/** ["web/src"], or [] if the path is not below `base`. */
function pathFrom(base: string | undefined, path: string): readonly string[] {
  if (base === undefined) return [];
  const start = base.endsWith('/') ? base : `${base}/`;
  return path.startsWith(start) ? [path.slice(start.length)] : [];
}

/** ["src", "web/src", "ann/web/src"], the shortest first. */
function endsOf(path: string): readonly string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.map((_, index) => segments.slice(segments.length - 1 - index).join('/'));
}

function hasEnd(path: string, end: string): boolean {
  return `/${path}`.toLowerCase().endsWith(`/${end}`.toLowerCase());
}

function isSameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
