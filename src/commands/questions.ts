import * as vscode from 'vscode';
import type { Action } from '../host/actions.js';
import type { Services } from '../host/services.js';
import { idProblem } from '../model/entered/enteredIds.js';
import { inertNotification } from '../model/inertText.js';

const maxQuestionChars = 1000;

/**
 * The message below an input box. A string is an error, with which Enter is not accepted; an object
 * may also be a note or a warning, with which Enter is accepted.
 */
export type ValidationMessage = string | vscode.InputBoxValidationMessage | undefined;

/** One input box: its texts, and what happens while the user types and on Enter. */
export interface TextQuestion {
  readonly prompt: string;
  /** The value of the box until the user has typed one. */
  readonly suggestedValue?: string;
  /** VS Code makes the box's name for screen readers of the title and this text. */
  readonly placeholder: string;
  readonly password?: boolean;
  /** Is shown until the user types another value. */
  readonly error?: string | undefined;
  /** Runs on each change and on Enter. A string is an error and keeps the box open. */
  readonly validate?: (value: string) => ValidationMessage;
  /**
   * Runs on Enter before `onEnter`. `false` means that the user declined, and keeps the box open.
   */
  readonly confirm?: (value: string) => Promise<boolean>;
  /**
   * Runs on Enter while the box shows that it is busy. Typing, Back, and Esc abort it. A string is
   * an error and keeps the box open.
   */
  readonly onEnter?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Is shown while `onEnter` runs. */
  readonly busyMessage?: string;
  /** A button in the title with this icon, which closes the box and runs the action. */
  readonly titleButton?: Action & { readonly icon: string };
  /** Submits the value that the box opens with, as if the user had pressed Enter. */
  readonly isSubmittedAtOnce?: boolean;
}

/** One step of a dialog. `Field`: the names of the draft's fields. */
export interface Question<Field extends string> {
  /** The field of the draft that the answer is written to. */
  readonly field: Field;
  /**
   * Makes the step's input box when its turn comes. Returns `undefined` if the draft makes this
   * step and the remaining ones unnecessary.
   */
  readonly question: () => TextQuestion | undefined;
}

type Answer = 'entered' | 'back' | 'dismissed';

/**
 * Asks the questions one after the other, from `firstIndex` on, with a Back button. Writes every
 * typed value to the draft at once. Returns `false` if the user dismissed a question.
 */
export async function askInSteps<Field extends string>(
  title: string,
  draft: Record<Field, string>,
  questions: readonly Question<Field>[],
  firstIndex = 0,
): Promise<boolean> {
  let index = firstIndex;
  while (index < questions.length) {
    const { field, question: makeQuestion } = questions[index]!;
    const question = makeQuestion();
    if (!question) return true;

    const input = vscode.window.createInputBox();
    input.title = title;
    if (questions.length > 1) {
      input.step = index + 1;
      input.totalSteps = questions.length;
    }
    input.buttons = titleButtons(question, index > 0);
    input.value = draft[field] || (question.suggestedValue ?? '');
    const answer = await askText(input, question, (value) => {
      draft[field] = value;
    });

    if (answer === 'dismissed') return false;
    // A suggested value may depend on the answer that the user changes now, so it is not kept.
    const isSuggested = draft[field] === question.suggestedValue;
    if (answer === 'back' && isSuggested) draft[field] = '';
    index += answer === 'entered' ? 1 : -1;
  }
  return true;
}

function titleButtons(
  { titleButton }: TextQuestion,
  hasBack: boolean,
): readonly vscode.QuickInputButton[] {
  const buttons: vscode.QuickInputButton[] = [];
  if (hasBack) buttons.push(vscode.QuickInputButtons.Back);
  if (titleButton) {
    const iconPath = new vscode.ThemeIcon(titleButton.icon);
    buttons.push({ iconPath, tooltip: titleButton.title });
  }
  return buttons;
}

/**
 * Asks one question. `value`: what the box opens with. Returns `undefined` if the user dismissed
 * it.
 */
export async function askOneText(
  title: string,
  question: TextQuestion,
  value = '',
): Promise<string | undefined> {
  const draft = { value };
  const isAnswered = await askInSteps(title, draft, [{ field: 'value', question: () => question }]);
  return isAnswered ? draft.value : undefined;
}

/**
 * Asks for another value in place of `before`. Returns it without outer spaces; `undefined` if the
 * user dismissed the question or changed nothing.
 */
export async function askChange(
  title: string,
  before: string,
  question: TextQuestion,
): Promise<string | undefined> {
  const entered = (await askOneText(title, question, before))?.trim();
  return entered === before ? undefined : entered;
}

/**
 * Shows the box and resolves with how the user left it. Calls `keep` with each value that is typed
 * or entered. VS Code's `showInputBox` has no Back button, no step numbers, and no busy bar.
 */
async function askText(
  input: vscode.InputBox,
  question: TextQuestion,
  keep: (value: string) => void,
): Promise<Answer> {
  const { confirm, onEnter, validate, busyMessage, titleButton } = question;
  fillIn(input, question);

  /** Aborts the confirmation or `onEnter`, while one of them runs. */
  let running: AbortController | undefined;
  const stopRunning = (): void => {
    running?.abort();
    running = undefined;
    input.busy = false;
  };
  const enter = async (onEntered: () => void): Promise<void> => {
    const { value } = input;
    const message = validate?.(value);
    if (typeof message === 'string') return showValidation(input, message);
    keep(value);
    if (!onEnter && !confirm) return onEntered();
    if (running) return;

    running = new AbortController();
    const { signal } = running;
    input.busy = true;
    const isConfirmed = confirm ? await confirm(value) : true;
    if (signal.aborted) return;
    if (!isConfirmed) return stopRunning();

    if (busyMessage !== undefined) showValidation(input, note(busyMessage));
    const error = await onEnter?.(value, signal);
    if (signal.aborted) return;
    stopRunning();
    if (error === undefined) onEntered();
    else showValidation(input, error);
  };

  try {
    return await new Promise<Answer>((resolve, reject) => {
      const onEntered = (): void => resolve('entered');
      input.onDidChangeValue((value) => {
        stopRunning();
        keep(value);
        showValidation(input, messageWhileTyping(value, question));
      });
      input.onDidTriggerButton((button) => {
        if (!titleButton || button.tooltip !== titleButton.title) return resolve('back');
        resolve('dismissed');
        void vscode.commands.executeCommand(titleButton.command);
      });
      input.onDidAccept(() => {
        enter(onEntered).catch(reject);
      });
      input.onDidHide(() => resolve('dismissed'));
      input.show();
      if (question.isSubmittedAtOnce) enter(onEntered).catch(reject);
    });
  } finally {
    stopRunning();
    input.dispose();
  }
}

function fillIn(input: vscode.InputBox, question: TextQuestion): void {
  // The user often copies the answer from another window.
  input.ignoreFocusOut = true;
  input.prompt = inertNotification(question.prompt, maxQuestionChars);
  input.placeholder = question.placeholder;
  input.password = question.password ?? false;
  showValidation(input, question.error ?? messageWhileTyping(input.value, question));
}

/** An empty box has no message, so that it does not open with an error. */
function messageWhileTyping(value: string, { validate }: TextQuestion): ValidationMessage {
  return value === '' ? undefined : validate?.(value);
}

/** Validation messages contain IDs and names, of which VS Code would turn some into links. */
function showValidation(input: vscode.InputBox, message: ValidationMessage): void {
  input.validationMessage = inertMessage(message);
}

function inertMessage(message: ValidationMessage): ValidationMessage {
  if (message === undefined) return undefined;
  if (typeof message === 'string') return inertNotification(message, maxQuestionChars);
  return { ...message, message: inertNotification(message.message, maxQuestionChars) };
}

/** A message with which Enter is accepted. */
export function note(message: string): vscode.InputBoxValidationMessage {
  return { message, severity: vscode.InputBoxValidationSeverity.Info };
}

/**
 * A message with which Enter is accepted, for a consequence of Enter that the user may overlook
 * otherwise.
 */
export function warning(message: string): vscode.InputBoxValidationMessage {
  return { message, severity: vscode.InputBoxValidationSeverity.Warning };
}

/**
 * Returns why the text cannot be an ID; `undefined` if it can: "This is too long for an ID." The
 * caller gives two of the sentences: `empty` says what to enter, and `token` what it means that the
 * user entered a token instead.
 */
export function idErrorText(
  { organizations }: Services,
  id: string,
  sentences: Record<'empty' | 'token', string>,
): string | undefined {
  const problem = idProblem(id, (text) => organizations.hasTokenIn(text));
  if (problem === undefined) return undefined;
  const texts = {
    ...sentences,
    tooLong: vscode.l10n.t('This is too long for an ID.'),
    dotSegment: vscode.l10n.t('“.” and “..” cannot be IDs.'),
    invalidCharacter: vscode.l10n.t('This ID contains an invalid character. Copy it again.'),
  };
  return texts[problem];
}
