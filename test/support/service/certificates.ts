/**
 * X.509 certificates for TLS tests, made on the spot: no private key in the repository, nothing that expires, no tool to install.
 * Node signs but does not write certificates, so the few structures needed are put into DER here.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export type Authority = ReturnType<typeof createAuthority>;

const days = (count: number) => new Date(Date.now() + count * 24 * 3600_000);

/** A certificate authority that nobody trusts yet. Its `cert` is what a client has to be given. All is PEM. */
export function createAuthority(name = 'Test authority') {
  const own = newKey();
  const issue = (subject: string, { publicKey }: Key, extension: Buffer, from = days(-1), to = days(1)): string => {
    const serial = randomBytes(8);
    // Positive, and without a leading zero byte: DER has one way to write a number.
    serial[0] = 0x40 | (serial.readUInt8(0) & 0x3f);
    const body = sequence(
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, serial),
      ECDSA_WITH_SHA256,
      commonName(name),
      sequence(time(from), time(to)),
      commonName(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(extension)),
    );
    const signature = der(0x03, Buffer.from([0]), sign('sha256', body, own.privateKey));
    const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64');
    return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
  };
  return {
    cert: issue(name, own, BASIC_CONSTRAINTS_CA),
    key: pem(own),
    /** A server's certificate for these host names and IPv4 addresses, by default valid from yesterday to tomorrow. */
    issue: (names: string[], { from, to }: { from?: Date; to?: Date } = {}) => {
      const key = newKey();
      return { cert: issue(names[0] ?? 'nameless', key, alternativeNames(names), from, to), key: pem(key) };
    },
  };
}

type Key = ReturnType<typeof newKey>;

function newKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pem({ privateKey }: Key): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const IS_AUTHORITY = sequence(der(0x01, Buffer.from([0xff])));
const BASIC_CONSTRAINTS_CA = sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, IS_AUTHORITY));

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
}

function time(date: Date): Buffer {
  // Generalized time also for years before 2050: not the letter of RFC 5280, and read by everybody.
  return der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`));
}

function alternativeNames(names: string[]): Buffer {
  const address = (name: string) => der(0x87, Buffer.from(name.split('.').map(Number)));
  const list = names.map((name) => (isIPv4(name) ? address(name) : der(0x82, Buffer.from(name))));
  return sequence(oid('551d11'), der(0x04, sequence(...list)));
}
