import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import tls from 'node:tls';
import { orAborted } from '../abort.js';
import { codeOf } from './errorCodes.js';

/** In Node since 22.15, and so not in the types of the oldest Node that the tests run on. */
type NewerTls = typeof tls & { readonly getCACertificates?: (type: 'extra') => readonly string[] };

const { getCACertificates }: NewerTls = tls;

export const extraCertificatesVariable = 'NODE_EXTRA_CA_CERTS';

/**
 * Why Node does not trust what the file of `NODE_EXTRA_CA_CERTS` holds. `unreadable`: with a code of the
 * file system. `noCertificate`: none in PEM. `damaged`: one cannot be read, and Node leaves out that and
 * those after it. `tooLate`: the file was unreadable when this process started, as Node reads it only then.
 */
export type ExtraCertificatesProblem =
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'noCertificate' | 'damaged' | 'tooLate' };

/** Returns `undefined` if the variable is not set, or its certificates are trusted. Rejects with the signal's reason. */
export async function extraCertificatesProblem(
  signal: AbortSignal,
  file = process.env[extraCertificatesVariable],
): Promise<ExtraCertificatesProblem | undefined> {
  if (!file) return undefined;
  const found = await orAborted(problemIn(file), signal);
  if (found !== undefined) return found;
  const trusted = getCACertificates?.('extra');
  return trusted?.length === 0 ? { kind: 'tooLate' } : undefined;
}

async function problemIn(file: string): Promise<ExtraCertificatesProblem | undefined> {
  try {
    // A pipe would be waited for.
    if (!(await stat(file)).isFile()) return { kind: 'unreadable', code: 'EISDIR' };
    const text = await readFile(file, 'latin1');
    const count = text.match(/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g)?.length ?? 0;
    if (count === 0) return { kind: 'noCertificate' };
    // OpenSSL wants each mark on a line of its own.
    const blocks = text.match(/^-----BEGIN [^]*?^-----END [A-Z0-9 ]+-----\s*?$/gm) ?? [];
    return blocks.length === count && blocks.every(isCertificate) ? undefined : { kind: 'damaged' };
  } catch (error) {
    return { kind: 'unreadable', code: codeOf(error) };
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
