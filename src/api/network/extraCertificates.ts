import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import tls from 'node:tls';
import { orAborted } from '../abort.js';
import { codeOf } from './errorCodes.js';

/** Node has it since 22.15, so the types of the oldest Node that the tests run on lack it. */
type NewerTls = typeof tls & { readonly getCACertificates?: (type: 'extra') => readonly string[] };

const { getCACertificates }: NewerTls = tls;

export const extraCertificatesVariable = 'NODE_EXTRA_CA_CERTS';

/**
 * Why Node does not trust all certificates of the `NODE_EXTRA_CA_CERTS` file. `unreadable`: with a
 * code of the file system. `noCertificate`: none in PEM. `damaged`: one cannot be read, and Node
 * leaves it and all after it out. `tooLate`: the file was unreadable when this process started, and
 * Node reads it only then.
 */
export type ExtraCertificatesProblem =
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'noCertificate' | 'damaged' | 'tooLate' };

/**
 * Returns `undefined` if the variable is not set, and if nothing shows that Node does not trust a
 * certificate of the file. Rejects with the signal's reason only.
 */
export async function extraCertificatesProblem(
  signal: AbortSignal,
  file = process.env[extraCertificatesVariable],
): Promise<ExtraCertificatesProblem | undefined> {
  if (!file) return undefined;
  const problem = await orAborted(problemOfFile(file), signal);
  if (problem !== undefined) return problem;
  // Absent in older versions of Node, which cannot say what they trust.
  const trusted = getCACertificates?.('extra');
  return trusted?.length === 0 ? { kind: 'tooLate' } : undefined;
}

const beginMark = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g;
/** OpenSSL wants each mark on a line of its own. */
const pemBlock = /^-----BEGIN [^]*?^-----END [A-Z0-9 ]+-----\s*?$/gm;

/** Never rejects. */
async function problemOfFile(file: string): Promise<ExtraCertificatesProblem | undefined> {
  try {
    const isFile = (await stat(file)).isFile();
    // The end of a pipe may never come.
    if (!isFile) return { kind: 'unreadable', code: 'EISDIR' };
    const text = await readFile(file, 'latin1');
    const count = text.match(beginMark)?.length ?? 0;
    if (count === 0) return { kind: 'noCertificate' };
    const blocks = text.match(pemBlock) ?? [];
    const areAllReadable = blocks.length === count && blocks.every(isCertificate);
    return areAllReadable ? undefined : { kind: 'damaged' };
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
