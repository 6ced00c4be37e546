import * as vscode from 'vscode';

/** What VS Code was asked to show, by kind of surface. */
export interface Shown {
  readonly notifications: string[];
  /** Questions and details of modal dialogs. */
  readonly dialogs: string[];
  readonly buttons: string[];
  readonly progress: string[];
  readonly picks: vscode.QuickPickItem[];
  /** Prompts and validation messages. */
  readonly inputs: string[];
  readonly statusMessages: string[];
  readonly statusItems: vscode.StatusBarItem[];
  readonly logLines: string[];
}

export interface WindowRecorder {
  readonly shown: Shown;
  restore(): void;
}

type Message = typeof vscode.window.showInformationMessage;

/**
 * Stands between our code and the window, and remembers what is handed over. Dialogs and messages are dismissed; an input box
 * gets `typed` and then Enter, once, and is closed.
 */
export function recordWindow(typed: () => string): WindowRecorder {
  const shown: Shown = {
    notifications: [],
    dialogs: [],
    buttons: [],
    progress: [],
    picks: [],
    inputs: [],
    statusMessages: [],
    statusItems: [],
    logLines: [],
  };
  const { window } = vscode;
  const original = new Map<string, unknown>();
  const replace = (name: keyof typeof vscode.window, value: unknown): void => {
    original.set(name, window[name]);
    Reflect.set(window, name, value);
  };

  const message = (text: string, ...rest: unknown[]): Promise<undefined> => {
    const [options] = rest;
    const isModal = typeof options === 'object' && options !== null && 'modal' in options;
    (isModal ? shown.dialogs : shown.notifications).push(text);
    if (isModal && 'detail' in options && typeof options.detail === 'string') shown.dialogs.push(options.detail);
    shown.buttons.push(...rest.filter((button) => typeof button === 'string'));
    return Promise.resolve(undefined);
  };
  for (const name of ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const) {
    replace(name, message satisfies Message);
  }
  replace('showQuickPick', async (items: readonly vscode.QuickPickItem[]) => {
    shown.picks.push(...items);
    return undefined;
  });
  replace('createQuickPick', () => new Pick(shown));
  replace('createInputBox', () => new Input(shown, typed));
  replace('setStatusBarMessage', (text: string) => {
    shown.statusMessages.push(text);
    return new vscode.Disposable(() => undefined);
  });
  const { createStatusBarItem, withProgress } = window;
  replace('createStatusBarItem', (...given: [string, vscode.StatusBarAlignment?, number?]) => {
    const item = createStatusBarItem(...given);
    shown.statusItems.push(item);
    return item;
  });
  replace('withProgress', (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
    if (options.title !== undefined) shown.progress.push(options.title);
    return withProgress(options, (progress, token) =>
      task(
        {
          report(value: { message?: string }) {
            if (value.message !== undefined) shown.progress.push(value.message);
            progress.report(value);
          },
        },
        token,
      ),
    );
  });
  const write = (line: string): void => void shown.logLines.push(line);
  replace('createOutputChannel', () => ({ info: write, warn: write, error: write, show() {}, dispose() {} }));

  return {
    shown,
    restore: () => {
      for (const [name, value] of original) Reflect.set(window, name, value);
    },
  };
}

/** The part of a quick pick that our code uses; dismissed as soon as it is shown. */
class Pick {
  title = '';
  placeholder = '';
  matchOnDescription = false;
  busy = false;
  items: readonly vscode.QuickPickItem[] = [];
  activeItems: readonly vscode.QuickPickItem[] = [];
  readonly #hidden = new vscode.EventEmitter<void>();
  readonly #accepted = new vscode.EventEmitter<void>();
  readonly onDidHide = this.#hidden.event;
  readonly onDidAccept = this.#accepted.event;

  constructor(private readonly shown: Shown) {}

  show(): void {
    this.shown.picks.push(...this.items);
    this.#hidden.fire();
  }

  dispose(): void {
    this.#hidden.dispose();
    this.#accepted.dispose();
  }
}

/** The part of an input box that our code uses. */
class Input {
  title = '';
  placeholder: string | undefined;
  value = '';
  password = false;
  buttons: readonly vscode.QuickInputButton[] = [];
  readonly #hidden = new vscode.EventEmitter<void>();
  readonly #accepted = new vscode.EventEmitter<void>();
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #triggered = new vscode.EventEmitter<vscode.QuickInputButton>();
  readonly onDidHide = this.#hidden.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidChangeValue = this.#changed.event;
  readonly onDidTriggerButton = this.#triggered.event;

  constructor(
    private readonly shown: Shown,
    private readonly typed: () => string,
  ) {}

  set prompt(prompt: string) {
    this.shown.inputs.push(prompt);
  }

  set validationMessage(message: string | vscode.InputBoxValidationMessage | undefined) {
    if (message !== undefined) this.shown.inputs.push(typeof message === 'string' ? message : message.message);
  }

  show(): void {
    this.value = this.typed();
    this.#changed.fire(this.value);
    this.#accepted.fire();
    this.#hidden.fire();
  }

  dispose(): void {
    for (const emitter of [this.#hidden, this.#accepted, this.#changed, this.#triggered]) emitter.dispose();
  }
}
