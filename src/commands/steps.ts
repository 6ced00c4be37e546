import * as vscode from 'vscode';
import { inertNotification } from '../model/inertText.js';

/** The answer of somebody who wants to see the step before this one again. */
export const back = Symbol('back');

/** Long enough for a sentence with an id in it. */
const longest = 1000;

/** What a question came to: a value, a step back, or `undefined` if it was dismissed. */
export type Given<T> = T | typeof back | undefined;

/** Where in a row of questions one stands; a lone question has no number and no way back. */
export interface Place {
  readonly title: string;
  /** From 1. */
  readonly step?: number;
  readonly totalSteps?: number;
  /** Keeps the question open when people fetch the answer elsewhere. */
  readonly ignoreFocusOut?: boolean;
}

export interface TextQuestion {
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  /** Masked. */
  readonly password?: boolean;
  /** Asked while typing and again on Enter. A string is an error and keeps the question open. */
  readonly validate?: Validate;
  /** Asked on Enter only: for what can't be right before the last character. */
  readonly validateOnEnter?: Validate;
  /** What Enter on an empty box says; nobody is scolded before the first key. Without it, an empty answer is an answer. */
  readonly required?: string;
}

type Message = string | vscode.InputBoxValidationMessage | undefined;
type Validate = (value: string) => Message;

/** One question of several: what it adds to the draft. */
export type Step<D> = (draft: D, place: Place) => Promise<Given<Partial<D>>>;

/**
 * Asks one question after the other, with a way back. Whoever dismisses any of them gets `undefined`: nothing was done so far,
 * since only the finished draft is worked with.
 */
export async function askInSteps<D>(title: string, draft: D, steps: readonly Step<D>[]): Promise<D | undefined> {
  let answers = draft;
  let index = 0;
  while (index < steps.length) {
    const place = { title, step: index + 1, totalSteps: steps.length };
    const given = await steps[index]!(answers, place);
    if (given === undefined) return undefined;
    if (given === back) {
      index = Math.max(0, index - 1);
      continue;
    }
    answers = { ...answers, ...given };
    index++;
  }
  return answers;
}

/** One line of text. VS Code's `showInputBox` has neither a Back button nor step numbers. */
export async function askText(place: Place, question: TextQuestion): Promise<Given<string>> {
  const input = vscode.window.createInputBox();
  input.title = place.title;
  input.step = place.step;
  input.totalSteps = place.totalSteps;
  input.ignoreFocusOut = place.ignoreFocusOut ?? false;
  input.prompt = inertNotification(question.prompt, longest);
  input.value = question.value ?? '';
  input.placeholder = question.placeholder;
  input.password = question.password ?? false;
  input.buttons = (place.step ?? 1) > 1 ? [vscode.QuickInputButtons.Back] : [];

  const check = (value: string) => (value === '' ? undefined : inert(question.validate?.(value)));
  input.validationMessage = check(input.value);

  try {
    return await new Promise<Given<string>>((resolve) => {
      input.onDidChangeValue((value) => {
        input.validationMessage = check(value);
      });
      input.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) resolve(back);
      });
      input.onDidAccept(() => {
        const message = messageOnEnter(question, input.value);
        if (isError(message)) input.validationMessage = inert(message);
        else resolve(input.value);
      });
      input.onDidHide(() => resolve(undefined));
      input.show();
    });
  } finally {
    input.dispose();
  }
}

/** The same without a way back: the value, or `undefined` if it was dismissed. */
export async function askOneText(place: Omit<Place, 'step' | 'totalSteps'>, question: TextQuestion) {
  const given = await askText(place, question);
  return given === back ? undefined : given;
}

function messageOnEnter({ required, validate, validateOnEnter }: TextQuestion, value: string): Message {
  if (required !== undefined && value.trim() === '') return required;
  const message = validate?.(value);
  return isError(message) ? message : validateOnEnter?.(value);
}

function isError(message: Message): boolean {
  if (message === undefined) return false;
  return typeof message === 'string' || message.severity === vscode.InputBoxValidationSeverity.Error;
}

/** Ids and names stand in these texts, and VS Code would make links of some of them. */
function inert(message: Message): Message {
  if (message === undefined) return undefined;
  if (typeof message === 'string') return inertNotification(message, longest);
  return { ...message, message: inertNotification(message.message, longest) };
}

/** Said while typing, and no reason to refuse. */
export function note(message: string): vscode.InputBoxValidationMessage {
  return { message, severity: vscode.InputBoxValidationSeverity.Info };
}

/** As a note, where Enter has a consequence that people may not expect. */
export function warning(message: string): vscode.InputBoxValidationMessage {
  return { message, severity: vscode.InputBoxValidationSeverity.Warning };
}
