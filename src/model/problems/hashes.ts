import { hash as digest } from 'node:crypto';
import type { Identity } from '../findings/findings.js';

/** How many characters of a hash tell apart what has one. */
export const hashChars = { organization: 6, deployment: 8, key: 8, sign: 6 } as const;
const maxChars = 8;
/** A hash takes a microsecond, and a refresh asks for the same ones as the one before. */
const maxHashes = 200_000;

/** The hash of a sign of which a part could not be read. */
const unknownSign = '';

/**
 * The short hashes by which the problem memory knows organizations, deployments, and problems. They keep
 * IDs out of the file that VS Code saves, and protect no secret.
 */
export class Hashes {
  /** The organization whose deployments and problems are named. */
  organizationId = '';
  private readonly known = new Map<string, string>();

  get ofOrganization(): string {
    return this.of(this.organizationId, hashChars.organization);
  }

  ofAnyOrganization(organizationId: string): string {
    return this.of(organizationId, hashChars.organization);
  }

  ofDeployment(id: string): string {
    return this.of(`${this.organizationId}\0${id}`, hashChars.deployment);
  }

  ofKey(key: string): string {
    return this.of(`${this.organizationId}\0${key}`, hashChars.key);
  }

  /** Empty if a part of the sign could not be read. */
  ofSign({ sign }: Identity): string {
    return sign === undefined ? unknownSign : this.of(sign, hashChars.sign);
  }

  /** Whether the problem may still have the sign with this hash. What could not be read changes nothing. */
  canHaveSign(problem: Identity, hash: string): boolean {
    const sign = this.ofSign(problem);
    return sign === unknownSign || hash === unknownSign || sign === hash;
  }

  private of(text: string, length: number): string {
    let hash = this.known.get(text);
    if (hash === undefined) {
      if (this.known.size >= maxHashes) this.known.clear();
      hash = digest('sha256', text, 'base64url').slice(0, maxChars);
      this.known.set(text, hash);
    }
    return hash.slice(0, length);
  }
}
