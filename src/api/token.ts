/**
 * Whether a text can stand in an `Authorization: Bearer` header at all (reference, 5): visible ASCII, nothing else.
 * A request with any other token is refused before anything is sent (`unreachable`, code `ERR_INVALID_CHAR`).
 */
export function isUsableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
