/** What the host needs of `api`'s registry of secrets: everything that people or files get to see goes through `redact`. */
export interface KnownSecrets {
  add(secret: string): void;
  redact(text: string): string;
}
