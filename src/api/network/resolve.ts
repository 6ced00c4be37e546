import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** All addresses of a name, in the order in which they are tried. Rejects with the resolver's error. */
export function resolveAll(host: string, lookup: LookupFunction = systemLookup): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => {
      if (error) {
        reject(error);
      } else {
        resolve(typeof addresses === 'string' ? [addresses] : addresses.map(({ address }) => address));
      }
    });
  });
}

/** A resolver that knows one answer already. */
export function resolvedAs(addresses: readonly string[]): LookupFunction {
  const list = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const [first] = list;
  return (_host, options, callback) => {
    if (options.all || !first) {
      callback(null, list);
    } else {
      callback(null, first.address, first.family);
    }
  };
}
