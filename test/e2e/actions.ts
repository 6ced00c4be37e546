// What several UI tests do by hand, in the words of a person.
import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../support/service/faults.js';
import type { RequestRecord, Service } from '../support/service/service.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { type Expected, untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';

/** Runs one of our commands from the palette. */
export async function run(workbench: Workbench, title: string): Promise<void> {
  await workbench.commands.run(`Automation Platform: ${title}`);
}

/** Waits for a question and answers it. */
export async function answer(workbench: Workbench, question: Expected, text: string): Promise<void> {
  await workbench.quickInput.waitFor(question);
  await workbench.quickInput.answer(text);
}

/** The pair of variables that signs in without a question. */
export function environmentOf({ baseUrl, token }: Service): Record<string, string> {
  return { AUTOMATION_PLATFORM_BASE_URL: baseUrl, AUTOMATION_PLATFORM_TOKEN: token };
}

export interface SignIn {
  readonly baseUrl: string;
  readonly token: string;
  readonly name: string;
}

/** The three steps of Sign In, and its message put away. */
export async function signIn(workbench: Workbench, { baseUrl, token, name }: SignIn): Promise<void> {
  await run(workbench, 'Sign In…');
  await answer(workbench, /^The base URL of the API/, baseUrl);
  await answer(workbench, /^The access token/, token);
  await answer(workbench, /^A name for this organization/, name);
  await workbench.quickInput.waitForClosed();
  await workbench.notifications.waitFor(new RegExp(`“${name}”`));
  await workbench.notifications.clear();
}

/** The rows once they are these. Ages ("just now", "2 minutes ago") are left out: they depend on the machine's haste. */
export async function waitForOutline(view: TreeView, expected: readonly string[]): Promise<void> {
  await untilRead(
    `the rows ${JSON.stringify(expected, undefined, 1)}`,
    async () => (await view.outline()).map(withoutAge),
    (rows) => isDeepStrictEqual(rows, expected),
  );
}

function withoutAge(line: string): string {
  return line
    .replace(/Seen since .*$/, 'Seen since …')
    .replace(/(stale, read|checked) (just now|[\d,]+ [a-z]+ ago)/, '$1 …');
}

/** The labels of the selected rows, once they are these. */
export async function waitForSelection(view: TreeView, labels: readonly string[]): Promise<void> {
  await view.waitForRows(`${labels.join(', ')} selected`, (rows) =>
    isDeepStrictEqual(
      rows.filter((row) => row.selected).map(({ label }) => label),
      labels,
    ),
  );
}

export async function waitForClipboard(workbench: Workbench, text: string): Promise<void> {
  await untilRead(
    `the clipboard to hold ${text}`,
    () => workbench.clipboard(),
    (seen) => seen === text,
  );
}

/** The requests of one operation so far, oldest first. */
export function requestsOf(service: Service, operation: Operation): RequestRecord[] {
  return service.requests.filter(({ route }) => route.operation === operation);
}
