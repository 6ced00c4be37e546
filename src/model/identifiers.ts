/** For logs and results: first 4 and last 4 if it has at least 12 characters, else nothing of it. */
export function shortenKeyId(keyId: string): string {
  // By character, so that no half of one is left.
  const characters = Array.from(keyId);
  return characters.length < 12 ? '…' : `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`;
}

/** Whether what was entered as a key id is, or holds, one of these tokens: the key itself, not its id. */
export function looksLikeStoredToken(keyId: string, tokens: Iterable<string>): boolean {
  for (const token of tokens) if (token !== '' && keyId.includes(token)) return true;
  return false;
}
