/** For logs and results: first 4 and last 4 if it has at least 12 characters, else nothing of it. */
export function shortenKeyId(keyId: string): string {
  // By character, so that no half of one is left.
  const characters = Array.from(keyId);
  return characters.length < 12 ? '…' : `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`;
}
