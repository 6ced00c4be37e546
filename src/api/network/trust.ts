import tls from 'node:tls';

/** Where a certificate that Node knows comes from. `extra`: `NODE_EXTRA_CA_CERTS`. */
export type Store = 'bundled' | 'extra' | 'system';

/** Certificates (PEM) of a store. Node has said since 22.15 which the system's and the extra ones are; before, none are known. */
export function certificatesOf(store: Store | 'default'): readonly string[] {
  const list: unknown = Reflect.get(tls, 'getCACertificates');
  if (typeof list !== 'function') {
    return store === 'bundled' ? tls.rootCertificates : [];
  }
  try {
    const found: unknown = Reflect.apply(list, tls, [store]);
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/**
 * Whose certificates are trusted: Node's own with the extra ones, and the system's where that is wanted. One context is built
 * on first use and shared by all connections: rebuilding it for each stalls the extension host for tenths of a second.
 */
export class Trust {
  #context: { readonly system: boolean; readonly value: tls.SecureContext | undefined } | undefined;

  /** `undefined`: Node's default will do. */
  context(systemCertificates: boolean): tls.SecureContext | undefined {
    if (this.#context?.system !== systemCertificates) {
      const system = systemCertificates ? certificatesOf('system') : [];
      const ca = [...new Set([...certificatesOf('default'), ...system])];
      this.#context = { system: systemCertificates, value: system.length === 0 ? undefined : contextOf(ca) };
    }
    return this.#context.value;
  }

  /** The stores may have changed. */
  forget(): void {
    this.#context = undefined;
  }
}

/** A certificate in the system's store that can't be read must not cost all others: then Node's own have to do. */
function contextOf(ca: string[]): tls.SecureContext | undefined {
  try {
    return tls.createSecureContext({ ca });
  } catch {
    return undefined;
  }
}
