/** Settings with mutes for everyone, as the check reads them, and a clock by which these hold. */
import { preload } from './run.js';

/** An entry of `automationPlatform.mutes`. */
export type Entry = Readonly<Record<string, unknown>>;

/** When the check runs in tests of mutes. */
export const today = '2026-11-25';

const rest = { since: '2026-11-20', until: '2026-12-31', reason: 'App review at Slack, FIN-1234' };

/** Mutes the account of `failedAccount()`. */
export const muteAccount: Entry = { account: 'acc_slack_ops', error: 'token_revoked', ...rest };

/** Mutes the requirement of `unsatisfied()` in a deployment. */
export function muteRequirement(deployment: string): Entry {
  return { deployment, requirement: 'notifier', missing: [], ...rest };
}

/** The column of each entry in `settingsText`. */
export const entryColumn = 5;
const firstEntryLine = 4;

/** "4:5" for the first entry in `settingsText`. */
export function placeOfEntry(index: number): string {
  return `${firstEntryLine + index}:${entryColumn}`;
}

/** The text of a settings file with a line for each mute. */
export function settingsText(ids: readonly unknown[], mutes: readonly unknown[]): string {
  return `${settingsLines(ids, mutes).join('\n')}\n`;
}

/** The same settings in a workspace file, on the same lines. */
export function workspaceText(ids: readonly unknown[], mutes: readonly unknown[]): string {
  const [, ...lines] = settingsLines(ids, mutes);
  return `{ "folders": [{ "path": "web" }], "settings": {\n${lines.join('\n')}\n}\n`;
}

function settingsLines(ids: readonly unknown[], mutes: readonly unknown[]): readonly string[] {
  return [
    '{',
    `  "automationPlatform.deployments": ${JSON.stringify(ids)},`,
    '  "automationPlatform.mutes": [',
    mutes.map((mute) => `    ${JSON.stringify(mute)}`).join(',\n'),
    '  ]',
    '}',
  ];
}

/** Lets the clock of the check begin at this time: "2026-11-25T12:00:00Z". */
export function startingAt(time: string): Record<string, string> {
  return preload(`const { now } = Date; const ahead = Date.parse('${time}') - now();
    Date.now = () => now() + ahead;`);
}
