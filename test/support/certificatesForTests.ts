// The certificate of servers inside the extension host, of an authority that is in the machine's store as far as that host knows.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authority, createAuthority } from './service/certificates.js';

/** No resolver knows it: only a proxy leads there. */
export const secretHost = 'service.test.example';

const variable = 'AUTOMATION_PLATFORM_TEST_CERTIFICATE';

/** The environment for an extension host. `SSL_CERT_FILE` is where OpenSSL, and so Node on Linux, looks for the system's store. */
export async function certificatesForTests(folder: string): Promise<Readonly<Record<string, string>>> {
  const authority = createAuthority('Test authority of this machine');
  const store = join(folder, 'authority.pem');
  const file = join(folder, 'certificate.json');
  const certificate = JSON.stringify(authority.issue([secretHost]));
  await Promise.all([writeFile(store, authority.cert), writeFile(file, certificate)]);
  return { SSL_CERT_FILE: store, [variable]: file };
}

/** That of `secretHost`. */
export async function readTestCertificate(): Promise<ReturnType<Authority['issue']>> {
  return JSON.parse(await readFile(process.env[variable] ?? '', 'utf8'));
}
