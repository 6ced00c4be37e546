import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { absoluteTime } from '../../../src/host/text/format.js';
import type { Deployment } from '../../../src/model/deployment.js';
import { ReferenceTargets } from '../../../src/model/references/known.js';
import { referenceHover } from '../../../src/views/editor/hover.js';
import { billing, type DeploymentFacts, deployment, minutes, now, organization, satisfied } from '../views/fixtures.js';
import { closeEverything, createWorld, pause, until, type World } from './world.js';

function hoverOn(id: string, ...deployments: readonly Deployment[]): vscode.MarkdownString {
  return referenceHover(new ReferenceTargets(deployments).of(id), organization, now);
}

/** The text that a person reads: references resolved, line breaks and links of ours taken away. */
function shown(hover: vscode.MarkdownString): string {
  return hover.value
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\[([^\]]*)\]\(command:[^)]*\)/g, '[$1]')
    .replaceAll('\u00A0', ' ')
    .replaceAll(/ {2}\n {2}/g, '\n');
}

function textOn(facts: DeploymentFacts, id = 'dep_1'): string {
  return shown(hoverOn(id, deployment({ label: 'Billing sync', ...facts })));
}

const links = '$(refresh) [Check Again] · $(list-tree) [Reveal in Sidebar] · $(copy) [Copy Authorization Report]';
const clock = /Seen since [^.]+\./g;

/** Ours at that place of the first line. */
async function hovers(uri: vscode.Uri, character: number): Promise<vscode.Hover[]> {
  const position = new vscode.Position(0, character);
  const all = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
  return all.filter(({ contents }) => contents.some((one) => typeof one === 'object' && /dep&#95;1/.test(one.value)));
}

function output(): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.scheme === 'output' && document.getText().includes('dep_1'),
  );
}

describe('hovers in editors', () => {
  it('say state, age, requirement by requirement, missing scopes and last check', () => {
    assert.equal(
      textOn({ authorization: billing, age: 2 }).replaceAll(clock, 'Seen since then.'),
      [
        '**Billing sync** · dep_1 · Acme production',
        '',
        '$(error) Failed: 1 account failed · 1 of 3 not satisfied',
        `Read 2 min. ago (${absoluteTime(now - minutes(2))}).`,
        links,
        '',
        '- $(warning) notifier (slack) is not satisfied: its account Finance Slack failed (The workspace admin removed the app). Missing scope: channels:read.',
        'Reconnect Finance Slack (slack) with the scope channels:read. Or use one of the eligible accounts: Ops Slack, acc_9. Seen since then.',
        '- $(question) google-sheets · unknown: the service did not say',
        '- $(pass) ledger (stripe) · satisfied',
        '',
        '- $(error) Finance Slack (slack) failed: The workspace admin removed the app (token_revoked).',
        'Reconnect Finance Slack (slack) with the scope channels:read. Seen since then.',
        `Last checked by the service 3 hr. ago (${absoluteTime(now - minutes(180))}).`,
        '- $(pass) Ops Slack · slack · T01 · no error',
      ].join('\n'),
    );
  });

  it('say that data is stale and why, that it is being read, that nothing was read, and that all is well', () => {
    const reading = textOn({ authorization: satisfied, activity: 'reading' });
    assert.match(reading, /\$\(pass\) Satisfied: 2 of 2 satisfied · reading\nRead just now \(/);
    const stale = textOn({ authorization: satisfied, age: 60, failure: { kind: 'serverError', status: 503 } });
    assert.match(stale, /\$\(pass\) Satisfied: 2 of 2 satisfied\nStale: last read 1 hr\. ago \(/);
    assert.match(stale, /503: api\.acme\.example could not answer\./);
    const unread = textOn({});
    assert.match(
      unread,
      /^\*\*Billing sync\*\* · dep_1 · Acme production\n\n\$\(circle-large-outline\) Not checked yet\n/,
    );
    const absent = textOn({ failure: { kind: 'notFound', status: 404 } });
    assert.match(absent, /\$\(question\) Unknown\n[^]*404: api\.acme\.example does not find it\./);
  });

  it('on an account say what is wrong with it, whose answer says so and what it is bound to', () => {
    const old = deployment({ id: 'dep_0', authorization: { accounts: [{ id: 'acc_2' }], requirements: [] }, age: 9 });
    const text = shown(hoverOn('acc_2', old, deployment({ label: 'Billing sync', authorization: billing, age: 2 })));
    assert.equal(
      text.replaceAll(clock, 'Seen since then.'),
      [
        '**Finance Slack** · account · Acme production',
        '',
        '$(error) Finance Slack (slack) failed: The workspace admin removed the app (token_revoked).',
        'Reconnect Finance Slack (slack) with the scope channels:read. Seen since then.',
        `Last checked by the service 3 hr. ago (${absoluteTime(now - minutes(180))}).`,
        `From the answer for Billing sync. Read 2 min. ago (${absoluteTime(now - minutes(2))}).`,
        links,
        '',
        'Scopes: chat:write',
        '',
        '- $(warning) notifier (slack) · not satisfied',
      ].join('\n'),
    );
  });

  it('link our own commands and enable no others', () => {
    const id = `d(1) "'é/]*_`;
    const hover = hoverOn(id, deployment({ id, authorization: billing }));
    assert.deepEqual(hover.isTrusted, {
      enabledCommands: [
        'automationPlatform.refreshDeployment',
        'automationPlatform.internal.revealDeployment',
        'automationPlatform.copyReport',
      ],
    });
    assert.notEqual(hover.supportHtml, true);
    const called = Array.from(hover.value.matchAll(/\]\(command:([\w.]+)\?([^)]*)\)/g), ([, command, argument]) => [
      command,
      JSON.parse(decodeURIComponent(argument ?? '')),
    ]);
    assert.deepEqual(
      called,
      hover.isTrusted.enabledCommands.map((command) => [command, [id]]),
    );
  });

  it('leave text of the service and of settings without effect', () => {
    const evil = '$(trash) [go](command:workbench.action.quit) <b>x</b> `c` https://x.example **b**\n# h';
    const authorization: DeploymentAuthorization = {
      accounts: [
        { id: 'acc_evil', label: evil, serviceId: evil, scopes: [evil], error: { code: evil, message: evil } },
        { id: 'acc_well', label: evil, serviceId: evil, serviceSub: evil, checkedAt: evil },
      ],
      requirements: [
        { serviceId: evil, binding: evil, accountId: 'acc_evil', satisfied: false, eligibleAccountIds: [evil] },
        { serviceId: evil, binding: evil, accountId: evil, satisfied: true },
      ],
    };
    const one = deployment({ id: evil, label: evil, authorization });
    for (const hover of [hoverOn(evil, one), hoverOn('acc_evil', one), hoverOn('acc_well', one)]) {
      const icons = new Set(Array.from(hover.value.matchAll(/\$\(([\w-]+)\)/g), ([, icon]) => icon));
      for (const icon of icons) assert.match(icon ?? '', /^(error|warning|pass|refresh|list-tree|copy)$/);
      const targets = Array.from(hover.value.matchAll(/\]\(([^?)]*)/g), ([, target]) => target);
      assert.equal(new Set(targets).size, 3, targets.join('\n'));
      assert.doesNotMatch(hover.value, /<|https:|# h|`c`|\*\*b/);
    }
  });

  describe('of VS Code', () => {
    let world: World;
    beforeEach(async () => {
      world = createWorld('dep_1');
      world.answers.set('dep_1', billing);
      await world.store.refreshAll();
    });
    afterEach(async () => {
      world.dispose();
      await closeEverything();
    });

    it('appear on the whole token, in documents of any kind', async () => {
      const provider = vscode.workspace.registerTextDocumentContentProvider('automation-platform-test', {
        provideTextDocumentContent: () => 'a dep_1 dep_10',
      });
      try {
        const { uri } = await vscode.workspace.openTextDocument(vscode.Uri.parse('automation-platform-test:b'));
        const [hover, ...others] = await hovers(uri, 4);
        assert.deepEqual(others, []);
        assert.ok(hover?.range?.isEqual(new vscode.Range(0, 2, 0, 7)), JSON.stringify(hover?.range));
        assert.deepEqual(await hovers(uri, 10), []);
      } finally {
        provider.dispose();
      }
    });

    it('do not appear in output, nor in our own log', async () => {
      const channel = vscode.window.createOutputChannel('Automation Platform hovers');
      try {
        channel.append('dep_1');
        channel.show();
        await until('the output', () => output() !== undefined);
        assert.deepEqual(await hovers(output()!.uri, 2), []);
      } finally {
        channel.dispose();
      }
      const folder = vscode.workspace.workspaceFolders![0]!.uri;
      const log = vscode.Uri.joinPath(
        folder,
        'automation-platform-tools.automation-platform',
        'Automation Platform.log',
      );
      await vscode.workspace.fs.writeFile(log, Buffer.from('dep_1'));
      await vscode.workspace.openTextDocument(log);
      assert.deepEqual(await hovers(log, 2), []);
      await pause(300);
      assert.deepEqual(vscode.languages.getDiagnostics(log), []);
    });
  });
});
