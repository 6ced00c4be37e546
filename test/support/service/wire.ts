/**
 * JSON that can also carry bytes, Maps and Sets: what goes between the control server and its client, so that both sides of
 * the process boundary use the very same types.
 */

const BYTES = '$bytes';
const MAP = '$map';
const SET = '$set';

export function encode(value: unknown): string {
  return (
    JSON.stringify(value, function (this: Record<string, unknown>, key: string, given: unknown) {
      // Buffer has a toJSON of its own, which runs before a replacer: the value itself is still at the holder.
      const original = this[key];
      if (original instanceof Uint8Array) return { [BYTES]: Buffer.from(original).toString('base64') };
      if (original instanceof Map) return { [MAP]: [...original] };
      return original instanceof Set ? { [SET]: [...original] } : given;
    }) ?? 'null'
  );
}

/** For JSON.parse. What comes out has the type that the caller says: both ends of this wire are compiled together. */
export function revive(_key: string, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Object.keys(given).length !== 1) return given;
  if (BYTES in given && typeof given[BYTES] === 'string') return Buffer.from(given[BYTES], 'base64');
  if (MAP in given && Array.isArray(given[MAP])) return new Map(given[MAP]);
  return SET in given && Array.isArray(given[SET]) ? new Set(given[SET]) : given;
}
