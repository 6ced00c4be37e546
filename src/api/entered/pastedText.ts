const invisible = '[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]';
/** The look-behind keeps a run in the middle of a text from being read again from each of its characters. */
const invisibleAtEnds = new RegExp(`^${invisible}+|(?<!${invisible})${invisible}+$`, 'gu');

const quotePairs = ['""', "''", '``', '“”', '„“', '‘’', '«»'];

/** Takes off what a page, a terminal, or an editor adds when a value is copied: white space and invisible characters. */
export function withoutInvisibleEnds(text: string): string {
  return text.replace(invisibleAtEnds, '');
}

/** Takes off the same, and one pair of quotes around all of it: `docker --env-file` hands on quotes as part of a value. */
export function withoutQuotes(text: string): string {
  const value = withoutInvisibleEnds(text);
  const isQuoted = value.length >= 2 && quotePairs.includes(value.slice(0, 1) + value.slice(-1));
  return isQuoted ? withoutInvisibleEnds(value.slice(1, -1)) : value;
}

/** `$(NAME)` of Azure Pipelines, `${NAME}`, `${env:NAME}` of VS Code, `${{ secrets.NAME }}`, `{{ name }}`, `$NAME`, `%NAME%`, and `<your token>`. */
const placeholder =
  /^(?:\$\([a-z_][\w.-]*\)|\$\{[a-z_][\w.:-]*\}|\$?\{\{[^{}]*\}\}|<[\p{L}\p{N}][\p{L}\p{N} '’_.-]*>)$/iu;
const variableReference = /^(?:\$[A-Z_][A-Z0-9_]*|%[A-Z_][A-Z0-9_]*%)$/;

/** Returns whether the whole text names a value that a CI system or a person was to fill in. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text) || variableReference.test(text);
}
