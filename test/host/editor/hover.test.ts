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
import { atEndOfTest } from '../../support/window/endOfTest.js';
import * as fixtures from '../../support/window/fixtures.js';
import { startWorld } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

const { billing, now, organization, readIn, satisfied, sent, sourceOf, twoProblems } = fixtures;

function deployment(facts: fixtures.DeploymentFacts): Deployment {
  return fixtures.deployment({ label: 'Billing sync', ...facts });
}

function contextOf(...deployments: readonly Deployment[]): HoverContext {
  const { impact, memory, muteEntries, owners } = sourceOf(...deployments);
  return {
    organization,
    isOneOfSeveral: false,
    cause: undefined,
    now,
    hasDashboard: false,
    impact,
    memory,
    muteEntries,
    owners,
  };
}

/** The lines of a hover, without times that depend on the machine. */
function linesOf(hover: vscode.MarkdownString): string[] {
  return fixtures
    .linesOf(hover)
    .map((line) => line.replaceAll(/Seen since [^.]+\.( [A-Z]{3,4}\.)?/g, 'Seen since then.'))
    .map((line) => line.replaceAll(/(\d+) (min|h)\S*( ago)/g, '$1 $2$3'));
}

/** The lines of a deployment's hover. */
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

/** Our hovers of `dep_1` at a character. */
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

/** The text of our hover at an ID that begins a line. */
async function textAt(uri: vscode.Uri, line: number): Promise<string> {
  const [hover] = await hovers(uri, line, 2);
  return readIn(hover?.contents[0]);
}

const problemText = /failed: token_revoked/;
const adviceText = /Reconnect Finance Slack/;

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

/** An ID of characters that have a meaning in links and Markdown. */
const oddId = `d(1) "'é/]*_\``;

function isDiffInFront(): boolean {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff;
}

describe('the hover of a deployment', () => {
  it('says each cause with its advice, and nothing about healthy parts', () => {
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

  it('names the owner behind the advice as text', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const owners = {
      ownerOf: ({ account = '' }) => (account === 'acc_2' ? 'Maria, [x](command:y)' : undefined),
    };
    const hover = deploymentHover(one, { ...contextOf(one), owners });
    const advice = linesOf(hover).find((line) => line.startsWith('$(lightbulb)'));
    assert.equal(advice, `${reconnect} Owner: Maria, [x](command:y)`);
    assert.doesNotMatch(hover.value, /\(command:y\)/);
  });

  describe('whose account breaks seven others', () => {
    const others = Array.from({ length: 7 }, (_, at) =>
      deployment({ id: `dep_${at + 2}`, label: `Flow ${at + 2}`, authorization: billing }),
    );
    const one = deployment({ authorization: billing });

    it('names five of these and counts the rest', () => {
      const affected = linesOn(one, ...others).find((line) => line.startsWith('Also affects'));
      assert.equal(affected, 'Also affects Flow 2, Flow 3, Flow 4, Flow 5, Flow 6, 2 more.');
    });

    it('links each of these to its row', () => {
      const { value } = deploymentHover(one, contextOf(one, ...others));
      assert.match(
        value,
        /\[Flow 2\]\(command:automationPlatform\.internal\.revealDeployment\?%5B%22dep_2%22%5D\)/,
      );
    });
  });

  it('counts the time that the answer lay in a cache', () => {
    const age = linesOn(deployment({ authorization: satisfied, age: 2, cachedFor: 10 })).at(-1);
    assert.equal(age, 'Refresh · reported by the platform, read 12 min ago');
  });

  describe('that was not found', () => {
    const failure = { kind: 'notFound', status: 404, excerpt: '{"no":"such"}' } as const;
    const one = deployment({ failure });

    it('says why', () => {
      assert.match(
        linesOn(one)[1]!,
        /^Not found \(404\)\. The deployment was probably deleted.* Response: “\{"no":"such"\}”$/,
      );
    });

    it('begins with a question mark', () => {
      assert.equal(linesOn(one)[0], '$(question) Billing sync · dep_1');
    });

    it('links what helps', () => {
      assert.deepEqual(linesOn(one).slice(2), [
        '$(lightbulb) Check the ID, or switch to the organization it belongs to.',
        'Edit ID... · Remove from List · Switch Organization... · Refresh · tried 1 min ago',
      ]);
    });

    it('has the lines of the hover on the row below it', () => {
      assert.deepEqual(linesOn(one).slice(1), linesOf(failureHover(one, contextOf(one))));
    });
  });

  it('offers to request the permission when access is denied', () => {
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
    it(`links ${links} when the read failed: ${failure.kind}`, () => {
      assert.equal(linesOn(deployment({ failure })).at(-1), `${links} · tried 1 min ago`);
    });
  }

  it('offers neither a request nor a mute when the deployment is no longer found', () => {
    const failure = { kind: 'notFound', status: 404 } as const;
    const links = linesOn(deployment({ authorization: billing, age: 60, failure })).find((line) =>
      / ago/.test(line),
    );
    assert.equal(
      links,
      'Edit ID... · Remove from List · Switch Organization... · Refresh · tried 1 min ago · reported by the platform, read 1 h ago',
    );
  });

  it('says that the deployment was not read yet', () => {
    assert.deepEqual(linesOn(deployment({})), [
      '$(circle-large-outline) Billing sync · dep_1',
      'Not read yet.',
      'Refresh',
    ]);
  });

  it('says that the deployment is healthy', () => {
    assert.deepEqual(linesOn(deployment({ authorization: satisfied })), [
      '$(pass) Billing sync · dep_1',
      'Healthy. All requirements are satisfied.',
      'Refresh · reported by the platform, read just now',
    ]);
  });

  it('says that a healthy deployment has no requirements', () => {
    const lines = linesOn(deployment({ authorization: { accounts: [], requirements: [] } }));
    assert.equal(lines[1], 'Healthy. The deployment has no requirements.');
  });

  it('names the organization when the user is signed in to several', () => {
    const one = deployment({ authorization: satisfied });
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), isOneOfSeveral: true }));
    assert.equal(
      lines.at(-1),
      'Refresh · reported by the platform, read just now · Acme production',
    );
  });

  it('puts a muted problem last, with the end of the mute', () => {
    const one = deployment({ authorization: twoProblems, age: 2 });
    const [account] = one.answer!.findings.problems;
    const end = now + fixtures.minutes(5);
    const memory = {
      ...fixtures.seenBefore,
      muteOf: ({ key }: Identity) =>
        key === account!.key ? { until: end, isUntilChange: false } : undefined,
    };
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), memory }));
    const muted = reconnect.replace('needs it.', `needs it. Muted until ${absoluteTime(end)}.`);
    assert.deepEqual(lines.slice(1, 5), [missing, other, failed, muted]);
  });

  it('says that a mute until a change ends after 90 days at most', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const end = now + fixtures.minutes(90 * 24 * 60);
    const memory = {
      ...fixtures.seenBefore,
      muteOf: () => ({ until: end, isUntilChange: true }),
    };
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), memory }));
    const mute = `Muted until it changes, for at most 90 days (until ${futureDayOrTime(end, now)}).`;
    assert.equal(lines[2]?.match(/Muted.*\)\./)?.[0], mute);
  });

  describe('with a wanted notification', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const memory = { ...fixtures.seenBefore, notifies: () => true };
    const markdown = () => deploymentHover(one, { ...contextOf(one), memory }).value;

    it('says that the user will be notified', () => {
      assert.match(markdown(), /You will be notified when the problem is fixed&#46;/);
    });

    it('offers to stop notifying, and not to notify', () => {
      assert.match(markdown(), /command:automationPlatform\.stopNotifying\b/);
      assert.doesNotMatch(markdown(), /notifyWhenFixed/);
    });
  });

  for (const { count, muted, line } of [
    { count: 4, muted: 0, line: '2 more problems.' },
    { count: 3, muted: 1, line: '1 more problem is muted.' },
    { count: 6, muted: 4, line: '4 more problems are muted.' },
    { count: 4, muted: 1, line: '1 more problem, 1 muted.' },
    { count: 7, muted: 2, line: '3 more problems, 2 muted.' },
    { count: 4, muted: 4, line: '2 more problems are muted.' },
  ]) {
    it(`says “${line}” when ${muted} of ${count} problems are muted`, () => {
      const accounts = Array.from({ length: count }, (_, at) => ({ id: `acc_${at}`, error: {} }));
      const one = deployment(sent(accounts));
      const { problems } = one.answer!.findings;
      const mutedKeys = new Set(problems.slice(count - muted).map(({ key }) => key));
      const mute = { until: now + fixtures.minutes(5), isUntilChange: false };
      const muteOf = ({ key }: Identity) => (mutedKeys.has(key) ? mute : undefined);
      const memory = { ...fixtures.seenBefore, muteOf };
      assert.equal(linesOf(deploymentHover(one, { ...contextOf(one), memory }))[5], line);
    });
  }

  it('has eight lines for 3,000 problems and 200,000 unknown fields', () => {
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
    const lines = linesOn(one);
    assert.equal(lines.length, 8);
    assert.equal(lines[5], '2,998 more problems.');
    assert.match(lines.at(-1)!, /^(field\d x{199}… · ){7}199,993 more$/);
  });

  it('links and enables our commands', () => {
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
    it(`enables the commands that it links when the read failed: ${failure.kind}`, () => {
      const [, ...calls] = callsOf(
        deploymentHover(deployment({ id: oddId, failure }), contextOf()),
      );
      assert.deepEqual(
        calls.map(([command]) => command),
        [...commands, 'refreshDeployment'],
      );
      const takesDeployment = /Deployment|copyRequest/;
      for (const [command, argument] of calls)
        if (takesDeployment.test(command)) assert.equal(argument, oddId, command);
    });
  }
});

describe('the hover of an account', () => {
  describe('of two deployments', () => {
    const second = deployment({
      id: 'dep_2',
      label: 'Expense approvals',
      authorization: billing,
      age: 2,
    });
    const one = deployment({ authorization: billing, age: 2 });
    const [failing, sound] = one.answer!.findings.accounts;
    const context = contextOf(one, second);

    it('says why it failed and which deployments need the account', () => {
      assert.deepEqual(linesOf(accountHover(failing!, one, context)), [
        '$(error) **Finance Slack** · acc_2',
        failed,
        reconnect,
        'Needed by Billing sync, Expense approvals.',
        `${footer} · checked 3 h ago`,
        'serviceSub T02 · connectionMethodId slack-oauth · scopes chat:write',
      ]);
    });

    it('says which deployments have a working account', () => {
      assert.deepEqual(linesOf(accountHover(sound!, one, context)), [
        '$(pass) **Ops Slack** · acc_1',
        'No error.',
        'In Billing sync, Expense approvals.',
        'reported by the platform, read 2 min ago',
        'serviceId slack · serviceSub T01',
      ]);
    });
  });

  describe('with a clock 2 hours ahead', () => {
    const one = deployment({ authorization: billing, clockOffsetMs: fixtures.minutes(-120) });
    const [checked, unchecked] = one.answer!.findings.accounts;
    const linesOfAccount = (account = checked) =>
      linesOf(accountHover(account!, one, contextOf(one)));

    it('tells the age of a check by the platform’s clock', () => {
      assert.match(linesOfAccount().at(-2)!, / · checked 1 h ago$/);
    });

    it('says by how much the clocks differ', () => {
      assert.equal(
        linesOfAccount().at(-3),
        'This machine’s clock is 2 hr ahead of the platform’s.',
      );
    });

    it('says nothing of clocks without a check', () => {
      assert.doesNotMatch(linesOfAccount(unchecked).join('\n'), /clock/);
    });
  });

  it('says that the clocks differ when the age of the last check cannot be told', () => {
    const one = deployment({ authorization: billing, hasUnusableDate: true });
    const [account] = one.answer!.findings.accounts;
    const text = linesOf(accountHover(account!, one, contextOf(one))).join('\n');
    assert.match(text, /^The clocks of this machine and of the platform differ, so /m);
  });

  it('offers to unmute when its problem is muted', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const mute = { until: now + fixtures.minutes(5), isUntilChange: false };
    const memory = { ...fixtures.seenBefore, muteOf: () => mute };
    const [account] = one.answer!.findings.accounts;
    const hover = accountHover(account!, one, { ...contextOf(one), memory });
    const unmutes = callsOf(hover).filter(([command]) => command === 'unmuteProblem');
    const row = { deployment: { id: 'dep_1' }, problems: [{ key: account!.key }] };
    assert.deepEqual(unmutes, [['unmuteProblem', row]]);
  });
});

/** The hovers of the first account, requirement, and problem of a deployment. */
function hoversBelow(one: Deployment, context: HoverContext) {
  const { accounts, problems, requirements } = one.answer!.findings;
  return {
    account: accountHover(accounts[0]!, one, context),
    requirement: requirementHover(requirements[0]!, one, context),
    problem: problemHover(problems[0]!, one, context),
  };
}

for (const part of ['account', 'requirement', 'problem'] as const) {
  describe(`the hover of the ${part} of a deployment that is no longer found`, () => {
    it('offers no request', () => {
      const failure = { kind: 'notFound', status: 404 } as const;
      const one = deployment({ authorization: billing, age: 60, failure });
      const hover = hoversBelow(one, contextOf(one))[part];
      assert.doesNotMatch(linesOf(hover).join('\n'), /Copy Request/);
    });
  });
}

for (const part of ['deployment', 'account', 'requirement', 'problem'] as const) {
  describe(`the hover of the failing ${part}`, () => {
    const one = deployment({ authorization: billing, age: 2 });
    const hoverWith = (context: HoverContext) =>
      part === 'deployment' ? deploymentHover(one, context) : hoversBelow(one, context)[part];

    it('offers a request', () => {
      assert.match(hoverWith(contextOf(one)).value, /copyRequest/);
    });

    it('offers no request when the problem is muted', () => {
      const mute = { until: now + fixtures.minutes(5), isUntilChange: false };
      const memory = { ...fixtures.seenBefore, muteOf: () => mute };
      assert.doesNotMatch(hoverWith({ ...contextOf(one), memory }).value, /copyRequest/);
    });
  });
}

describe('the hover of an unknown deployment', () => {
  const crm = { serviceId: 'salesforce', binding: 'crm' };
  const one = deployment({ authorization: { accounts: [], requirements: [crm] } });

  it('advises to refresh', () => {
    assert.deepEqual(linesOn(one).slice(1), [
      'crm (salesforce): the platform does not say whether it is satisfied.',
      '$(lightbulb) Refresh to ask the platform again.',
      'Refresh · reported by the platform, read just now',
    ]);
  });

  it('advises to look in the dashboard when its address is set', () => {
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), hasDashboard: true }));
    assert.deepEqual(lines.slice(2), [
      '$(lightbulb) Look in the dashboard.',
      'Open in Dashboard · Refresh · reported by the platform, read just now',
    ]);
  });

  it('has the lines of the hover on the row of the advice', () => {
    const { unknownFindings } = one.answer!.findings;
    const linesOfAdvice = linesOf(unknownHover(unknownFindings, one, contextOf(one)));
    assert.deepEqual(linesOn(one).slice(1), linesOfAdvice);
  });

  it('names several requirements in one sentence', () => {
    const names = ['crm', 'ledger'].map((binding) => ({ binding }));
    const [, said] = linesOn(deployment({ authorization: { accounts: [], requirements: names } }));
    assert.equal(said, 'crm, ledger: the platform does not say whether they are satisfied.');
  });

  it('tells apart missing and unreadable states of requirements', () => {
    const two = deployment(sent([], [crm, { binding: 'ledger', satisfied: 'no' }]));
    assert.deepEqual(linesOn(two).slice(1, 4), [
      '1 field unreadable.',
      'crm (salesforce): the platform does not say whether it is satisfied. ledger: what the platform said could not be read.',
      '$(lightbulb) Refresh to ask the platform again.',
    ]);
  });
});

describe('the hover of an unknown requirement', () => {
  it('does not repeat its name in the reason', () => {
    const crm = { serviceId: 'salesforce', binding: 'crm' };
    const one = deployment({ authorization: { accounts: [], requirements: [crm] } });
    const [finding] = one.answer!.findings.requirements;
    assert.deepEqual(linesOf(requirementHover(finding!, one, contextOf(one))).slice(0, 3), [
      '$(question) **crm (salesforce)**',
      'The platform does not say whether the requirement is satisfied.',
      '$(lightbulb) Refresh to ask the platform again.',
    ]);
  });
});

describe('a field that could not be read', () => {
  const unread = deployment(
    sent([{ id: 'acc_1', error: 5 }], [{ binding: 'ledger', satisfied: 'no' }]),
  );
  const { accounts, requirements } = unread.answer!.findings;
  const reason = 'What the platform said could not be read.';

  it('is the reason in the hover of an unknown account', () => {
    assert.equal(linesOf(accountHover(accounts[0]!, unread, contextOf(unread)))[1], reason);
  });

  it('is the reason in the hover of an unknown requirement', () => {
    assert.equal(linesOf(requirementHover(requirements[0]!, unread, contextOf(unread)))[1], reason);
  });
});

describe('a hover while nothing can be read', () => {
  const failure = { kind: 'unreachable', cause: { step: 'tls', code: 'X', host: 'h' } } as const;
  const cause = { kind: 'failure', isOffline: false, at: now, asOf: now, failure } as const;
  const causeLine = `Unreachable (TLS). Read as of ${clockTime(now - fixtures.minutes(2), now)}.`;
  const linesIn = (one: Deployment) => linesOf(deploymentHover(one, { ...contextOf(one), cause }));

  it('begins with the cause and the time of the last answer', () => {
    assert.equal(linesIn(deployment({ authorization: billing, age: 2 }))[1], causeLine);
  });

  it('links Check Connection before all else', () => {
    const lines = linesIn(deployment({ authorization: billing, age: 2 }));
    assert.equal(
      lines.find((line) => line.includes('Refresh')),
      'Check Connection · Copy Request · Notify When Fixed · Mute... · Refresh',
    );
  });

  it('says as of when a deployment was healthy', () => {
    assert.deepEqual(linesIn(deployment({ authorization: satisfied, age: 2 })).slice(1), [
      causeLine,
      'Healthy. All requirements are satisfied.',
      'Check Connection · Refresh',
    ]);
  });

  it('has no time when the deployment was never read', () => {
    assert.deepEqual(linesIn(deployment({})).slice(1), [
      'Unreachable (TLS).',
      'Not read yet.',
      'Check Connection · Refresh',
    ]);
  });

  it('names the cause once on each account, requirement, and problem', () => {
    const one = deployment({ authorization: billing, age: 2 });
    const { accounts, problems, requirements } = one.answer!.findings;
    const context = { ...contextOf(one), cause };
    const all = [
      ...accounts.map((finding) => accountHover(finding, one, context)),
      ...requirements.map((finding) => requirementHover(finding, one, context)),
      ...problems.map((problem) => problemHover(problem, one, context)),
    ];
    for (const hover of all) {
      const text = linesOf(hover).join('\n');
      const causes = linesOf(hover).filter((line) => line.startsWith('Unreachable'));
      assert.deepEqual(causes, [causeLine], text);
      assert.doesNotMatch(text, /reported by/);
    }
  });

  it('has no other advice on a deployment with an unknown requirement', () => {
    const authorization = { accounts: [], requirements: [{ binding: 'crm' }] };
    assert.deepEqual(linesIn(deployment({ authorization, age: 2 })).slice(1), [
      causeLine,
      'crm: the platform does not say whether it is satisfied.',
      'Check Connection · Refresh',
    ]);
  });

  it('links Check Connection once on a deployment whose read failed', () => {
    const lost = deployment({ failure: { kind: 'connectionLost', code: 'ECONNRESET' } });
    assert.equal(linesIn(lost).at(-1), 'Check Connection · Refresh · tried 1 min ago');
  });

  it('has no link that refreshes all deployments', () => {
    const one = deployment({ authorization: satisfied });
    const down = { ...cause, failure: { kind: 'serverError', status: 503 } as const };
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), cause: down }));
    assert.equal(lines.at(-1), 'Refresh');
  });

  it('does not mention a pause', () => {
    const one = deployment({ authorization: satisfied });
    const paused = { kind: 'paused', until: now } as const;
    const lines = linesOf(deploymentHover(one, { ...contextOf(one), cause: paused }));
    assert.deepEqual(lines, linesOn(one));
  });
});

describe('a hover in an entry of the setting mutes', () => {
  it('says what the ID stands for, although it has no diagnostic', async () => {
    const { platform, graph } = await startWorld();
    platform.putDeployment('dep_1', billing);
    await graph.read('dep_1');
    const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'muting');
    const uri = vscode.Uri.joinPath(folder, '.vscode', 'settings.json');
    const text = '{ "automationPlatform.mutes": [{ "deployment":\n"dep_1" }] }';
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    atEndOfTest(() => vscode.workspace.fs.delete(folder, { recursive: true }));

    assert.match(await textAt(uri, 1), problemText);
  });
});

describe('a hover in an editor', () => {
  beforeEach(async () => {
    const { platform, graph } = await startWorld();
    platform.putDeployment('dep_1', twoProblems);
    await graph.read('dep_1');
  });

  describe('of a document without diagnostics', () => {
    let uri: vscode.Uri;
    beforeEach(async () => {
      const provider = vscode.workspace.registerTextDocumentContentProvider('ap-test', {
        provideTextDocumentContent: () => 'a dep_1 dep_10',
      });
      atEndOfTest(() => provider.dispose());
      ({ uri } = await vscode.workspace.openTextDocument(vscode.Uri.parse('ap-test:b')));
    });

    it('appears on the whole ID', async () => {
      const ranges = (await hovers(uri, 0, 4)).map(({ range }) => range);
      assert.deepEqual(ranges, [new vscode.Range(0, 2, 0, 7)]);
    });

    it('does not appear on a longer ID', async () => {
      assert.deepEqual(await hovers(uri, 0, 10), []);
    });

    it('appears without a diagnostic', async () => {
      await hovers(uri, 0, 4);
      assert.deepEqual(vscode.languages.getDiagnostics(uri), []);
    });
  });

  describe('beside diagnostics', () => {
    let uri: vscode.Uri;
    beforeEach(async () => {
      ({ uri } = await openFile('dep_1\n'.repeat(101)));
      await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
      await until('all diagnostics', () => diagnosticsIn({ uri }).length === 201);
    });

    it('leaves the problem to the diagnostic', async () => {
      const text = await textAt(uri, 0);
      assert.doesNotMatch(text, problemText);
      assert.match(text, adviceText);
    });

    it('says the problem when the diagnostic is one of more than 200', async () => {
      const text = await textAt(uri, 100);
      assert.match(text, problemText);
      assert.match(text, adviceText);
    });

    it('says the problem when problems.visibility is off', async () => {
      await writeSetting('problems.visibility', false);
      const text = await textAt(uri, 0);
      assert.match(text, problemText);
      assert.match(text, adviceText);
    });

    it('says the problem when a setting hides the diagnostic', async () => {
      await writeSetting('automationPlatform.diagnostics.failedAccounts', 'off');
      await until('no diagnostics of the account', () => diagnosticsIn({ uri }).length === 101);
      const text = await textAt(uri, 0);
      assert.match(text, problemText);
      assert.match(text, adviceText);
    });

    describe('of a diff', () => {
      let right: vscode.Uri;
      beforeEach(async () => {
        ({ uri: right } = await openFile('dep_1\n'.repeat(101)));
        await vscode.commands.executeCommand('vscode.diff', uri, right);
        await until('the diff', isDiffInFront);
        await until('all of the right side', () => diagnosticsIn({ uri: right }).length === 201);
        atEndOfTest(async () => {
          await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
          await until('no diff', () => !isDiffInFront());
        });
      });

      it('says the problem on the left side', async () => {
        const text = await textAt(uri, 0);
        assert.match(text, problemText);
        assert.match(text, adviceText);
      });

      it('leaves the problem to that on the right side', async () => {
        const text = await textAt(right, 0);
        assert.doesNotMatch(text, problemText);
        assert.match(text, adviceText);
      });
    });
  });
});
