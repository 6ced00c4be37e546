/** All others mean more than themselves to some shell, in YAML, in a comment, or in Markdown's code. */
const unsafe = /[^A-Za-z0-9_./ -]/u;

/** The first character of a path that could be more than part of a name in a snippet for CI. */
export function unsafeCharacter(path: string): string | undefined {
  return unsafe.exec(path)?.[0];
}

/** A path without an unsafe character as the snippets hold it: `./tools/check.mjs`, `"./my tools/check.mjs"`. No option begins so. */
export function snippetPath(path: string): string {
  const relative = `./${path}`;
  // Single quotes are none for `cmd`.
  return relative.includes(' ') ? `"${relative}"` : relative;
}
