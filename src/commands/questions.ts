import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { idProblem } from '../model/enteredIds.js';
import { inertNotification } from '../model/inertText.js';

/** Of a prompt or message: enough for a sentence with an id in it. */
const maxQuestionChars = 1000;

/**
 * What a question came to: an answer, one that ends the questions (`anyway`), or Back, with what stood in the box, so that it does not
 * have to be typed again. `undefined`: dismissed.
 */
type Given = { readonly kind: 'answer' | 'anyway' | 'back'; readonly value: string } | undefined;

/** The number of a question among several, from 1; a question that is asked alone has none, and no Back button. */
type Step = Pick<vscode.InputBox, 'title'> & Partial<Pick<vscode.InputBox, 'step' | 'totalSteps'>>;

export interface TextQuestion {
  readonly prompt: string;
  readonly value?: string;
  /** Prefilled where there is no value. */
  readonly offered?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** Runs on each change and on Enter. A string is an error and keeps the question open. */
  readonly validate?: Validate;
  /** Runs only on Enter: this check cannot pass on incomplete input. */
  readonly validateOnEnter?: Validate;
}

/** Why questions are asked again, beginning at the index `from`. */
export interface Again {
  readonly from: number;
  /** An error of that question until another answer is typed, although the same may be given once more. */
  readonly reason: string;
  /** A button that takes the answer and ends the questions. */
  readonly anyway: { readonly title: string; readonly chosen: () => void };
}

export type Message = string | vscode.InputBoxValidationMessage | undefined;
type Validate = (value: string) => Message;

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
  again?: Again,
): Promise<D | undefined> {
  let draft = start;
  let index = again?.from ?? 0;
  while (index < questions.length) {
    const { field, question } = questions[index]!;
    const asked = question(draft);
    if (!asked) break;
    const step = questions.length > 1 ? { title, step: index + 1, totalSteps: questions.length } : { title };
    const isSame = index === again?.from && draft[field] === start[field];
    const given = await askText(step, { ...asked, value: draft[field] }, isSame ? again : undefined);
    if (!given) return undefined;
    // An offered value may depend on the answer that is changed now, so it is not kept as if it had been typed.
    const kept = given.kind === 'back' && given.value === asked.offered ? '' : given.value;
    draft = { ...draft, [field]: kept };
    if (given.kind === 'anyway') {
      again?.anyway.chosen();
      return draft;
    }
    index += given.kind === 'answer' ? 1 : -1;
  }
  return draft;
}

/** One line of text. VS Code's `showInputBox` has neither a Back button nor step numbers. */
export async function askText(step: Step, question: TextQuestion, again?: Again): Promise<Given> {
  const input = vscode.window.createInputBox();
  Object.assign(input, step);
  // The answer is often copied from another window.
  input.ignoreFocusOut = true;
  input.prompt = inertNotification(question.prompt, maxQuestionChars);
  input.value = question.value || (question.offered ?? '');
  input.placeholder = question.placeholder;
  input.password = question.password ?? false;
  input.buttons = [
    ...((step.step ?? 1) > 1 ? [vscode.QuickInputButtons.Back] : []),
    ...(again ? [{ iconPath: new vscode.ThemeIcon('save'), tooltip: again.anyway.title }] : []),
  ];

  const check = (value: string) => (value === '' ? undefined : inert(question.validate?.(value)));
  input.validationMessage = inert(again?.reason) ?? check(input.value);

  try {
    return await new Promise<Given>((resolve) => {
      const answer = (kind: 'answer' | 'anyway'): void => {
        const message = question.validate?.(input.value) ?? question.validateOnEnter?.(input.value);
        if (typeof message === 'string') input.validationMessage = inert(message);
        else resolve({ kind, value: input.value });
      };
      input.onDidChangeValue((value) => {
        input.validationMessage = check(value);
      });
      input.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) resolve({ kind: 'back', value: input.value });
        else answer('anyway');
      });
      input.onDidAccept(() => answer('answer'));
      input.onDidHide(() => resolve(undefined));
      input.show();
    });
  } finally {
    input.dispose();
  }
}

/** Asks one question. Returns the text, or `undefined` if it was dismissed. */
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
    loneSurrogate: vscode.l10n.t('This ID contains a broken character. Copy it again.'),
  };
  return problem && texts[problem];
}
