const visibleCharacter = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Returns why a text cannot be a name or a reason of at most `maxChars` code points, as VS Code
 * counts them by the schema of a setting; `undefined` if it can. `empty`: a reader would see no
 * character of it.
 */
export function shortTextProblem(text: string, maxChars: number): 'empty' | 'tooLong' | undefined {
  if (!visibleCharacter.test(text)) return 'empty';
  const { length } = Array.from(text);
  return length > maxChars ? 'tooLong' : undefined;
}
