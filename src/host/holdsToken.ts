/** Whether the text is, or contains, one of the tokens, also when somebody copied it out of a URL. */
export function holdsToken(text: string, tokens: Iterable<string>): boolean {
  const readings = [text, decoded(text)];
  for (const token of tokens) {
    if (token !== '' && readings.some((reading) => reading.includes(token))) return true;
  }
  return false;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
