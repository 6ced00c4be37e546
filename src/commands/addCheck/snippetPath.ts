/**
 * Any other character might have a meaning of its own in some shell, in YAML, in a comment, or in
 * the code of Markdown.
 */
const unsafe = /[^A-Za-z0-9_./ -]/u;

/**
 * Returns the first character of a path that might have a meaning of its own in a snippet for CI;
 * `undefined` if there is none.
 */
export function unsafeCharacter(path: string): string | undefined {
  return unsafe.exec(path)?.[0];
}

/**
 * Returns a relative path without unsafe characters as snippets contain it: `./tools/check.mjs`,
 * `"./my tools/check.mjs"`. It starts with a dot, so that no program reads it as an option.
 */
export function snippetPath(path: string): string {
  const relative = `./${path}`;
  // `cmd` knows no single quotes.
  return relative.includes(' ') ? `"${relative}"` : relative;
}
