import type { Memento } from 'vscode';

/** What a workspace or a machine remembers, as VS Code keeps it: what is no JSON does not come back. */
export class MemoryState implements Memento {
  /** Newest last. */
  readonly saved: unknown[] = [];
  readonly values: Map<string, string>;

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    this.values = new Map(
      Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]),
    );
  }

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the interface's own signature
  get<T>(key: string): T | undefined;
  get<T>(key: string, defaultValue: T): T;
  get(key: string, defaultValue?: unknown): unknown {
    const value = this.values.get(key);
    return value === undefined ? defaultValue : JSON.parse(value);
  }

  async update(key: string, value: unknown): Promise<void> {
    this.saved.push(value);
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.stringify(value));
  }

  setKeysForSync(): void {}
}
