// What several UI tests do by hand, in the words of a person.
import { isDeepStrictEqual } from 'node:util';
import type { ServiceData, WireAuthorization } from '../support/service/data.js';
import { sampleData } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench, type WorkbenchOptions } from '../support/workbench/openWorkbench.js';
import { fileRun } from '../support/workbench/session.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { type Expected, untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';

export const listSetting = 'automationPlatform.deployments';

interface Beginning extends WorkbenchOptions {
  /** What the service knows: the sample, if nothing else is given. */
  readonly data?: Partial<ServiceData>;
  /** What the workspace lists. */
  readonly list?: readonly unknown[];
}

/** A service that ends with the file. */
export async function serve(data: Partial<ServiceData>): Promise<Service> {
  const service = await startService({ data });
  fileRun().ends.push(() => service.stop());
  return service;
}

/** A service, and a window that its environment signs in to it. Both end with the file. */
export async function begin({ data = promptSample(), list, workspaceSettings, ...options }: Beginning = {}) {
  const service = await serve(data);
  const workbench = await openWorkbench({
    env: service.env,
    workspaceSettings: { ...workspaceSettings, ...(list && { [listSetting]: list }) },
    ...options,
  });
  return { service, workbench };
}

/** Without its slow answer: here nobody looks at that. */
function promptSample(): ServiceData {
  const data = sampleData();
  return { ...data, standing: data.standing.filter(({ fault }) => fault.latency === undefined) };
}

/** Runs one of our commands from the palette. */
export async function run(workbench: Workbench, title: string): Promise<void> {
  await workbench.commands.run(`Automation Platform: ${title}`);
}

/** Waits for a question and answers it. */
export async function answer(workbench: Workbench, question: Expected, text: string): Promise<void> {
  await workbench.quickInput.waitFor(question);
  await workbench.quickInput.answer(text);
}

/** The three steps of Sign In. */
export async function signIn(
  workbench: Workbench,
  { baseUrl, token }: Pick<Service, 'baseUrl' | 'token'>,
  name: string,
): Promise<void> {
  await run(workbench, 'Sign In...');
  await answer(workbench, /^The base URL of the API/, baseUrl);
  await answer(workbench, /^The access token/, token);
  await answer(workbench, /^A name for this organization/, name);
  await workbench.statusBar.waitForMessage(/did not reject the token\.$/);
}

/** Of the sample: the account that has failed works again. */
export function mendBillingSync(service: Service): void {
  const before: WireAuthorization = JSON.parse(JSON.stringify(service.data.deployments.get('dep_billing_sync')));
  const accounts = before.accounts.map((account) => ({ ...account, error: null }));
  service.putDeployment('dep_billing_sync', { ...before, accounts });
}

/** The rows once they are these. Ages ("just now", "2 minutes ago") are left out: they depend on the machine's haste. */
export async function waitForOutline(view: TreeView, expected: readonly string[]): Promise<void> {
  await untilRead(
    `the rows ${JSON.stringify(expected, undefined, 1)}`,
    async () => (await view.outline()).map((row) => row.replace(/checked (just now|[\d,]+ [a-z]+ ago)/, 'checked …')),
    (rows) => isDeepStrictEqual(rows, expected),
  );
}

/** The labels of the selected rows, once they are these. */
export async function waitForSelection(view: TreeView, ...labels: readonly string[]): Promise<void> {
  await view.waitForRows(`${labels.join(', ')} selected`, (rows) => {
    const selected = rows.filter((row) => row.selected).map(({ label }) => label);
    return isDeepStrictEqual(selected, labels);
  });
}

/** What the workspace's own settings list. */
export async function listed(workbench: Workbench): Promise<unknown> {
  return (await workbench.workspaceSettings.read())[listSetting];
}
