import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { idProblem } from '../model/enteredIds.js';
import { inertNotification } from '../model/inertText.js';

const maxQuestionChars = 1000;

/** What stood in the box, so that it does not have to be typed again. `undefined`: dismissed. */
type Answer = { readonly kind: 'answer' | 'back'; readonly value: string } | undefined;

/** The number of a question among several, from 1; a question that is asked alone has none, and no Back button. */
type Step = Pick<vscode.InputBox, 'title'> & Partial<Pick<vscode.InputBox, 'step' | 'totalSteps'>>;

export type Message = string | vscode.InputBoxValidationMessage | undefined;

export interface TextQuestion {
  readonly prompt: string;
  readonly value?: string;
  readonly offered?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** Shown until another value is typed. */
  readonly error?: string | undefined;
  readonly onChange?: (value: string) => void;
  /** Runs on each change and on Enter. A string is an error and keeps the question open. */
  readonly validate?: (value: string) => Message;
  /** Runs on Enter in a busy box; typing, Back and Esc abort it. A string is an error and keeps the question open. */
  readonly onEnter?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly busyMessage?: string;
  /** As if Enter had been pressed already. */
  readonly isEntered?: boolean;
}

/** One question of several, about one field of the draft; `undefined` if the draft makes it and the rest needless. */
export interface Question<D> {
  readonly field: keyof D & string;
  readonly question: (draft: D) => TextQuestion | undefined;
}

/** Asks one question after the other, with a way back. `undefined`: one of them was dismissed. */
export async function askInSteps<D extends Readonly<Record<keyof D, string>>>(
  title: string,
  start: D,
  questions: readonly Question<D>[],
  from = 0,
): Promise<D | undefined> {
  let draft = start;
  let index = from;
  while (index < questions.length) {
    const { field, question } = questions[index]!;
    const asked = question(draft);
    if (!asked) break;
    const step = questions.length > 1 ? { title, step: index + 1, totalSteps: questions.length } : { title };
    const given = await askText(step, { ...asked, value: draft[field] });
    if (!given) return undefined;
    // An offered value may depend on the answer that is changed now, so it is not kept as if it had been typed.
    const kept = given.kind === 'back' && given.value === asked.offered ? '' : given.value;
    draft = { ...draft, [field]: kept };
    index += given.kind === 'answer' ? 1 : -1;
  }
  return draft;
}

/** One line of text. VS Code's `showInputBox` has no Back button, no step numbers and no busy bar. */
export async function askText(step: Step, question: TextQuestion): Promise<Answer> {
  const { onEnter, validate } = question;
  const input = vscode.window.createInputBox();
  Object.assign(input, step);
  // The answer is often copied from another window.
  input.ignoreFocusOut = true;
  input.prompt = inertNotification(question.prompt, maxQuestionChars);
  input.value = question.value || (question.offered ?? '');
  input.placeholder = question.placeholder;
  input.password = question.password ?? false;
  if ((step.step ?? 1) > 1) input.buttons = [vscode.QuickInputButtons.Back];

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
  show(question.error ?? judge(input.value));

  try {
    return await new Promise<Answer>((resolve, reject) => {
      const enter = async (): Promise<void> => {
        const { value } = input;
        const message = validate?.(value);
        if (typeof message === 'string') return show(message);
        if (!onEnter) return resolve({ kind: 'answer', value });
        if (check) return;
        check = new AbortController();
        const { signal } = check;
        input.busy = true;
        if (question.busyMessage !== undefined) show(note(question.busyMessage));
        const error = await onEnter(value, signal);
        if (signal.aborted) return;
        stopCheck();
        if (error === undefined) resolve({ kind: 'answer', value });
        else show(error);
      };
      input.onDidChangeValue((value) => {
        stopCheck();
        question.onChange?.(value);
        show(judge(value));
      });
      input.onDidTriggerButton(() => resolve({ kind: 'back', value: input.value }));
      input.onDidAccept(() => void enter().catch(reject));
      input.onDidHide(() => resolve(undefined));
      input.show();
      if (question.isEntered) enter().catch(reject);
    });
  } finally {
    stopCheck();
    input.dispose();
  }
}

export async function askOneText(title: string, question: TextQuestion): Promise<string | undefined> {
  return (await askText({ title }, question))?.value;
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
export function idProblemText({ organizations }: Services, id: string, words: Record<'empty' | 'token', string>) {
  const problem = idProblem(id, (text) => organizations.holdsToken(text));
  const texts = {
    ...words,
    tooLong: vscode.l10n.t('This is too long for an ID.'),
    dotSegment: vscode.l10n.t('“.” and “..” cannot be IDs.'),
    loneSurrogate: vscode.l10n.t('This ID contains an invalid character. Copy it again.'),
  };
  return problem && texts[problem];
}
