// What several UI tests do by hand, in the words of a person.
import type { WireAuthorization } from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { expect, listSetting } from '../support/workbench/fixtures.js';
import type { Expected } from '../support/workbench/pageObject.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';

/** Runs one of our commands from the palette. */
export async function run(workbench: Workbench, title: string): Promise<void> {
  await workbench.commands.run(`Automation Platform: ${title}`);
}

/** Waits for a question and answers it. */
export async function answer(
  workbench: Workbench,
  question: Expected,
  text: string,
): Promise<void> {
  await workbench.quickInput.waitFor(question);
  await workbench.quickInput.answer(text);
}

/** Expects that no box, list, or dialog is open: after an action that takes as long as these would have taken to open. */
export async function expectNothingOpen({ quickInput, dialog }: Workbench): Promise<void> {
  expect(await quickInput.isOpen(), 'a quick input is open').toBe(false);
  expect(await dialog.isOpen(), 'a dialog is open').toBe(false);
}

/** The three steps of Sign In, until the focus has gone to the view: that closes whatever box is open then. */
export async function signIn(
  workbench: Workbench,
  { baseUrl, token }: Pick<Platform, 'baseUrl' | 'token'>,
  name: string,
): Promise<void> {
  await run(workbench, 'Sign In...');
  await answer(workbench, /^The base URL of the API/, baseUrl);
  await answer(workbench, /^The access token/, token);
  await answer(workbench, /^A name for this organization/, name);
  await expect(workbench.statusMessage).toHaveText(/did not reject the token\.$/);
  await waitForFocus(workbench, /^Deployments: /);
}

/** The rows of the sample as it stands: the worst first, then by label. */
export const sampleRows = [
  'Billing sync · Finance Slack failed',
  'Order alerts · Finance Slack failed',
  'Partner feed · $ (pass) Pa…le/login) failed',
  'Refund notices · Finance Slack failed',
  'Shift reminders · Finance Slack failed',
  'Nightly report · missing drive.readonly +1',
  'dep_77 · Not found',
  'Invoice OCR · 1 unknown',
  'Legacy bridge · Not from the platform (200)',
  'Payroll export · Access denied',
  'Contract archive',
  'dep_web_forms',
  'Fleet alerts',
  'Lead intake',
  'Onboarding',
  'Support triage',
  'Warehouse sync',
];

/** The rows of the sample after `openToTheScopes`. */
export const rowsDownToTheScopes = [
  'Billing sync · Finance Slack failed',
  '  Reconnect Finance Slack · with channels:read',
  '  Finance Slack · token_revoked · in 4 deployments',
  '  notifier · needs Finance Slack',
  '    Finance Slack · failed: token_revoked · in 4 deployments',
  '    Ops Slack · eligible · in 8 deployments',
  '    slack-oauth · 1 of 2 granted',
  '      channels:read · missing · required',
  '      chat:write · granted · required, minimal',
  '  2 satisfied · archive, ledger',
  '  3 accounts',
  ...sampleRows.slice(1),
];

/** Of the sample: opens Billing sync. A row counts as open before the rows below it have come. */
export async function openToTheScopes(view: TreeView): Promise<void> {
  await view.expand('Billing sync');
  await view.expand({ label: 'notifier', under: 'Billing sync' });
  await view.expand({ label: 'slack-oauth', under: 'notifier' });
  await view.row({ label: 'chat:write', under: 'slack-oauth' });
}

/** Of the sample: the account that has failed works again. */
export function mendBillingSync(platform: Platform): void {
  const before: WireAuthorization = JSON.parse(
    JSON.stringify(platform.data.deployments.get('dep_billing_sync')),
  );
  const accounts = before.accounts.map((account) => ({ ...account, error: null }));
  platform.putDeployment('dep_billing_sync', { ...before, accounts });
}

/** Ages ("just now", "2 minutes ago") are left out: they depend on the machine's haste. */
export async function waitForOutline(view: TreeView, expected: readonly string[]): Promise<void> {
  const outline = async () =>
    (await view.outline()).map((row) =>
      row.replace(/checked (just now|[\d,]+ [a-z]+ ago)/, 'checked …'),
    );
  // VS Code 1.105 may reload the window when a workspace file changes: then the look in between fails.
  await expect(async () => expect(await outline()).toEqual(expected)).toPass();
}

/** The labels of the selected rows. */
export async function waitForSelection(
  view: TreeView,
  ...labels: readonly string[]
): Promise<void> {
  const selected = async () =>
    (await view.rows()).filter((row) => row.selected).map(({ label }) => label);
  await expect.poll(selected).toEqual(labels);
}

/**
 * Waits for the keyboard's focus: on "Deployments: Billing sync" (a row), "Deployments: button Add Deployment", "Deployments: no row"
 * (the welcome view), or "editor".
 */
export async function waitForFocus(workbench: Workbench, expected: Expected): Promise<void> {
  await expect.poll(() => focusedPart(workbench)).toEqual(stringThatFits(expected));
}

function stringThatFits(expected: Expected): unknown {
  return typeof expected === 'string' ? expected : expect.stringMatching(expected);
}

function focusedPart(workbench: Workbench): Promise<string> {
  return workbench.page.evaluate(() => {
    const active = document.activeElement;
    const pane = active?.closest('.pane');
    if (!active || !pane) return active?.closest('.editor-group-container') ? 'editor' : 'nowhere';
    const view = pane.querySelector('.pane-header .title')?.textContent ?? '';
    const row = active.querySelector('.monaco-list-row.focused .label-name');
    const isButton = active.classList.contains('monaco-button');
    return `${view}: ${isButton ? `button ${active.textContent}` : (row?.textContent ?? 'no row')}`;
  });
}

/** What the workspace's own settings list. */
export async function listed(workbench: Workbench): Promise<unknown> {
  return (await workbench.workspaceSettings.read())[listSetting];
}

/** Of the sample: Finance Slack works again, and all that is bound to an account is satisfied. */
export function mendFinanceSlack(platform: Platform): void {
  for (const [id, sent] of platform.data.deployments) {
    const before: WireAuthorization = JSON.parse(JSON.stringify(sent));
    if (!before.accounts.some(({ label }) => label === 'Finance Slack')) continue;
    const accounts = before.accounts.map((account) => ({ ...account, error: null }));
    const requirements = before.requirements.map((requirement) => ({
      ...requirement,
      satisfied: true,
    }));
    platform.putDeployment(id, { ...before, accounts, requirements });
  }
}
