import * as vscode from 'vscode';

/** What VS Code was asked to show, by kind of surface. */
function nothingShown() {
  return {
    notifications: [] as string[],
    /** Questions and details of modal dialogs. */
    dialogs: [] as string[],
    buttons: [] as string[],
    progress: [] as string[],
    picks: [] as vscode.QuickPickItem[],
    placeholders: [] as string[],
    /** Prompts and validation messages. */
    inputs: [] as string[],
    statusMessages: [] as string[],
    statusItems: [] as vscode.StatusBarItem[],
  };
}

export type WindowRecorder = ReturnType<typeof recordWindow>;

/** What a user answers. Each is called when the question is shown; what it leaves open is dismissed. */
interface Answers {
  /** What is typed over the offered value, and then Enter. A box that was busy and stays open asks again. */
  readonly typed?: (offered: string) => string | undefined;
  readonly picked?: (canPickMany: boolean) => (items: readonly vscode.QuickPickItem[]) => unknown;
  readonly pressed?: (buttonsOfDialog: readonly string[]) => string | undefined;
  readonly opened?: () => vscode.Uri | undefined;
}

/** Stands between our code and the window, and remembers what is handed over. Messages are not answered. */
export function recordWindow({ typed, picked, pressed, opened }: Answers = {}) {
  const shown = nothingShown();
  const { window } = vscode;
  const original = new Map<string, unknown>();
  const replace = (name: keyof typeof vscode.window, value: unknown): void => {
    original.set(name, window[name]);
    Reflect.set(window, name, value);
  };

  const message = async (text: string, ...rest: readonly (string | vscode.MessageOptions)[]) => {
    const buttons = rest.filter((one) => typeof one === 'string');
    const options = rest.find((one) => typeof one === 'object');
    (options?.modal ? shown.dialogs : shown.notifications).push(text);
    if (options?.detail !== undefined) shown.dialogs.push(options.detail);
    shown.buttons.push(...buttons);
    return options?.modal ? pressed?.(buttons) : undefined;
  };
  replace('showInformationMessage', message);
  replace('showWarningMessage', message);
  replace('showErrorMessage', message);
  replace(
    'showQuickPick',
    async (items: PromiseLike<readonly vscode.QuickPickItem[]>, options: vscode.QuickPickOptions = {}) => {
      const pick = picked?.(options.canPickMany === true);
      shown.picks.push(...(await items));
      shown.placeholders.push(options.placeHolder ?? '');
      return pick?.(await items);
    },
  );
  replace('showOpenDialog', async () => {
    const folder = opened?.();
    return folder && [folder];
  });
  replace('createQuickPick', () => quickInput(shown));
  replace('createInputBox', () => quickInput(shown, typed ?? (() => undefined)));
  replace('setStatusBarMessage', (text: string) => shown.statusMessages.push(text));
  const { createStatusBarItem, withProgress } = window;
  replace('createStatusBarItem', (...given: [string, vscode.StatusBarAlignment?, number?]) => {
    const item = createStatusBarItem(...given);
    shown.statusItems.push(item);
    return item;
  });
  const progress = (text = '') => shown.progress.push(text);
  replace('withProgress', (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
    progress(options.title);
    return task({ report: (value) => progress(value.message) }, new vscode.CancellationTokenSource().token);
  });

  return {
    shown,
    restore: () => {
      for (const [name, value] of original) Reflect.set(window, name, value);
    },
  };
}

/** The part of a quick pick that our code uses, dismissed as soon as it is shown; with `typed` that of an input box. */
function quickInput({ picks, inputs }: ReturnType<typeof nothingShown>, typed?: Answers['typed']) {
  const emitters = [0, 1, 2, 3].map(() => new vscode.EventEmitter<unknown>());
  const [hidden, accepted, changed, triggered] = emitters;
  let isBusy = false;
  let isOpen = true;
  return {
    value: '',
    items: [] as readonly vscode.QuickPickItem[],
    activeItems: [] as readonly vscode.QuickPickItem[],
    onDidHide: hidden!.event,
    onDidAccept: accepted!.event,
    onDidChangeValue: changed!.event,
    onDidTriggerButton: triggered!.event,
    set prompt(prompt: string) {
      inputs.push(prompt);
    },
    set validationMessage(message: string | vscode.InputBoxValidationMessage | undefined) {
      if (message !== undefined) inputs.push(typeof message === 'string' ? message : message.message);
    },
    set busy(busy: boolean) {
      const wasBusy = isBusy;
      isBusy = busy;
      // What accepted it disposes of it first.
      if (wasBusy && !busy) setImmediate(() => isOpen && this.enter());
    },
    show() {
      picks.push(...this.items);
      if (typed) this.enter();
      else hidden!.fire(undefined);
    },
    enter() {
      const value = typed?.(this.value);
      if (value !== undefined) {
        this.value = value;
        changed!.fire(value);
        accepted!.fire(undefined);
      }
      if (!isBusy) hidden!.fire(undefined);
    },
    dispose: () => {
      isOpen = false;
      vscode.Disposable.from(...emitters).dispose();
    },
  };
}
