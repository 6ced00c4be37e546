/** X.509 certificates for TLS tests, made on the spot: no private key in the repository, and nothing that expires. All is PEM. */
import { isIPv4 } from 'node:net';
import { generate } from 'selfsigned';

export type Certificate = Awaited<ReturnType<typeof issue>>;

const day = 24 * 3600_000;

export type Authority = ReturnType<typeof authorityOf>;

export async function createAuthority(name = 'Test authority', validity: Validity = {}) {
  return authorityOf(await issue(name, { ...asAuthority, ...validity }));
}

const asAuthority: Options = {
  extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
};

function authorityOf(own: Certificate) {
  return {
    cert: own.cert,
    issue: (names: readonly string[], validity: Validity = {}) =>
      issue(names[0] ?? 'nameless', {
        ...validity,
        ca: own,
        extensions: [{ name: 'subjectAltName', altNames: names.map(altName) }],
      }),
    /** An intermediate one, whose certificate a server has to send with its own. */
    issueAuthority: async (name: string, validity: Validity = {}) =>
      authorityOf(await issue(name, { ...asAuthority, ...validity, ca: own })),
  };
}

type Options = NonNullable<Parameters<typeof generate>[1]>;
/** By default from yesterday to tomorrow. */
type Validity = Pick<Options, 'notBeforeDate' | 'notAfterDate'>;

async function issue(commonName: string, options: Options) {
  const validity = {
    notBeforeDate: new Date(Date.now() - day),
    notAfterDate: new Date(Date.now() + day),
  };
  const { private: key, cert } = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...validity,
    ...options,
  });
  return { key, cert };
}

function altName(name: string) {
  return isIPv4(name) ? ({ type: 7, ip: name } as const) : ({ type: 2, value: name } as const);
}
