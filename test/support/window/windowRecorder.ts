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

/**
 * Stands between our code and the window, and remembers what is handed over. Dialogs and messages are dismissed; an input box
 * gets what is `typed` over the offered value and then Enter, and is closed; one that was busy and stays open gets it again.
 * Of a list the item with the label `picked` is chosen, else it is dismissed.
 */
export function recordWindow(typed = (_offered: string) => '', picked = (): string | undefined => undefined) {
  const shown = nothingShown();
  const { window } = vscode;
  const original = new Map<string, unknown>();
  const replace = (name: keyof typeof vscode.window, value: unknown): void => {
    original.set(name, window[name]);
    Reflect.set(window, name, value);
  };

  const message = async (text: string, ...rest: readonly (string | vscode.MessageOptions)[]): Promise<void> => {
    const options = rest.find((one) => typeof one === 'object');
    (options?.modal ? shown.dialogs : shown.notifications).push(text);
    if (options?.detail !== undefined) shown.dialogs.push(options.detail);
    shown.buttons.push(...rest.filter((one) => typeof one === 'string'));
  };
  replace('showInformationMessage', message);
  replace('showWarningMessage', message);
  replace('showErrorMessage', message);
  replace(
    'showQuickPick',
    async (items: PromiseLike<readonly vscode.QuickPickItem[]>, { placeHolder = '' }: vscode.QuickPickOptions = {}) => {
      shown.picks.push(...(await items));
      shown.placeholders.push(placeHolder);
      const label = picked();
      return (await items).find((item) => item.label === label);
    },
  );
  replace('createQuickPick', () => quickInput(shown));
  replace('createInputBox', () => quickInput(shown, typed));
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
function quickInput({ picks, inputs }: ReturnType<typeof nothingShown>, typed?: (offered: string) => string) {
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
      this.value = typed?.(this.value) ?? '';
      changed!.fire(this.value);
      accepted!.fire(undefined);
      if (!isBusy) hidden!.fire(undefined);
    },
    dispose: () => {
      isOpen = false;
      vscode.Disposable.from(...emitters).dispose();
    },
  };
}
