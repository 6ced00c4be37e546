import { hash as digest } from 'node:crypto';
import type { Identity } from '../findings/findings.js';

/** The lengths of the hashes, in characters. */
export const hashChars = { organization: 6, deployment: 8, key: 8, sign: 6 } as const;
const maxHashChars = 8;
/** Hashing takes a microsecond, and each refresh needs the same hashes as the last. */
const maxCachedHashes = 200_000;

/** The hash of a sign of which a part could not be read. */
const unknownSign = '';

/**
 * The short hashes by which the problem memory knows organizations, deployments, and problems. They
 * keep IDs out of the file that VS Code saves, and protect no secret. The memory owns it, and sets
 * the organization.
 */
export class Hashes {
  /** The ID of the organization whose deployments and problems are hashed; '' for none. */
  organizationId = '';
  /** Hashes of `maxHashChars` characters, by the hashed text. */
  private readonly cache = new Map<string, string>();

  get ofOrganization(): string {
    return this.hash(this.organizationId, hashChars.organization);
  }

  ofAnyOrganization(organizationId: string): string {
    return this.hash(organizationId, hashChars.organization);
  }

  ofDeployment(id: string): string {
    return this.hash(`${this.organizationId}\0${id}`, hashChars.deployment);
  }

  /** `key`: of a problem, an account, or a requirement, see identity.ts. */
  ofKey(key: string): string {
    return this.hash(`${this.organizationId}\0${key}`, hashChars.key);
  }

  /** Returns '' if a part of the problem's sign could not be read. */
  ofSign({ sign }: Identity): string {
    return sign === undefined ? unknownSign : this.hash(sign, hashChars.sign);
  }

  /**
   * Returns whether the problem may have the sign with this hash. A sign that could not be read may
   * be any.
   */
  canHaveSign(problem: Identity, signHash: string): boolean {
    const ownHash = this.ofSign(problem);
    return ownHash === unknownSign || signHash === unknownSign || ownHash === signHash;
  }

  private hash(text: string, chars: number): string {
    let hash = this.cache.get(text);
    if (hash === undefined) {
      if (this.cache.size >= maxCachedHashes) this.cache.clear();
      hash = digest('sha256', text, 'base64url').slice(0, maxHashChars);
      this.cache.set(text, hash);
    }
    return hash.slice(0, chars);
  }
}
