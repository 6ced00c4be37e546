// Certificates for servers inside the extension host, of an authority that is in the machine's store as far as that host knows.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authority, createAuthority } from './service/certificates.js';

/** No resolver knows it: only a proxy leads there. */
export const secretHost = 'service.test.example';

export type TestCertificates = ReturnType<typeof issuedBy>;

const variable = 'AUTOMATION_PLATFORM_TEST_CERTIFICATES';
const day = 24 * 3600_000;

/** All for `secretHost`, but for the one that isn't. */
function issuedBy(authority: Authority) {
  return {
    valid: authority.issue([secretHost]),
    expired: authority.issue([secretHost], { from: new Date(Date.now() - 9 * day), to: new Date(Date.now() - day) }),
    otherHost: authority.issue(['other.test.example']),
    ofStranger: createAuthority('Stranger').issue([secretHost]),
  };
}

/** The environment for an extension host. `SSL_CERT_FILE` is where OpenSSL, and so Node on Linux, looks for the system's store. */
export async function certificatesForTests(folder: string): Promise<Readonly<Record<string, string>>> {
  const authority = createAuthority('Test authority of this machine');
  const store = join(folder, 'authority.pem');
  const file = join(folder, 'certificates.json');
  await Promise.all([writeFile(store, authority.cert), writeFile(file, JSON.stringify(issuedBy(authority)))]);
  return { SSL_CERT_FILE: store, [variable]: file };
}

export async function readTestCertificates(): Promise<TestCertificates> {
  return JSON.parse(await readFile(process.env[variable] ?? '', 'utf8'));
}
