// The certificate of servers inside the extension host, of an authority that is in the machine's store as far as that host knows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Certificate, createAuthority } from './platform/certificates.js';

/** No resolver knows it: only a proxy leads there. */
export const secretHost = 'platform.test.example';

const variable = 'AUTOMATION_PLATFORM_TEST_CERTIFICATE';

/** The environment for an extension host. `SSL_CERT_FILE` is where OpenSSL, and so Node on Linux, looks for the system's store. */
export async function certificatesForTests(
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const authority = await createAuthority('Test authority of this machine');
  const store = join(folder, 'authority.pem');
  await writeFile(store, authority.cert);
  return { SSL_CERT_FILE: store, [variable]: JSON.stringify(await authority.issue([secretHost])) };
}

export function readTestCertificate(): Certificate {
  return JSON.parse(process.env[variable] ?? '');
}
