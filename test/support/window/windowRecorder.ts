import * as vscode from 'vscode';
import { atEndOfTest } from './endOfTest.js';
import { settle } from './quickInput.js';

/** Puts these members in place of an object's own, until the test ends or the returned function is called. */
export function replace<T extends object>(owner: T, members: Partial<Record<keyof T, unknown>>): () => void {
  const names = Object.keys(members);
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(owner, name)!] as const);
  const now = names.map((name) => [name, { configurable: true, value: Reflect.get(members, name) }] as const);
  Object.defineProperties(owner, Object.fromEntries(now));
  const restore = () => void Object.defineProperties(owner, Object.fromEntries(before));
  atEndOfTest(restore);
  return restore;
}

/** In place of VS Code's own: each message goes to `show`, whose result is the button that is pressed. */
function messageFunctions(
  show: (kind: string, text: string, buttons: readonly string[], modal?: vscode.MessageOptions) => string | undefined,
) {
  const of =
    (kind: string) =>
    async (text: string, ...rest: readonly (string | vscode.MessageOptions)[]) => {
      const options = rest.find((one) => typeof one === 'object');
      const buttons = rest.filter((one) => typeof one === 'string');
      return show(kind, text, buttons, options?.modal ? options : undefined);
    };
  return {
    showInformationMessage: of('information'),
    showWarningMessage: of('warning'),
    showErrorMessage: of('error'),
  };
}

/** What a command says in notifications and dialogs: kind, sentence and buttons of each. One of `pressed` is pressed. */
export async function notificationsOf(work: () => Promise<unknown>, ...pressed: readonly string[]) {
  const said: string[][] = [];
  const functions = messageFunctions((kind, text, buttons) => {
    said.push([kind, text, ...buttons]);
    return buttons.find((button) => pressed.includes(button));
  });
  const restore = replace(vscode.window, functions);
  await work().then(settle).finally(restore);
  return said;
}

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
  };
}

export type WindowRecorder = ReturnType<typeof recordWindow>;

/** What a user answers. Each is called when the question is shown; what it leaves open is dismissed. */
interface Answers {
  /** What is typed over the offered value, and then Enter. A box that was busy and stays open asks again. */
  readonly typed?: (offered: string) => string | undefined;
  readonly picked?: (options: vscode.QuickPickOptions) => (items: readonly vscode.QuickPickItem[]) => unknown;
  /** The button of a modal dialog: notifications are not answered. */
  readonly pressed?: (buttons: readonly string[]) => string | undefined;
  readonly opened?: () => vscode.Uri | undefined;
}

/** Stands between our code and the window until the test ends, and remembers what is handed over. */
export function recordWindow({ typed = () => undefined, picked, pressed, opened }: Answers = {}) {
  const shown = nothingShown();
  const { withProgress } = vscode.window;
  const progress = (text = '') => shown.progress.push(text);
  const restore = replace(vscode.window, {
    ...messageFunctions((_, text, buttons, modal) => {
      (modal ? shown.dialogs : shown.notifications).push(text);
      if (modal?.detail !== undefined) shown.dialogs.push(modal.detail);
      shown.buttons.push(...buttons);
      return modal && pressed?.(buttons);
    }),
    showQuickPick: async (
      items: PromiseLike<readonly vscode.QuickPickItem[]>,
      options: vscode.QuickPickOptions = {},
    ) => {
      const pick = picked?.(options);
      shown.picks.push(...(await items));
      shown.placeholders.push(options.placeHolder ?? '');
      return pick?.(await items);
    },
    showOpenDialog: async () => {
      const folder = opened?.();
      return folder && [folder];
    },
    createInputBox: () => inputBox(shown.inputs, typed),
    setStatusBarMessage: (text: string) => shown.statusMessages.push(text),
    withProgress: (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
      progress(options.title);
      return task({ report: (value) => progress(value.message) }, new vscode.CancellationTokenSource().token);
    },
  });
  return { shown, restore };
}

/** The part of an input box that our code uses. */
function inputBox(inputs: string[], typed: (offered: string) => string | undefined) {
  const [hidden, accepted, changed, triggered] = [0, 1, 2, 3].map(() => new vscode.EventEmitter<unknown>());
  let isBusy = false;
  let isOpen = true;
  return {
    value: '',
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
      if (wasBusy && !busy) setImmediate(() => isOpen && this.show());
    },
    show() {
      const value = typed(this.value);
      if (value !== undefined) {
        this.value = value;
        changed!.fire(value);
        accepted!.fire(undefined);
      }
      if (!isBusy) hidden!.fire(undefined);
    },
    dispose: () => {
      isOpen = false;
    },
  };
}
