import { setImmediate as nextRound } from 'node:timers/promises';
import * as vscode from 'vscode';
import { UserError } from '../../../src/host/actions.js';
import { atEndOfTest } from './endOfTest.js';

/** Puts these members in place of an object's own until the test ends. */
export function replace<T extends object>(
  owner: T,
  members: Partial<Record<keyof T, unknown>>,
): void {
  const names = Object.keys(members);
  const before = names.map(
    (name) => [name, Object.getOwnPropertyDescriptor(owner, name)!] as const,
  );
  const now = names.map(
    (name) => [name, { configurable: true, value: Reflect.get(members, name) }] as const,
  );
  Object.defineProperties(owner, Object.fromEntries(now));
  atEndOfTest(() => Object.defineProperties(owner, Object.fromEntries(before)));
}

export const enter = Symbol(
  'Enter: what is offered, the checked or the highlighted entries of a list, the button of a dialog',
);

/** A text to type, the label of an entry or a button, or the entries at these positions. Nothing is Esc. */
export type Answer = string | typeof enter | readonly number[] | undefined;

export type Shown = ReturnType<typeof recordWindow>;

/** Stands between our code and the window until the test ends: remembers what is shown, has each question answered, and presses buttons. */
export function recordWindow(
  answer: () => Answer = () => undefined,
  ...pressed: readonly string[]
) {
  const shown = {
    /** Kind, text, detail if it has one, and buttons of each notification and dialog. */
    messages: [] as string[][],
    progress: [] as string[],
    picks: [] as vscode.QuickPickItem[],
    placeholders: [] as string[],
    titles: [] as string[],
    inputs: [] as string[],
    offered: [] as string[],
    statusMessages: [] as string[],
  };
  const message =
    (kind: string) =>
    async (text: string, ...rest: readonly (string | vscode.MessageOptions)[]) => {
      const buttons = rest.filter((one) => typeof one === 'string');
      const { modal = false, detail } = rest.find((one) => typeof one === 'object') ?? {};
      shown.messages.push([kind, text, ...(detail ? [detail] : []), ...buttons]);
      const button = buttons.find((one) => pressed.includes(one));
      if (button !== undefined || !modal) return button;
      return answer() === enter ? buttons[0] : undefined;
    };
  const progress = (text = '') => shown.progress.push(text);
  const { withProgress } = vscode.window;
  replace(vscode.window, {
    showInformationMessage: message('information'),
    showWarningMessage: message('warning'),
    showErrorMessage: message('error'),
    showQuickPick: async (
      items: PromiseLike<readonly vscode.QuickPickItem[]>,
      { title = '', placeHolder = '' }: vscode.QuickPickOptions = {},
    ) => {
      const given = answer();
      const all = await items;
      shown.picks.push(...all);
      shown.placeholders.push(placeHolder);
      shown.titles.push(title);
      if (given === enter) return all[0];
      return all.find(({ label }, at) =>
        typeof given === 'string' ? label === given : given?.includes(at),
      );
    },
    createInputBox: () => inputBox(shown, answer),
    createQuickPick: () => quickPick(shown, answer),
    setStatusBarMessage: (text: string) => shown.statusMessages.push(text),
    withProgress: (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
      progress(options.title);
      return task(
        { report: (value) => progress(value.message) },
        new vscode.CancellationTokenSource().token,
      );
    },
  });
  return shown;
}

/** The part of a list that our code uses. The name of one of its buttons presses that, and it asks again. */
function quickPick(
  shown: {
    readonly picks: vscode.QuickPickItem[];
    readonly placeholders: string[];
    readonly titles: string[];
  },
  answer: () => Answer,
) {
  const [hidden, accepted, triggered] = [0, 1, 2].map(() => new vscode.EventEmitter<unknown>());
  const selectionChanged = new vscode.EventEmitter<readonly vscode.QuickPickItem[]>();
  return {
    title: '',
    placeholder: '',
    canSelectMany: false,
    items: [] as readonly vscode.QuickPickItem[],
    activeItems: [] as readonly vscode.QuickPickItem[],
    selectedItems: [] as readonly vscode.QuickPickItem[],
    buttons: [] as readonly vscode.QuickInputButton[],
    onDidHide: hidden!.event,
    onDidAccept: accepted!.event,
    onDidTriggerButton: triggered!.event,
    onDidChangeSelection: selectionChanged.event,
    onDidChangeValue: () => undefined,
    show(): void {
      shown.picks.push(...this.items);
      shown.placeholders.push(this.placeholder);
      shown.titles.push(this.title);
      const given = answer();
      const button = this.buttons.find(({ tooltip }) => tooltip === given);
      if (button) {
        triggered!.fire(button);
        return this.show();
      }
      if (given === undefined) return hidden!.fire(undefined);
      if (given !== enter) {
        // What is not among the answer is unchecked again.
        selectionChanged.fire(this.items);
        this.selectedItems = this.items.filter(({ label }, at) =>
          typeof given === 'string' ? label === given : given.includes(at),
        );
      }
      accepted!.fire(undefined);
      // Where the list stays open, it is dismissed.
      hidden!.fire(undefined);
    },
    dispose: () => undefined,
  };
}

/** The part of an input box that our code uses. One that was busy and stays open asks again. */
function inputBox(
  { inputs, offered }: Readonly<Record<'inputs' | 'offered', string[]>>,
  answer: () => Answer,
) {
  const [hidden, accepted, changed, triggered] = [0, 1, 2, 3].map(
    () => new vscode.EventEmitter<unknown>(),
  );
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
      if (message !== undefined)
        inputs.push(typeof message === 'string' ? message : message.message);
    },
    set busy(busy: boolean) {
      const wasBusy = isBusy;
      isBusy = busy;
      // What accepted it disposes of it first.
      if (wasBusy && !busy) setImmediate(() => isOpen && this.show());
    },
    show() {
      offered.push(this.value);
      const given = answer();
      if (typeof given === 'string') {
        this.value = given;
        changed!.fire(given);
      }
      if (typeof given === 'string' || given === enter) accepted!.fire(undefined);
      if (!isBusy) hidden!.fire(undefined);
    },
    dispose: () => {
      isOpen = false;
    },
  };
}

export async function answering<T>(work: () => Promise<T>, ...answers: Answer[]): Promise<T> {
  recordWindow(() => answers.shift());
  return work();
}

export async function notificationsOf(work: () => Promise<unknown>, ...pressed: readonly string[]) {
  const { messages } = recordWindow(undefined, ...pressed);
  await work().then(settle);
  return messages;
}

export async function settle(): Promise<void> {
  for (let round = 0; round < 60; round++) await nextRound();
}

/**
 * What the user reads when the work is refused; an error of another class comes with its name. Work that resolves says so, and a
 * failed comparison then shows what was expected instead.
 */
export async function rejectionOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'not rejected';
  } catch (error) {
    return error instanceof UserError ? error.message : String(error);
  }
}
