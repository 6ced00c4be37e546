/** White space, and characters that are not visible. */
const invisible = '[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]';
/**
 * With the look-behind, only the first character of a run in the middle of a text is tried, so that
 * a long run takes no time that grows with its square.
 */
const invisibleAtEnds = new RegExp(`^${invisible}+|(?<!${invisible})${invisible}+$`, 'gu');

const quotePairs = ['""', "''", '``', '“”', '„“', '‘’', '«»'];

/**
 * Removes white space and invisible characters at both ends, which a page, a terminal, or an editor
 * adds when a value is copied.
 */
export function withoutInvisibleEnds(text: string): string {
  return text.replace(invisibleAtEnds, '');
}

/**
 * Removes white space and invisible characters at both ends, and one pair of quotes around the text
 * with what is invisible inside of it. `docker --env-file` passes quotes on as a part of the value,
 * and web pages have typographic ones.
 */
export function withoutQuotes(text: string): string {
  const value = withoutInvisibleEnds(text);
  const ends = value.slice(0, 1) + value.slice(-1);
  const isQuoted = value.length >= 2 && quotePairs.includes(ends);
  return isQuoted ? withoutInvisibleEnds(value.slice(1, -1)) : value;
}

const placeholders = [
  // Azure Pipelines: `$(NAME)`
  '\\$\\([a-z_][\\w.-]*\\)',
  // A shell: `${NAME}`. VS Code: `${env:NAME}`
  '\\$\\{[a-z_][\\w.:-]*\\}',
  // GitHub Actions: `${{ secrets.NAME }}`. Templates: `{{ name }}`
  '\\$?\\{\\{[^{}]*\\}\\}',
  // Documentation: `<your token>`
  "<[\\p{L}\\p{N}][\\p{L}\\p{N} '’_.-]*>",
];
const placeholder = new RegExp(`^(?:${placeholders.join('|')})$`, 'iu');
/** `$NAME` of a shell, or `%NAME%` of Windows. */
const variableReference = /^(?:\$[A-Z_][A-Z0-9_]*|%[A-Z_][A-Z0-9_]*%)$/;

/**
 * Returns whether the whole text names a value that a CI system or the user should have filled in.
 */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text) || variableReference.test(text);
}
