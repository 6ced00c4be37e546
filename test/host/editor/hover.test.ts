import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { absoluteTime, dayText } from '../../../src/host/text/format.js';
import type { Deployment } from '../../../src/model/findings/deployment.js';
import type { Identity } from '../../../src/model/findings/findings.js';
import { accountHover, deploymentHover, type HoverContext } from '../../../src/views/hover.js';
import { diagnosticsIn, openFile, until } from '../../support/window/editors.js';
import * as fixtures from '../../support/window/fixtures.js';
import { startWorld } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

const { billing, now, organization, readIn, satisfied, sourceOf, twoProblems } = fixtures;

function deployment(facts: fixtures.DeploymentFacts): Deployment {
  return fixtures.deployment({ label: 'Billing sync', ...facts });
}

function contextOf(...deployments: readonly Deployment[]): HoverContext {
  const { impact, memory, owners } = sourceOf(...deployments);
  return { organization, now, hasDashboard: false, impact, memory, owners };
}

/** Without times that depend on the machine. */
function linesOf(hover: vscode.MarkdownString): string[] {
  return fixtures
    .linesOf(hover)
    .map((line) => line.replaceAll(/Seen since [^.]+\.( [A-Z]{3,4}\.)?/g, 'Seen since then.'))
    .map((line) => line.replaceAll(/(\d+) (min|h)\S*( ago)/g, '$1 $2$3'));
}

function linesOn(one: Deployment, ...others: readonly Deployment[]): string[] {
  return linesOf(deploymentHover(one, contextOf(one, ...others)));
}

const reconnect =
  '$(lightbulb) Reconnect Finance Slack (slack) with the scope channels:read. notifier needs it. Seen since then.';
const failed = 'Finance Slack (slack) failed: token_revoked – “The workspace admin removed the app”';
const missing = 'Team Slack is missing channels:read for digest.';
const other =
  '$(lightbulb) Reconnect Team Slack (slack) with the scope channels:read. Or use an eligible account: Ops Slack, acc_9. Seen since then.';
const footer =
  'Copy Request · Notify When Fixed · Mute... · reported by the platform, read 2 min ago · Acme production';

async function hovers(uri: vscode.Uri, line: number, character: number): Promise<vscode.Hover[]> {
  const position = new vscode.Position(line, character);
  const all = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
  return all.filter(({ contents: [one] }) => one instanceof vscode.MarkdownString && /dep&#95;1/.test(one.value));
}

/** Whether the hover says what is wrong itself, or leaves that to the diagnostic. */
async function says(uri: vscode.Uri, line: number, wanted: 'problem' | 'help', where: string): Promise<void> {
  const [hover] = await hovers(uri, line, 2);
  const text = readIn(hover?.contents[0]);
  assert.equal(text.includes('failed: token_revoked') ? 'problem' : 'help', wanted, where);
  assert.ok(text.includes('Reconnect Finance Slack'), where);
}

function isDiffInFront(): boolean {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff;
}

describe('a hover', () => {
  it('of a deployment says its name, each cause, what to do with the effects, links and age, and nothing healthy', () => {
    const authorization = { ...twoProblems, environment: 'production', nested: { deep: [1, 2] } };
    assert.deepEqual(linesOn(deployment({ authorization, age: 2 })), [
      '$(error) Billing sync · dep_1',
      failed,
      reconnect,
      missing,
      other,
      'Unknown: google-sheets.',
      footer,
      'environment production · nested.deep [1,2]',
    ]);
  });

  it('names the owner behind what to do, as text', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const owners = { of: ({ account = '' }) => (account === 'acc_2' ? 'Maria, [x](command:y)' : undefined) };
    const hover = deploymentHover(one, { ...contextOf(one), owners });
    assert.ok(!hover.value.includes('(command:y)'), hover.value);
    assert.ok(linesOf(hover).includes(`${reconnect} Owner: Maria, [x](command:y)`), hover.value);
  });

  it('names up to five other deployments that the cause affects, each a link to its row', () => {
    const others = Array.from({ length: 7 }, (_, at) =>
      deployment({ id: `dep_${at + 2}`, label: `Flow ${at + 2}`, authorization: billing }),
    );
    const one = deployment({ authorization: billing });
    assert.ok(linesOn(one, ...others).includes('Also affects Flow 2, Flow 3, Flow 4, Flow 5, Flow 6, 2 more.'));
    const { value } = deploymentHover(one, contextOf(one, ...others));
    assert.match(value, /\[Flow 2\]\(command:automationPlatform\.internal\.revealDeployment\?%5B%22dep_2%22%5D\)/);
  });

  it('of an account names its deployments, what needs it in all of them, and the fields that no sentence said', () => {
    const second = deployment({ id: 'dep_2', label: 'Expense approvals', authorization: billing, age: 2 });
    const one = deployment({ authorization: billing, age: 2 });
    const [finding] = one.answer!.findings.accounts;
    const context = contextOf(one, second);
    assert.deepEqual(linesOf(accountHover(finding!, one, context)), [
      '$(error) **Finance Slack** · acc_2',
      failed,
      reconnect,
      'Needed by Billing sync, Expense approvals.',
      'Copy Request · Notify When Fixed · Mute... · reported by the platform, read 2 min ago · checked 3 h ago · Acme production',
      'serviceSub T02 · connectionMethodId slack-oauth · scopes chat:write',
    ]);
    const well = accountHover(one.answer!.findings.accounts[1]!, one, context);
    assert.deepEqual(linesOf(well), [
      '$(pass) **Ops Slack** · acc_1',
      'In Billing sync, Expense approvals.',
      'reported by the platform, read 2 min ago · Acme production',
      'serviceId slack · serviceSub T01',
    ]);
  });

  it('of an account counts its last check by the clock of the platform, and says how clocks differ', () => {
    const one = deployment({ authorization: billing, clockOffsetMs: fixtures.minutes(-120) });
    const ahead = linesOf(accountHover(one.answer!.findings.accounts[0]!, one, contextOf(one)));
    assert.match(ahead.join('\n'), /\nThis machine’s clock is 2 hr ahead of the platform’s\.\n.* · checked 1 h ago · /);
    const unchecked = linesOf(accountHover(one.answer!.findings.accounts[1]!, one, contextOf(one)));
    assert.doesNotMatch(unchecked.join('\n'), /clock/);
  });

  it('of an account says that the clocks differ where it cannot tell when that was checked', () => {
    const one = deployment({ authorization: billing, hasUnusableDate: true });
    const lines = linesOf(accountHover(one.answer!.findings.accounts[0]!, one, contextOf(one)));
    assert.ok(lines.some((line) => line.startsWith('The clocks of this machine and of the platform differ, so ')));
  });

  it('says how old an answer is that lay in a cache', () => {
    const age = linesOn(deployment({ authorization: satisfied, age: 2, cachedFor: 10 })).at(-1);
    assert.equal(age, 'Refresh · reported by the platform, read 12 min ago · Acme production');
  });

  it('of a deployment that cannot be read says why and what to do, of one not read nothing, and of a healthy one its age', () => {
    const notFound = linesOn(deployment({ failure: { kind: 'notFound', status: 404, excerpt: '{"no":"such"}' } }));
    assert.match(
      notFound[1]!,
      /^Not found \(404\)\. The deployment was probably deleted.* Response: “\{"no":"such"\}”$/,
    );
    assert.deepEqual(notFound.toSpliced(1, 1), [
      '$(question) Billing sync · dep_1',
      '$(lightbulb) Check the ID, or switch organizations.',
      'Refresh · tried 1 min ago · Acme production',
    ]);
    const failure = { kind: 'serverError', status: 503 } as const;
    const stale = linesOn(deployment({ authorization: satisfied, age: 60, failure }));
    assert.match(stale.at(-1)!, /^Refresh · tried 1 min ago · reported by the platform, read 1 h ago · /);
    assert.deepEqual(linesOn(deployment({})), [
      '$(circle-large-outline) Billing sync · dep_1',
      'Refresh · Acme production',
    ]);
    assert.deepEqual(linesOn(deployment({ authorization: satisfied })), [
      '$(pass) Billing sync · dep_1',
      'Refresh · reported by the platform, read just now · Acme production',
    ]);
  });

  it('says of a problem that was muted meanwhile until when, and puts it last', () => {
    const one = deployment({ authorization: twoProblems, age: 2 });
    const [account] = one.answer!.findings.problems;
    const end = now + fixtures.minutes(5);
    const memory = {
      ...fixtures.seenBefore,
      mutedUntil: ({ key }: Identity) => (key === account!.key ? end : undefined),
    };
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), memory }));
    const muted = reconnect.replace('needs it.', `needs it. Muted until ${absoluteTime(end)}.`);
    assert.deepEqual(lines.slice(1, 5), [missing, other, failed, muted]);
  });

  it('says of a mute until a change that it ends after 90 days at most, with the day', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const end = now + fixtures.minutes(90 * 24 * 60);
    const memory = { ...fixtures.seenBefore, mutedUntil: () => end, isMutedUntilChange: () => true };
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), memory }));
    const said = `Muted until it changes, for at most 90 days (until ${dayText(end, now)}).`;
    assert.ok(lines[2]?.includes(said), lines[2]);
  });

  it('offers to stop notifying of a problem, and says that you will be notified', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const memory = { ...fixtures.seenBefore, notifies: () => true };
    const { value } = deploymentHover(one, { ...contextOf(one), memory });
    assert.match(value, /You will be notified when the problem is fixed&#46;/);
    assert.match(value, /command:automationPlatform\.stopNotifying\b/);
    assert.doesNotMatch(value, /notifyWhenFixed/);
  });

  it('offers to unmute an account whose problem is muted', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const memory = { ...fixtures.seenBefore, mutedUntil: () => now + fixtures.minutes(5) };
    const [account] = one.answer!.findings.accounts;
    const { value } = accountHover(account!, one, { ...contextOf(one), memory });
    const problem = encodeURIComponent(
      JSON.stringify([{ deployment: { id: 'dep_1' }, problems: [{ key: account!.key }] }]),
    );
    assert.ok(value.includes(`(command:automationPlatform.unmuteProblem?${problem})`), value);
  });

  it('has about a dozen lines at most, whatever the platform sends, and takes no time for what it leaves out', () => {
    const long = 'x'.repeat(5000);
    const accounts = Array.from({ length: 3000 }, (_, at) => ({
      ...billing.accounts[0],
      id: `acc_${at}`,
      error: { code: long, message: long },
    }));
    const unknown = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`field${at}`, long]));
    const one = deployment({ authorization: { accounts, requirements: [], ...unknown }, label: long });
    const text = linesOn(one);
    assert.deepEqual(text.slice(5, 6), ['2,998 more problems.']);
    assert.equal(text.length, 8);
    assert.match(text.at(-1)!, /^(field\d x{199}… · ){7}199,993 more$/);
  });

  it('links our own commands, and enables them', () => {
    const id = `d(1) "'é/]*_\``;
    const hover = deploymentHover(deployment({ id, authorization: billing }), { ...contextOf(), hasDashboard: true });
    const called = Array.from(
      hover.value.matchAll(/\]\(command:automationPlatform\.([\w.]+)\?([^)]*)\)/g),
      ([, command, argument]) => {
        const [given] = JSON.parse(decodeURIComponent(argument ?? ''));
        assert.equal(given.deployment?.id ?? given, id);
        return command;
      },
    );
    assert.deepEqual(called, [
      'internal.revealDeployment',
      'openInDashboard',
      'copyRequest',
      'notifyWhenFixed',
      'muteProblem',
    ]);
    assert.ok(typeof hover.isTrusted === 'object');
    const enabled = hover.isTrusted.enabledCommands.map((command) => command.replace('automationPlatform.', ''));
    for (const command of called) assert.ok(enabled.includes(command), command);
  });

  describe('in an editor', () => {
    beforeEach(async () => {
      const { platform, graph } = await startWorld();
      platform.putDeployment('dep_1', twoProblems);
      await graph.read('dep_1');
    });

    it('appears on the whole token in documents of any kind, without diagnostics', async () => {
      const provider = vscode.workspace.registerTextDocumentContentProvider('ap-test', {
        provideTextDocumentContent: () => 'a dep_1 dep_10',
      });
      const { uri } = await vscode.workspace.openTextDocument(vscode.Uri.parse('ap-test:b'));
      const [hover, ...others] = await hovers(uri, 0, 4);
      assert.deepEqual(hover?.range, new vscode.Range(0, 2, 0, 7));
      assert.deepEqual([...others, ...(await hovers(uri, 0, 10))], []);
      assert.deepEqual(vscode.languages.getDiagnostics(uri), []);
      provider.dispose();
    });

    it('leaves what is wrong to the diagnostic where VS Code shows it, and else says it', async () => {
      const content = 'dep_1\n'.repeat(101);
      const [{ uri }, { uri: right }] = [await openFile(content), await openFile(content)];
      await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
      await until('all', () => diagnosticsIn({ uri }).length === 201);
      await says(uri, 0, 'help', 'shown');
      await says(uri, 100, 'problem', 'beyond 200');
      await vscode.commands.executeCommand('vscode.diff', uri, right);
      await until('the diff', isDiffInFront);
      await says(uri, 0, 'problem', 'left side of a diff');
      await until('those of the right side', () => diagnosticsIn({ uri: right }).length === 201);
      await says(right, 0, 'help', 'right side of a diff');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until('no diff', () => !isDiffInFront());
      await writeSetting('problems.visibility', false);
      await says(uri, 0, 'problem', 'problems.visibility');
      await writeSetting('problems.visibility', undefined);
      await writeSetting('automationPlatform.diagnostics.failedAccounts', 'off');
      await until('none of the account', () => diagnosticsIn({ uri }).length === 101);
      await says(uri, 0, 'problem', 'off');
    });
  });
});
