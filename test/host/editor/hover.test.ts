import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Failure } from '../../../src/api/failure.js';
import { absoluteTime, clockTime, futureDayOrTime } from '../../../src/host/text/format.js';
import type { Deployment } from '../../../src/model/findings/deployment.js';
import type { Identity } from '../../../src/model/findings/findings.js';
import {
  accountHover,
  deploymentHover,
  failureHover,
  problemHover,
  requirementHover,
  unknownHover,
} from '../../../src/views/hover.js';
import type { HoverContext } from '../../../src/views/hoverContext.js';
import { diagnosticsIn, openFile, until } from '../../support/window/editors.js';
import * as fixtures from '../../support/window/fixtures.js';
import { startWorld } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

const { billing, now, organization, readIn, satisfied, sent, sourceOf, twoProblems } = fixtures;

function deployment(facts: fixtures.DeploymentFacts): Deployment {
  return fixtures.deployment({ label: 'Billing sync', ...facts });
}

function contextOf(...deployments: readonly Deployment[]): HoverContext {
  const { impact, memory, owners } = sourceOf(...deployments);
  return {
    organization,
    isOneOfSeveral: false,
    cause: undefined,
    now,
    hasDashboard: false,
    impact,
    memory,
    owners,
  };
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
const failed =
  'Finance Slack (slack) failed: token_revoked – “The workspace admin removed the app”';
const missing = 'Team Slack is missing channels:read for digest.';
const other =
  '$(lightbulb) Reconnect Team Slack (slack) with the scope channels:read. Or use an eligible account: Ops Slack, acc_9. Seen since then.';
const footer =
  'Copy Request · Notify When Fixed · Mute... · Refresh · reported by the platform, read 2 min ago';

async function hovers(uri: vscode.Uri, line: number, character: number): Promise<vscode.Hover[]> {
  const position = new vscode.Position(line, character);
  const all = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    position,
  );
  return all.filter(
    ({ contents: [one] }) => one instanceof vscode.MarkdownString && /dep&#95;1/.test(one.value),
  );
}

/** Whether the hover says what is wrong itself, or leaves that to the diagnostic. */
async function says(
  uri: vscode.Uri,
  line: number,
  wanted: 'problem' | 'help',
  where: string,
): Promise<void> {
  const [hover] = await hovers(uri, line, 2);
  const text = readIn(hover?.contents[0]);
  assert.equal(text.includes('failed: token_revoked') ? 'problem' : 'help', wanted, where);
  assert.ok(text.includes('Reconnect Finance Slack'), where);
}

/** Our commands that a hover links, each with what it is given; fails for one that the hover does not enable. */
function callsOf({
  isTrusted,
  value,
}: vscode.MarkdownString): readonly (readonly [string, unknown])[] {
  const calls = Array.from(
    value.matchAll(/\]\(command:automationPlatform\.([\w.]+)\?([^)]*)\)/g),
    ([, command = '', given = '']) => [command, JSON.parse(decodeURIComponent(given))[0]] as const,
  );
  const enabled = typeof isTrusted === 'object' ? isTrusted.enabledCommands : [];
  for (const [command] of calls)
    assert.ok(enabled.includes(`automationPlatform.${command}`), command);
  return calls;
}

/** With what has a meaning in links and Markdown. */
const oddId = `d(1) "'é/]*_\``;

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
      'google-sheets: the platform does not say whether it is satisfied.',
      '$(lightbulb) Refresh to ask the platform again.',
      footer,
      'environment production · nested.deep [1,2]',
    ]);
  });

  it('names the owner behind what to do, as text', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const owners = {
      ownerOf: ({ account = '' }) => (account === 'acc_2' ? 'Maria, [x](command:y)' : undefined),
    };
    const hover = deploymentHover(one, { ...contextOf(one), owners });
    assert.ok(!hover.value.includes('(command:y)'), hover.value);
    assert.ok(linesOf(hover).includes(`${reconnect} Owner: Maria, [x](command:y)`), hover.value);
  });

  it('names up to five other deployments that the cause affects, each a link to its row', () => {
    const others = Array.from({ length: 7 }, (_, at) =>
      deployment({ id: `dep_${at + 2}`, label: `Flow ${at + 2}`, authorization: billing }),
    );
    const one = deployment({ authorization: billing });
    assert.ok(
      linesOn(one, ...others).includes(
        'Also affects Flow 2, Flow 3, Flow 4, Flow 5, Flow 6, 2 more.',
      ),
    );
    const { value } = deploymentHover(one, contextOf(one, ...others));
    assert.match(
      value,
      /\[Flow 2\]\(command:automationPlatform\.internal\.revealDeployment\?%5B%22dep_2%22%5D\)/,
    );
  });

  it('of an account names its deployments, what needs it in all of them, and the fields that no sentence said', () => {
    const second = deployment({
      id: 'dep_2',
      label: 'Expense approvals',
      authorization: billing,
      age: 2,
    });
    const one = deployment({ authorization: billing, age: 2 });
    const [finding] = one.answer!.findings.accounts;
    const context = contextOf(one, second);
    assert.deepEqual(linesOf(accountHover(finding!, one, context)), [
      '$(error) **Finance Slack** · acc_2',
      failed,
      reconnect,
      'Needed by Billing sync, Expense approvals.',
      `${footer} · checked 3 h ago`,
      'serviceSub T02 · connectionMethodId slack-oauth · scopes chat:write',
    ]);
    const well = accountHover(one.answer!.findings.accounts[1]!, one, context);
    assert.deepEqual(linesOf(well), [
      '$(pass) **Ops Slack** · acc_1',
      'No error.',
      'In Billing sync, Expense approvals.',
      'reported by the platform, read 2 min ago',
      'serviceId slack · serviceSub T01',
    ]);
  });

  it('of an account counts its last check by the clock of the platform, and says how clocks differ', () => {
    const one = deployment({ authorization: billing, clockOffsetMs: fixtures.minutes(-120) });
    const ahead = linesOf(accountHover(one.answer!.findings.accounts[0]!, one, contextOf(one)));
    assert.match(
      ahead.join('\n'),
      /\nThis machine’s clock is 2 hr ahead of the platform’s\.\n.* · checked 1 h ago\n/,
    );
    const unchecked = linesOf(accountHover(one.answer!.findings.accounts[1]!, one, contextOf(one)));
    assert.doesNotMatch(unchecked.join('\n'), /clock/);
  });

  it('of an account says that the clocks differ where it cannot tell when that was checked', () => {
    const one = deployment({ authorization: billing, hasUnusableDate: true });
    const lines = linesOf(accountHover(one.answer!.findings.accounts[0]!, one, contextOf(one)));
    assert.ok(
      lines.some((line) =>
        line.startsWith('The clocks of this machine and of the platform differ, so '),
      ),
    );
  });

  it('says how old an answer is that lay in a cache', () => {
    const age = linesOn(deployment({ authorization: satisfied, age: 2, cachedFor: 10 })).at(-1);
    assert.equal(age, 'Refresh · reported by the platform, read 12 min ago');
  });

  it('of a deployment that was not found says why and what to do, with links to both', () => {
    const failure = { kind: 'notFound', status: 404, excerpt: '{"no":"such"}' } as const;
    const [name, why, ...others] = linesOn(deployment({ failure }));
    assert.match(
      why!,
      /^Not found \(404\)\. The deployment was probably deleted.* Response: “\{"no":"such"\}”$/,
    );
    assert.deepEqual(
      [name, ...others],
      [
        '$(question) Billing sync · dep_1',
        '$(lightbulb) Check the ID, or switch to the organization it belongs to.',
        'Edit ID... · Remove from List · Switch Organization... · Refresh · tried 1 min ago',
      ],
    );
  });

  it('of a deployment that may not be read offers to ask for the permission', () => {
    const lines = linesOn(deployment({ failure: { kind: 'notPermitted', status: 403 } }));
    assert.deepEqual(lines.slice(-2), [
      '$(lightbulb) Ask an administrator for the permission, or switch to an organization that has it.',
      'Copy Request · Switch Organization... · Refresh · tried 1 min ago',
    ]);
  });

  for (const [failure, links] of [
    [{ kind: 'serverError', status: 503 }, 'Refresh'],
    [{ kind: 'timedOut', after: 30_000 }, 'Refresh'],
    [{ kind: 'unusable', status: 200, reason: 'wrongShape' }, 'Check Connection · Refresh'],
    [{ kind: 'clientError', status: 418 }, 'Show Log · Refresh'],
    [{ kind: 'tokenRejected', status: 401 }, 'Sign In... · Refresh'],
    [{ kind: 'notFromPlatform', status: 403 }, 'Check Connection · Refresh'],
  ] satisfies readonly (readonly [Failure, string])[]) {
    it(`has a link to what helps where the read failed: ${failure.kind}`, () => {
      assert.equal(linesOn(deployment({ failure })).at(-1), `${links} · tried 1 min ago`);
    });
  }

  it('has no request and no mute of what an old answer says of a deployment that can no longer be read', () => {
    const failure = { kind: 'notFound', status: 404 } as const;
    const links = linesOn(deployment({ authorization: billing, age: 60, failure })).find((line) =>
      / ago/.test(line),
    );
    assert.equal(
      links,
      'Edit ID... · Remove from List · Switch Organization... · Refresh · tried 1 min ago · reported by the platform, read 1 h ago',
    );
  });

  it('offers no request below a deployment that can no longer be read', () => {
    const one = deployment({
      authorization: billing,
      age: 60,
      failure: { kind: 'notFound', status: 404 },
    });
    const { accounts, problems, requirements } = one.answer!.findings;
    const context = contextOf(one);
    for (const hover of [
      accountHover(accounts[0]!, one, context),
      requirementHover(requirements[0]!, one, context),
      problemHover(problems[0]!, one, context),
    ]) {
      assert.doesNotMatch(linesOf(hover).join('\n'), /Copy Request/);
    }
  });

  it('of the row below a deployment that could not be read says the same, with the same links', () => {
    const one = deployment({ failure: { kind: 'notFound', status: 404 } });
    assert.deepEqual(linesOf(failureHover(one, contextOf(one))), linesOn(one).slice(1));
  });

  it('says in words that a deployment is healthy, or was not read yet', () => {
    assert.deepEqual(linesOn(deployment({})), [
      '$(circle-large-outline) Billing sync · dep_1',
      'Not read yet.',
      'Refresh',
    ]);
    const [name, well, ...others] = linesOn(deployment({ authorization: satisfied }));
    assert.equal(name, '$(pass) Billing sync · dep_1');
    assert.equal(well, 'Healthy. All requirements are satisfied.');
    assert.deepEqual(others, ['Refresh · reported by the platform, read just now']);
    const bare = linesOn(deployment({ authorization: { accounts: [], requirements: [] } }));
    assert.equal(bare[1], 'Healthy. The deployment has no requirements.');
  });

  it('names the organization where several are signed in', () => {
    const one = deployment({ authorization: satisfied });
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), isOneOfSeveral: true }));
    assert.equal(
      lines.at(-1),
      'Refresh · reported by the platform, read just now · Acme production',
    );
  });

  describe('of what is unknown', () => {
    const crm = { serviceId: 'salesforce', binding: 'crm' };
    const one = deployment({ authorization: { accounts: [], requirements: [crm] } });

    it('says what the platform does not say, and to read it again', () => {
      assert.deepEqual(linesOn(one).slice(1), [
        'crm (salesforce): the platform does not say whether it is satisfied.',
        '$(lightbulb) Refresh to ask the platform again.',
        'Refresh · reported by the platform, read just now',
      ]);
    });

    it('leads to the dashboard where its address is set', () => {
      const lines = linesOf(deploymentHover(one, { ...contextOf(one), hasDashboard: true }));
      assert.deepEqual(lines.slice(2), [
        '$(lightbulb) Look in the dashboard.',
        'Open in Dashboard · Refresh · reported by the platform, read just now',
      ]);
    });

    it('is the same on the row of the step', () => {
      const { unknownFindings: unknown } = one.answer!.findings;
      assert.deepEqual(linesOf(unknownHover(unknown, one, contextOf(one))), linesOn(one).slice(1));
    });

    it('names the requirement once on its own row', () => {
      const [finding] = one.answer!.findings.requirements;
      assert.deepEqual(linesOf(requirementHover(finding!, one, contextOf(one))).slice(0, 3), [
        '$(question) **crm (salesforce)**',
        'The platform does not say whether the requirement is satisfied.',
        '$(lightbulb) Refresh to ask the platform again.',
      ]);
    });

    it('names the account or requirement once whose state could not be read', () => {
      const unread = deployment(
        sent([{ id: 'acc_1', error: 5 }], [{ binding: 'ledger', satisfied: 'no' }]),
      );
      const { accounts, requirements } = unread.answer!.findings;
      for (const hover of [
        accountHover(accounts[0]!, unread, contextOf(unread)),
        requirementHover(requirements[0]!, unread, contextOf(unread)),
      ]) {
        assert.equal(linesOf(hover)[1], 'What the platform said could not be read.');
      }
    });

    it('names several requirements in one sentence', () => {
      const names = ['crm', 'ledger'].map((binding) => ({ binding }));
      const [, said] = linesOn(
        deployment({ authorization: { accounts: [], requirements: names } }),
      );
      assert.equal(said, 'crm, ledger: the platform does not say whether they are satisfied.');
    });

    it('tells what the platform did not say from what could not be read', () => {
      const [, unreadable, said, step] = linesOn(
        deployment(sent([], [crm, { binding: 'ledger', satisfied: 'no' }])),
      );
      assert.equal(unreadable, '1 field unreadable.');
      assert.equal(
        said,
        'crm (salesforce): the platform does not say whether it is satisfied. ledger: what the platform said could not be read.',
      );
      assert.equal(step, '$(lightbulb) Refresh to ask the platform again.');
    });
  });

  describe('while nothing can be read', () => {
    const failure = { kind: 'unreachable', cause: { step: 'tls', code: 'X', host: 'h' } } as const;
    const cause = { kind: 'failure', isOffline: false, at: now, asOf: now, failure } as const;
    const asOf = `Unreachable (TLS). Read as of ${clockTime(now - fixtures.minutes(2), now)}.`;
    const linesIn = (one: Deployment) =>
      linesOf(deploymentHover(one, { ...contextOf(one), cause }));

    it('says why, as of when it was read, and links to what helps before all else', () => {
      const [, first, ...others] = linesIn(deployment({ authorization: billing, age: 2 }));
      assert.equal(first, asOf);
      assert.ok(
        others.includes('Check Connection · Copy Request · Notify When Fixed · Mute... · Refresh'),
        others.join('\n'),
      );
    });

    it('says of a healthy deployment as of when it was healthy', () => {
      assert.deepEqual(linesIn(deployment({ authorization: satisfied, age: 2 })).slice(1), [
        asOf,
        'Healthy. All requirements are satisfied.',
        'Check Connection · Refresh',
      ]);
    });

    it('says of a deployment that was never read no time', () => {
      const lines = linesIn(deployment({})).slice(1);
      assert.deepEqual(lines, [
        'Unreachable (TLS).',
        'Not read yet.',
        'Check Connection · Refresh',
      ]);
    });

    it('says the same of accounts, requirements, and problems', () => {
      const one = deployment({ authorization: billing, age: 2 });
      const { accounts, problems, requirements } = one.answer!.findings;
      const context = { ...contextOf(one), cause };
      const all = [
        ...accounts.map((finding) => accountHover(finding, one, context)),
        ...requirements.map((finding) => requirementHover(finding, one, context)),
        ...problems.map((problem) => problemHover(problem, one, context)),
      ];
      for (const hover of all) {
        const lines = linesOf(hover);
        assert.ok(lines.includes(asOf), hover.value);
        assert.doesNotMatch(lines.join('\n'), /reported by/);
      }
    });

    it('has what helps against the outage once, and no other step for what is unknown', () => {
      const one = deployment({
        authorization: { accounts: [], requirements: [{ binding: 'crm' }] },
        age: 2,
      });
      assert.deepEqual(linesIn(one).slice(1), [
        asOf,
        'crm: the platform does not say whether it is satisfied.',
        'Check Connection · Refresh',
      ]);
      const lost = deployment({ failure: { kind: 'connectionLost', code: 'ECONNRESET' } });
      assert.equal(linesIn(lost).at(-1), 'Check Connection · Refresh · tried 1 min ago');
    });

    it('has no link that reads all deployments again', () => {
      const one = deployment({ authorization: satisfied });
      const down = { ...cause, failure: { kind: 'serverError', status: 503 } as const };
      assert.equal(
        linesOf(deploymentHover(one, { ...contextOf(one), cause: down })).at(-1),
        'Refresh',
      );
    });

    it('has nothing to say of a pause', () => {
      const one = deployment({ authorization: satisfied });
      const paused = { kind: 'paused', until: now } as const;
      assert.deepEqual(
        linesOf(deploymentHover(one, { ...contextOf(one), cause: paused })),
        linesOn(one),
      );
    });
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
    const memory = {
      ...fixtures.seenBefore,
      mutedUntil: () => end,
      isMutedUntilChange: () => true,
    };
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), memory }));
    const said = `Muted until it changes, for at most 90 days (until ${futureDayOrTime(end, now)}).`;
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

  it('offers no request if its problem is muted', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const { accounts, problems, requirements } = one.answer!.findings;
    const hoversWith = (context: HoverContext) => [
      deploymentHover(one, context),
      accountHover(accounts[0]!, one, context),
      requirementHover(requirements[0]!, one, context),
      problemHover(problems[0]!, one, context),
    ];
    const memory = { ...fixtures.seenBefore, mutedUntil: () => now + fixtures.minutes(5) };
    for (const { value } of hoversWith(contextOf(one))) assert.match(value, /copyRequest/);
    for (const { value } of hoversWith({ ...contextOf(one), memory }))
      assert.doesNotMatch(value, /copyRequest/);
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

  for (const [count, isMuted, said] of [
    [4, () => false, '2 more problems.'],
    [3, (at: number) => at > 1, '1 more problem is muted.'],
    [6, (at: number) => at > 1, '4 more problems are muted.'],
    [4, (at: number) => at > 2, '1 more problem, 1 muted.'],
    [7, (at: number) => at > 4, '3 more problems, 2 muted.'],
    [4, () => true, '2 more problems are muted.'],
  ] as const) {
    it(`says “${said}”`, () => {
      const accounts = Array.from({ length: count }, (_, at) => ({ id: `acc_${at}`, error: {} }));
      const one = deployment(sent(accounts));
      const { problems } = one.answer!.findings;
      const muted = new Set(problems.filter((_, at) => isMuted(at)).map(({ key }) => key));
      const mutedUntil = ({ key }: Identity) =>
        muted.has(key) ? now + fixtures.minutes(5) : undefined;
      const memory = { ...fixtures.seenBefore, mutedUntil };
      assert.equal(linesOf(deploymentHover(one, { ...contextOf(one), memory }))[5], said);
    });
  }

  it('has about a dozen lines at most, whatever the platform sends, and takes no time for what it leaves out', () => {
    const long = 'x'.repeat(5000);
    const accounts = Array.from({ length: 3000 }, (_, at) => ({
      ...billing.accounts[0],
      id: `acc_${at}`,
      error: { code: long, message: long },
    }));
    const unknown = Object.fromEntries(
      Array.from({ length: 200_000 }, (_, at) => [`field${at}`, long]),
    );
    const one = deployment({
      authorization: { accounts, requirements: [], ...unknown },
      label: long,
    });
    const text = linesOn(one);
    assert.deepEqual(text.slice(5, 6), ['2,998 more problems.']);
    assert.equal(text.length, 8);
    assert.match(text.at(-1)!, /^(field\d x{199}… · ){7}199,993 more$/);
  });

  it('links our own commands, and enables them', () => {
    const one = deployment({ id: oddId, authorization: billing });
    const calls = callsOf(deploymentHover(one, { ...contextOf(), hasDashboard: true }));
    const row = {
      deployment: { id: oddId },
      problems: [{ key: one.answer!.findings.problems[0]!.key }],
    };
    assert.deepEqual(calls, [
      ['internal.revealDeployment', oddId],
      ['openInDashboard', oddId],
      ['copyRequest', row],
      ['notifyWhenFixed', row],
      ['muteProblem', row],
      ['refreshDeployment', oddId],
    ]);
  });

  for (const [failure, commands] of [
    [
      { kind: 'notFound', status: 404 },
      ['editDeploymentId', 'removeDeployment', 'switchOrganization'],
    ],
    [{ kind: 'notPermitted', status: 403 }, ['copyRequest', 'switchOrganization']],
    [{ kind: 'tokenRejected', status: 401 }, ['signIn']],
    [{ kind: 'connectionLost', code: 'ECONNRESET' }, ['checkConnection']],
    [{ kind: 'clientError', status: 418 }, ['showLog']],
  ] satisfies readonly (readonly [Failure, readonly string[]])[]) {
    it(`links the commands that help where the read failed, and enables them: ${failure.kind}`, () => {
      const [, ...calls] = callsOf(
        deploymentHover(deployment({ id: oddId, failure }), contextOf()),
      );
      assert.deepEqual(
        calls.map(([command]) => command),
        [...commands, 'refreshDeployment'],
      );
      const ofDeployment = /Deployment|copyRequest/;
      for (const [command, given] of calls)
        if (ofDeployment.test(command)) assert.equal(given, oddId);
    });
  }

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
