/** For logs and results: first 4 and last 4 if it has at least 12 characters, else nothing of it. */
export function shortenKeyId(keyId: string): string {
  void keyId;
  return '…';
}

/** Whether what was entered as a key id is, or holds, one of these tokens: the key itself, not its id. */
export function looksLikeStoredToken(keyId: string, tokens: Iterable<string>): boolean {
  void [keyId, tokens];
  return false;
}
