// Certificates for servers inside the extension host, of an authority that is in the machine's store as far as that host knows.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Certificate, createAuthority } from './service/certificates.js';

/** No resolver knows it: only a proxy leads there. */
export const secretHost = 'service.test.example';

/** All for `secretHost`, but for the one that isn't. */
export interface TestCertificates {
  readonly valid: Certificate;
  readonly expired: Certificate;
  readonly otherHost: Certificate;
  readonly ofStranger: Certificate;
}

const variable = 'AUTOMATION_PLATFORM_TEST_CERTIFICATES';
const day = 24 * 3600_000;

/** The environment for an extension host. `SSL_CERT_FILE` is where OpenSSL, and so Node on Linux, looks for the system's store. */
export async function certificatesForTests(folder: string): Promise<Readonly<Record<string, string>>> {
  const authority = createAuthority('Test authority of this machine');
  const certificates: TestCertificates = {
    valid: authority.issue([secretHost]),
    expired: authority.issue([secretHost], { from: new Date(Date.now() - 9 * day), to: new Date(Date.now() - day) }),
    otherHost: authority.issue(['other.test.example']),
    ofStranger: createAuthority('Stranger').issue([secretHost]),
  };
  const store = join(folder, 'authority.pem');
  const file = join(folder, 'certificates.json');
  await Promise.all([writeFile(store, authority.cert), writeFile(file, JSON.stringify(certificates))]);
  return { SSL_CERT_FILE: store, [variable]: file };
}

export async function readTestCertificates(): Promise<TestCertificates> {
  const certificates: TestCertificates = JSON.parse(await readFile(process.env[variable] ?? '', 'utf8'));
  return certificates;
}
