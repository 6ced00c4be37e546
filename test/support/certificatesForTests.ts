// Certificates for servers inside the extension host, of an authority that is in the machine's store as far as that host knows.
import { writeFile } from 'node:fs/promises';
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
  await writeFile(store, authority.cert);
  return { SSL_CERT_FILE: store, [variable]: JSON.stringify(issuedBy(authority)) };
}

export function readTestCertificates(): TestCertificates {
  return JSON.parse(process.env[variable] ?? '');
}
