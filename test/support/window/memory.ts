import * as vscode from 'vscode';

// VS Code's own interfaces in memory: tests get no extension context, the running extension has the views, and two windows of a
// test VS Code don't see each other's secrets.

/** Of one window or of several; each hears of every change. */
export class MemorySecrets implements vscode.SecretStorage {
  readonly values = new Map<string, string>();
  readonly changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.changed.event;
  refusal: Error | undefined;
  /** What waits for an answer: "get organization.a". */
  readonly unanswered: string[] = [];
  private hanging: RegExp | undefined;
  private readonly waiting: (() => void)[] = [];

  /** From now on nothing of this kind is answered, as while a prompt to unlock is hidden. */
  hang(requests = /^/): void {
    this.hanging = requests;
  }

  /** Answers what waits, and what is asked from now on. */
  answerAll(): void {
    this.hanging = undefined;
    this.unanswered.length = 0;
    for (const answer of this.waiting.splice(0)) answer();
  }

  keys(): Promise<string[]> {
    return this.answer('keys', () => [...this.values.keys()]);
  }

  get(key: string): Promise<string | undefined> {
    return this.answer(`get ${key}`, () => this.values.get(key));
  }

  async store(key: string, value: string): Promise<void> {
    await this.answer(`store ${key}`, () => this.values.set(key, value));
    this.changed.fire({ key });
  }

  async delete(key: string): Promise<void> {
    await this.answer(`delete ${key}`, () => this.values.delete(key));
    this.changed.fire({ key });
  }

  private async answer<T>(request: string, work: () => T): Promise<T> {
    await otherProcess();
    if (this.hanging?.test(request)) {
      this.unanswered.push(request);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (this.refusal) throw this.refusal;
    return work();
  }
}

/**
 * Of one tab of VS Code in a browser: it reads the browser's storage once, hears of its own changes
 * alone, and writes all its secrets at once.
 */
export class TabSecrets extends MemorySecrets {
  constructor(private readonly storage: Map<string, string>) {
    super();
    this.readStorage();
  }

  /** As a reload of the tab does, or as the keyring of a desktop VS Code always is. */
  readStorage(): void {
    this.values.clear();
    for (const [key, value] of this.storage) this.values.set(key, value);
  }

  override async store(key: string, value: string): Promise<void> {
    await super.store(key, value);
    this.writeStorage();
  }

  override async delete(key: string): Promise<void> {
    await super.delete(key);
    this.writeStorage();
  }

  private writeStorage(): void {
    this.storage.clear();
    for (const [key, value] of this.values) this.storage.set(key, value);
  }
}

/** The real ones answer from another process. */
function otherProcess(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const nothingHappens: vscode.Event<never> = () => new vscode.Disposable(() => {});

/** It is visible, and no user touches it but by its events. */
export class TreeViewInMemory<T> implements vscode.TreeView<T> {
  readonly onDidChangeVisibility = nothingHappens;
  readonly selected = new vscode.EventEmitter<vscode.TreeViewSelectionChangeEvent<T>>();
  readonly onDidChangeSelection = this.selected.event;
  readonly expanded = new vscode.EventEmitter<vscode.TreeViewExpansionEvent<T>>();
  readonly onDidExpandElement = this.expanded.event;
  readonly collapsed = new vscode.EventEmitter<vscode.TreeViewExpansionEvent<T>>();
  readonly onDidCollapseElement = this.collapsed.event;
  readonly onDidChangeCheckboxState = nothingHappens;
  selection: readonly T[] = [];
  visible = true;
  readonly revealed: T[] = [];
  readonly opened: T[] = [];
  readonly focused: T[] = [];

  async reveal(
    element: T,
    options: { readonly expand?: boolean | number; readonly focus?: boolean } = {},
  ) {
    if (options.focus) this.focused.push(element);
    (options.expand === undefined ? this.revealed : this.opened).push(element);
  }

  dispose(): void {}
}
