import * as vscode from 'vscode';

// VS Code's own interfaces in memory: tests get no extension context, the running extension has the views, and two windows of a
// test VS Code don't see each other's secrets.

/** With what another one `shared` it is the keyring of another window; each hears of every change. */
export class MemorySecrets implements vscode.SecretStorage {
  /** What the keyring answers from now on instead of working. */
  refusal: Error | undefined;
  readonly onDidChange: vscode.Event<vscode.SecretStorageChangeEvent>;

  constructor(
    readonly shared = {
      values: new Map<string, string>(),
      changed: new vscode.EventEmitter<vscode.SecretStorageChangeEvent>(),
    },
  ) {
    this.onDidChange = shared.changed.event;
  }

  async keys(): Promise<string[]> {
    await this.asked();
    return [...this.shared.values.keys()];
  }

  async get(key: string): Promise<string | undefined> {
    await this.asked();
    return this.shared.values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    await this.asked();
    this.shared.values.set(key, value);
    this.shared.changed.fire({ key });
  }

  async delete(key: string): Promise<void> {
    await this.asked();
    this.shared.values.delete(key);
    this.shared.changed.fire({ key });
  }

  private async asked(): Promise<void> {
    await otherProcess();
    if (this.refusal) throw this.refusal;
  }
}

export class MemoryState implements vscode.Memento {
  readonly values = new Map<string, string>();

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
    await otherProcess();
    if (value === undefined) this.values.delete(key);
    // As VS Code keeps it: what is no JSON does not come back.
    else this.values.set(key, JSON.stringify(value));
  }

  setKeysForSync(): void {}
}

/** The real ones answer from another process. */
function otherProcess(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const nothingHappens: vscode.Event<never> = () => new vscode.Disposable(() => {});

/** It is visible, and no user touches it. */
export class TreeViewInMemory<T> implements vscode.TreeView<T> {
  readonly onDidChangeVisibility = nothingHappens;
  readonly onDidChangeSelection = nothingHappens;
  readonly onDidExpandElement = nothingHappens;
  readonly onDidCollapseElement = nothingHappens;
  readonly onDidChangeCheckboxState = nothingHappens;
  selection: readonly T[] = [];
  visible = true;
  /** What it was asked to show, and what to open. */
  readonly revealed: T[] = [];
  readonly opened: T[] = [];

  async reveal(element: T, options: { readonly expand?: boolean | number } = {}): Promise<void> {
    (options.expand === undefined ? this.revealed : this.opened).push(element);
  }

  dispose(): void {}
}
