/**
 * X.509 certificates for TLS tests, made on the spot: no private key in the repository, nothing that expires, no tool to install.
 * Node signs but does not write certificates, so the few structures needed are put into DER here.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface Certificate {
  /** PEM. */
  cert: string;
  key: string;
}

export interface Authority extends Certificate {
  /** A server's certificate for these host names and addresses, by default valid from yesterday to tomorrow. */
  issue(names: string[], validity?: { from?: Date; to?: Date }): Certificate;
}

const DAY_MS = 24 * 3600 * 1000;
const days = (count: number) => new Date(Date.now() + count * DAY_MS);

/** A certificate authority that nobody trusts yet. Its `cert` is what a client has to be given. */
export function createAuthority(name = 'Test authority'): Authority {
  const authority = newKey();
  const root = { subject: name, issuer: name, publicKey: authority.publicKey, signer: authority.privateKey };
  return {
    cert: certificate({ ...root, from: days(-1), to: days(1), extensions: [BASIC_CONSTRAINTS_CA] }),
    key: pem(authority.privateKey),
    issue: (names, { from = days(-1), to = days(1) } = {}) => {
      const { publicKey, privateKey } = newKey();
      const subject = names[0] ?? 'nameless';
      const extensions = [alternativeNames(names)];
      return {
        cert: certificate({ subject, issuer: name, publicKey, signer: authority.privateKey, from, to, extensions }),
        key: pem(privateKey),
      };
    },
  };
}

function newKey(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

interface Contents {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signer: KeyObject;
  from: Date;
  to: Date;
  extensions: Buffer[];
}

function certificate({ subject, issuer, publicKey, signer, from, to, extensions }: Contents): string {
  const serial = randomBytes(8);
  // Positive, and without a leading zero byte: DER has one way to write a number.
  serial[0] = 0x40 | (serial.readUInt8(0) & 0x3f);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    commonName(issuer),
    sequence(time(from), time(to)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer));
  const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
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
const BASIC_CONSTRAINTS_CA = sequence(
  oid('551d13'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
);

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
}

function time(date: Date): Buffer {
  // Generalized time also for years before 2050: not the letter of RFC 5280, and read by everybody.
  return der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`));
}

function alternativeNames(names: string[]): Buffer {
  const list = names.map((name) => (isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, address(name))));
  return sequence(oid('551d11'), der(0x04, sequence(...list)));
}

function address(ip: string): Buffer {
  if (isIP(ip) === 4) return Buffer.from(ip.split('.').map(Number));
  if (ip !== '::1') throw new Error(`of the IPv6 addresses only ::1 can be certified, not ${ip}`);
  return Buffer.from('00000000000000000000000000000001', 'hex');
}
