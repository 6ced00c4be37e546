import * as vscode from 'vscode';
import type { Action } from '../host/actions.js';
import type { Services } from '../host/services.js';
import { idProblem } from '../model/entered/enteredIds.js';
import { inertNotification } from '../model/inertText.js';

const maxQuestionChars = 1000;

export type Message = string | vscode.InputBoxValidationMessage | undefined;

export interface TextQuestion {
  readonly prompt: string;
  readonly offered?: string;
  /** With the title the spoken name of the box: VS Code makes it of these. */
  readonly placeholder: string;
  readonly password?: boolean;
  /** Shown until another value is typed. */
  readonly error?: string | undefined;
  /** Runs on each change and on Enter. A string is an error and keeps the question open. */
  readonly validate?: (value: string) => Message;
  /** Runs on Enter before `onEnter`. `false`, the user's no, keeps the question open. */
  readonly confirm?: (value: string) => Promise<boolean>;
  /** Runs on Enter in a busy box; typing, Back and Esc abort it. A string is an error and keeps the question open. */
  readonly onEnter?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly busyMessage?: string;
  /** What may make the dialog needless: a button in its title, with this icon. */
  readonly instead?: Action & { readonly icon: string };
  /** As if Enter had been pressed already. */
  readonly isEntered?: boolean;
}

/** One question of several, about one field of their draft; `undefined` if the draft makes it and the rest needless. */
export interface Question<Field extends string> {
  readonly field: Field;
  readonly question: () => TextQuestion | undefined;
}

/** Asks one question after the other, with a way back. What is typed is in the draft at once. `false`: one of them was dismissed. */
export async function askInSteps<Field extends string>(
  title: string,
  draft: Record<Field, string>,
  questions: readonly Question<Field>[],
  from = 0,
): Promise<boolean> {
  for (let index = from; index < questions.length; ) {
    const { field, question } = questions[index]!;
    const asked = question();
    if (!asked) return true;
    const input = vscode.window.createInputBox();
    input.title = title;
    if (questions.length > 1)
      Object.assign(input, { step: index + 1, totalSteps: questions.length });
    const { instead } = asked;
    input.buttons = [
      ...(index > 0 ? [vscode.QuickInputButtons.Back] : []),
      ...(instead
        ? [{ iconPath: new vscode.ThemeIcon(instead.icon), tooltip: instead.title }]
        : []),
    ];
    input.value = draft[field] || (asked.offered ?? '');
    const answer = await askText(input, asked, (value) => {
      draft[field] = value;
    });
    if (answer === 'dismissed') return false;
    // An offered value may depend on the answer that is changed now, so it is not kept as if it had been typed.
    if (answer === 'back' && draft[field] === asked.offered) draft[field] = '';
    index += answer === 'entered' ? 1 : -1;
  }
  return true;
}

export async function askOneText(
  title: string,
  question: TextQuestion,
  value = '',
): Promise<string | undefined> {
  const draft = { value };
  const isAnswered = await askInSteps(title, draft, [{ field: 'value', question: () => question }]);
  return isAnswered ? draft.value : undefined;
}

/** The new value, without spaces around it; `undefined`: dismissed, or as before. */
export async function askChange(
  title: string,
  before: string,
  question: TextQuestion,
): Promise<string | undefined> {
  const given = (await askOneText(title, question, before))?.trim();
  return given === before ? undefined : given;
}

/** One line of text. VS Code's `showInputBox` has no Back button, no step numbers and no busy bar. */
async function askText(
  input: vscode.InputBox,
  { confirm, error, onEnter, validate, ...question }: TextQuestion,
  keep: (value: string) => void,
): Promise<'entered' | 'back' | 'dismissed'> {
  // The answer is often copied from another window.
  input.ignoreFocusOut = true;
  input.prompt = inertNotification(question.prompt, maxQuestionChars);
  input.placeholder = question.placeholder;
  input.password = question.password ?? false;

  let check: AbortController | undefined;
  const show = (message: Message): void => {
    input.validationMessage = inert(message);
  };
  const judge = (value: string) => (value === '' ? undefined : validate?.(value));
  const stopCheck = (): void => {
    check?.abort();
    check = undefined;
    input.busy = false;
  };
  show(error ?? judge(input.value));

  try {
    return await new Promise((resolve, reject) => {
      const enter = async (): Promise<void> => {
        const { value } = input;
        const message = validate?.(value);
        if (typeof message === 'string') return show(message);
        keep(value);
        if (!onEnter && !confirm) return resolve('entered');
        if (check) return;
        check = new AbortController();
        const { signal } = check;
        input.busy = true;
        const isConfirmed = confirm ? await confirm(value) : true;
        if (signal.aborted) return;
        if (!isConfirmed) return stopCheck();
        if (question.busyMessage !== undefined) show(note(question.busyMessage));
        const wrong = await onEnter?.(value, signal);
        if (signal.aborted) return;
        stopCheck();
        if (wrong === undefined) resolve('entered');
        else show(wrong);
      };
      input.onDidChangeValue((value) => {
        stopCheck();
        keep(value);
        show(judge(value));
      });
      input.onDidTriggerButton((button) => {
        const { instead } = question;
        if (!instead || button.tooltip !== instead.title) return resolve('back');
        resolve('dismissed');
        void vscode.commands.executeCommand(instead.command);
      });
      input.onDidAccept(() => void enter().catch(reject));
      input.onDidHide(() => resolve('dismissed'));
      input.show();
      if (question.isEntered) enter().catch(reject);
    });
  } finally {
    stopCheck();
    input.dispose();
  }
}

/** Validation messages contain ids and names, and VS Code would make links of some of them. */
function inert(message: Message): Message {
  if (message === undefined) return undefined;
  if (typeof message === 'string') return inertNotification(message, maxQuestionChars);
  return { ...message, message: inertNotification(message.message, maxQuestionChars) };
}

/** Shown while typing; Enter is accepted. */
export function note(message: string): vscode.InputBoxValidationMessage {
  return { message, severity: vscode.InputBoxValidationSeverity.Info };
}

/** As a note, where Enter has a consequence that is easily overlooked. */
export function warning(message: string): vscode.InputBoxValidationMessage {
  return { message, severity: vscode.InputBoxValidationSeverity.Warning };
}

/** Why this can't be an id. The caller says what is to be entered, and what it means if a token was entered instead. */
export function idProblemText(
  { organizations }: Services,
  id: string,
  words: Record<'empty' | 'token', string>,
) {
  const problem = idProblem(id, (text) => organizations.holdsToken(text));
  const texts = {
    ...words,
    tooLong: vscode.l10n.t('This is too long for an ID.'),
    dotSegment: vscode.l10n.t('“.” and “..” cannot be IDs.'),
    invalidCharacter: vscode.l10n.t('This ID contains an invalid character. Copy it again.'),
  };
  return problem && texts[problem];
}
