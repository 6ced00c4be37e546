const tokenCharacter = /^[\p{L}\p{N}\p{M}_-]/u;

const unset = 0;
const yes = 1;
const no = 2;

/** One entry for each UTF-16 unit, filled as units are met. */
export type TokenTable = Uint8Array;

/** What a token is made of (contract, "In editors"), asked a million times in a scan. */
export function createTokenTable(): TokenTable {
  const table = new Uint8Array(0x10000);
  for (let unit = 0; unit < 128; unit++) table[unit] = tokenCharacter.test(String.fromCharCode(unit)) ? yes : no;
  return table;
}

/** Whether the unit at `at`, a place in the text, belongs to a token character; both halves of a pair do. */
export function isTokenAt(table: TokenTable, text: string, at: number): boolean {
  const known = table[text.charCodeAt(at)];
  return known === yes || (known === unset && judge(table, text, at));
}

function judge(table: TokenTable, text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit <= 0xdfff) {
    // A pair is judged as a whole each time; half of one is no character.
    const start = unit >= 0xdc00 ? at - 1 : at;
    return (text.codePointAt(start) ?? 0) > 0xffff && tokenCharacter.test(text.slice(start, start + 2));
  }
  const isToken = tokenCharacter.test(String.fromCharCode(unit));
  table[unit] = isToken ? yes : no;
  return isToken;
}
