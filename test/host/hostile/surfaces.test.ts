import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ApiError } from '../../../src/api/failure.js';
import type { ConnectionStep } from '../../../src/api/network/check.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { reportWording } from '../../../src/commands/deployments/copy.js';
import { goToDeployment } from '../../../src/commands/deployments/goToDeployment.js';
import { removeDeployment } from '../../../src/commands/deployments/removeDeployment.js';
import { setDeploymentLabel } from '../../../src/commands/deployments/setDeploymentLabel.js';
import { lookUpInstall } from '../../../src/commands/lookUpInstall.js';
import { openLink } from '../../../src/commands/openLink.js';
import { signOut } from '../../../src/commands/organizations/signOut.js';
import { switchOrganization } from '../../../src/commands/organizations/switchOrganization.js';
import { RevokeApiKey } from '../../../src/commands/revokeApiKey.js';
import { authorizationTool } from '../../../src/commands/tools/authorizationTool.js';
import { installTool } from '../../../src/commands/tools/installTool.js';
import { adapt } from '../../../src/commands/tools/tool.js';
import { showError } from '../../../src/host/errors.js';
import { Log } from '../../../src/host/log.js';
import { showWarning } from '../../../src/host/messages.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import { lookedUpInstall } from '../../../src/model/installs.js';
import { ReferenceTargets } from '../../../src/model/references/known.js';
import { deploymentsReportParts } from '../../../src/model/report.js';
import { dataText } from '../../../src/model/toolResult.js';
import { problemNote } from '../../../src/views/editor/diagnostics.js';
import { referenceHover } from '../../../src/views/editor/hover.js';
import { InstallsView } from '../../../src/views/installs.js';
import { newProblemsSentence } from '../../../src/views/newProblems.js';
import { StatusBar } from '../../../src/views/statusBar.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { viewDescription } from '../../../src/views/tree/view.js';
import { DEFAULT_TOKEN, install } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { livelyAuthorization, livelyTexts } from '../../support/service/lively.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { turn } from '../commands/quickInput.js';
import { TreeViewInMemory } from '../commands/treeViewInMemory.js';
import { below } from './below.js';
import { recordWindow, type WindowRecorder } from './windowRecorder.js';

/** What no surface may be handed: it can't be seen, or it reorders what can. */
const unseen = /[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]|\p{Surrogate}/u;

interface Kind {
  /** Text that is still alive there; `undefined`: none. */
  readonly alive: RegExp;
  readonly longest: number;
  /** Whether line breaks are ours to make. */
  readonly lines?: boolean;
}

const kinds = {
  /** Tree, quick pick, status bar: icons come alive there. */
  label: { alive: /\$\(/, longest: 400 },
  /** Screen reader, diagnostic: nothing does. */
  plain: { alive: /(?!)/, longest: 1100 },
  /** Notification, dialog, prompt: links in brackets do. */
  notification: { alive: /[[\]]|\$\(/, longest: 1500, lines: true },
  text: { alive: /(?!)/, longest: 2000, lines: true },
} as const satisfies Record<string, Kind>;

function check(surface: string, { alive, longest, lines = false }: Kind, texts: readonly string[]): void {
  assert.ok(texts.length > 0, `${surface} showed nothing`);
  for (const text of texts) {
    const parts = lines ? text.split('\n') : [text];
    for (const part of parts) {
      const at = `${surface}: ${JSON.stringify(part.slice(0, 300))}`;
      assert.doesNotMatch(part, unseen, at);
      assert.doesNotMatch(part, alive, at);
      assert.ok(part.length <= longest, `${part.length} characters, ${at}`);
    }
  }
}

const ours =
  /\$\((?:error|warning|question|circle-large-outline|pass|check|refresh|sync|target|list-tree|copy|arrow-right|[a-z-]+)\)/g;
const ourLinks = /\[[^\]]*\]\(command:automationPlatform\.[A-Za-z.]+\?[\w%.-]*\)/g;

/** Code spans first: what is in them is text, and none of it may end them. Icons would come alive even there. */
function withoutSpans(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, (span) => {
    assert.ok(!span.includes('$('), span);
    return '';
  });
}

/** What Markdown of ours is made of: our own words and marks, references to characters, code spans, our own links. */
function checkMarkdown(surface: string, markdown: vscode.MarkdownString): void {
  const { value, isTrusted, supportHtml, supportThemeIcons, baseUri } = markdown;
  const at = `${surface}: ${JSON.stringify(value.slice(0, 400))}`;
  assert.equal(supportHtml ?? false, false, at);
  assert.equal(baseUri, undefined, at);
  if (isTrusted !== undefined) {
    assert.ok(typeof isTrusted === 'object', at);
    assert.ok(
      isTrusted.enabledCommands.every((command) => command.startsWith('automationPlatform.')),
      at,
    );
  }
  assert.ok(value.length < 400_000, `${value.length} characters, ${at}`);
  for (const line of value.split('\n')) {
    assert.doesNotMatch(line, unseen, at);
    const rest = withoutSpans(line)
      .replace(isTrusted === undefined ? /(?!)/g : ourLinks, '')
      .replace(supportThemeIcons ? ours : /(?!)/g, '')
      .replace(/&#\d+;/g, '');
    // Of ASCII punctuation only what our own layout is made of is left.
    assert.doesNotMatch(rest, /[!"#$%&'()+,./:;<=>?@[\\\]^_`{|}~]/, `${at}\n${rest}`);
    assert.doesNotMatch(rest, /www\.|:\/\//, at);
  }
}

describe('text that would like to be more', () => {
  let service: Service;
  let graph: Graph;
  let recorder: WindowRecorder;
  let typed = '';
  const organizationName = '[x](command:y) $(zap) \u202Egpj www.phish.example';

  before(async () => {
    service = await startService();
    service.data.lookUpAccepts = 'either';
    const ids = livelyTexts.map((text, index) => ({
      // Half a pair can't be sent as an id at all.
      id: `dep_${index} ${text.slice(0, 500)}`.replace(/\p{Surrogate}/gu, ''),
      label: text,
    }));
    for (const [index, { id }] of ids.entries()) service.putDeployment(id, livelyAuthorization(livelyTexts[index]!));
    const refused = { id: '[x](command:y) $(zap) \u202E refused' };
    service.fault(refused, faults.text(500, livelyTexts.slice(0, -1).join(' ')));
    recorder = recordWindow(() => typed);
    graph = createGraph();
    const { organizations, store, installs } = graph.services;
    await organizations.ready;
    const { id } = await organizations.signIn({
      name: organizationName,
      baseUrl: service.baseUrl,
      token: DEFAULT_TOKEN,
    });
    store.setListed([...ids, refused, { id: '../..' }, { id: '..' }]);
    await store.refreshAll();
    for (const text of livelyTexts) {
      const value = { ...install(), label: text, serviceName: text, serviceId: text, serviceSub: text };
      service.putInstall(`token ${text}`, { ...value, requiredPlan: text });
      const hostile = { ...value, requiredPlan: text, expiresAt: text, [text]: text };
      installs.add(`token ${text}`, lookedUpInstall(id, { value: hostile, decodeIssues: [], receivedAt: Date.now() }));
    }
  });
  beforeEach(() => {
    for (const list of Object.values(recorder.shown)) if (Array.isArray(list)) list.length = 0;
  });
  after(async () => {
    recorder.restore();
    await graph.dispose();
    await service.stop();
  });

  const deployments = () => graph.services.store.deployments;
  const problems = () => deployments().flatMap(({ answer }) => answer?.findings.problems ?? []);
  const treeItems = async (): Promise<readonly vscode.TreeItem[]> => {
    const { store, organizations, filter, deploymentList, installs } = graph.services;
    const rows = new DeploymentsProvider({ store, organizations, filter, deploymentList });
    const pending = new InstallsView({ installs, organizations }, new TreeViewInMemory<PendingInstall>());
    const items = below(rows).map((element) => rows.resolveTreeItem(rows.getTreeItem(element), element));
    for (const one of pending.getChildren()) {
      items.push(pending.resolveTreeItem(pending.getTreeItem(one), one));
    }
    rows.dispose();
    pending.dispose();
    return items;
  };

  it('is there: everything was read', () => {
    assert.equal(deployments().length, livelyTexts.length + 3);
    assert.equal(deployments().filter(({ answer }) => answer).length, livelyTexts.length);
    assert.ok(problems().length >= 2 * livelyTexts.length);
  });

  it('is text in rows of the trees', async () => {
    const items = await treeItems();
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : (label?.label ?? '')));
    const descriptions = items.flatMap(({ description }) => (typeof description === 'string' ? [description] : []));
    check('label', { ...kinds.label, longest: 300 }, labels);
    check('description', { ...kinds.label, longest: 300 }, descriptions);
    check(
      'screen reader',
      kinds.plain,
      items.map(({ accessibilityInformation }) => accessibilityInformation?.label ?? ''),
    );
    assert.ok(
      items.every(({ command }) => command === undefined || /^(automationPlatform|workbench)\./.test(command.command)),
    );
  });

  it('is text in hovers of the trees', async () => {
    const items = await treeItems();
    for (const { tooltip } of items) {
      assert.ok(tooltip instanceof vscode.MarkdownString);
      assert.equal(tooltip.isTrusted, undefined);
      checkMarkdown('hover', tooltip);
    }
  });

  it('is text in hovers of editors', () => {
    const { organizations } = graph.services;
    const targets = new ReferenceTargets(deployments());
    let accounts = 0;
    for (const deployment of deployments()) {
      checkMarkdown('deployment', referenceHover({ deployment }, organizations.current, Date.now()));
      for (const { account } of deployment.answer?.findings.accounts ?? []) {
        const target = targets.of(account.id ?? '');
        if (target === undefined) continue;
        accounts++;
        checkMarkdown('account', referenceHover(target, organizations.current, Date.now()));
      }
    }
    assert.ok(accounts > 0);
  });

  it('is text in diagnostics', () => {
    const notes = problems().map((problem) => problemNote(problem, 'error', Date.now()));
    check(
      'message',
      kinds.plain,
      notes.map(({ message }) => message),
    );
    check(
      'code',
      { ...kinds.plain, longest: 100 },
      notes.map(({ code }) => (typeof code === 'string' ? code : '')),
    );
  });

  it('is text in quick picks', async () => {
    await goToDeployment(graph.services);
    await switchOrganization(graph.services);
    const { picks } = recorder.shown;
    assert.ok(picks.length > deployments().length);
    check(
      'pick',
      kinds.label,
      picks.flatMap(({ label, description, detail }) => [label, description ?? '', detail ?? '']),
    );
  });

  it('is text in dialogs', async () => {
    for (const { id } of deployments()) {
      await removeDeployment(graph.services, id);
      const query = `id=${encodeURIComponent(id.slice(0, 190))}&label=${encodeURIComponent(organizationName)}`;
      const uri = vscode.Uri.from({ scheme: 'vscode', authority: 'x', path: '/deployment', query });
      await openLink(graph.services, uri).catch(() => undefined);
    }
    await signOut(graph.services);
    typed = `key ${organizationName}`;
    await new RevokeApiKey(graph.services).run();
    assert.ok(recorder.shown.dialogs.length > deployments().length);
    check('dialog', kinds.notification, recorder.shown.dialogs);
  });

  it('is text in notifications and progress', async () => {
    const { log, organizations } = graph.services;
    for (const deployment of deployments()) {
      for (const problem of deployment.answer?.findings.problems ?? []) {
        await showWarning(newProblemsSentence({ deployment, problem }, 2), []);
      }
    }
    for (const text of livelyTexts) {
      await showError(log, new Error(text));
      const about = {
        operation: 'authorization',
        ...(organizations.current && { organization: organizations.current }),
      } as const;
      await showError(log, new ApiError({ kind: 'redirected', status: 302, host: text }), about);
      await showError(log, new ApiError({ kind: 'clientError', status: 400, excerpt: text }), about);
    }
    typed = '0a1b2c3d-0000-4000-8000-00000000000f';
    await assert.rejects(lookUpInstall(graph.services));
    await checkConnection(graph.services);
    await turn();
    check('notification', kinds.notification, recorder.shown.notifications);
    check('progress', kinds.notification, recorder.shown.progress);
    check('button', kinds.notification, recorder.shown.buttons);
  });

  it('is text in prompts and validation messages', async () => {
    for (const { id } of deployments()) {
      typed = organizationName;
      await setDeploymentLabel(graph.services, id).catch(() => undefined);
    }
    for (const text of livelyTexts) {
      typed = ` ${text} `;
      await new RevokeApiKey(graph.services).run();
    }
    check('input', kinds.notification, recorder.shown.inputs);
  });

  it('is text in the report', () => {
    const report = [...deploymentsReportParts(deployments(), reportWording())].join('');
    assert.ok(report.length < 2_000_000);
    for (const line of report.split('\n')) {
      assert.doesNotMatch(line, unseen, JSON.stringify(line.slice(0, 300)));
      const rest = withoutSpans(line);
      assert.doesNotMatch(rest.replace(/^#+ /, ''), /[<>[\]@#$`]|:\/\/|www\.|phish|zap|xxxx/, rest);
    }
  });

  it('is one line each in the log', () => {
    const log = new Log(new KnownSecrets());
    for (const text of livelyTexts) {
      log.info(text);
      log.warn(text);
      log.error(text);
    }
    assert.equal(recorder.shown.logLines.length, 3 * livelyTexts.length);
    check('log', { ...kinds.plain, longest: 2001 }, recorder.shown.logLines);
    log.dispose();
  });

  it('is text in the status bar and beside the view’s title', async () => {
    const bar = new StatusBar(graph.services);
    const item = recorder.shown.statusItems.at(-1);
    assert.ok(item?.tooltip instanceof vscode.MarkdownString);
    checkMarkdown('status bar', item.tooltip);
    // One icon of ours stands before the words.
    check('status bar', kinds.label, [
      item.text.replace(/^\$\([a-z~-]+\) /, ''),
      String(item.accessibilityInformation?.label),
    ]);
    bar.dispose();
    typed = organizationName;
    await setDeploymentLabel(graph.services, deployments()[0]!.id).catch(() => undefined);
    const { current } = graph.services.organizations;
    check('view', kinds.label, [
      String(viewDescription(current, graph.services.store)),
      ...recorder.shown.statusMessages,
    ]);
  });

  it('is data in what a language model gets, and text in the question about it', async () => {
    const never = new vscode.CancellationTokenSource().token;
    const tool = adapt(graph.services, authorizationTool(graph.services));
    for (const { id } of deployments()) {
      const input = { deploymentId: id };
      const prepared = await tool.prepareInvocation?.({ input }, never);
      const message = prepared?.confirmationMessages?.message;
      assert.ok(message instanceof vscode.MarkdownString);
      assert.ok(!message.isTrusted && !message.supportHtml && !message.supportThemeIcons);
      assert.match(withoutSpans(message.value).replace(/&#\d+;/g, ''), /^[A-Za-z “”().,]*$/);
      const result = await tool.invoke({ input, toolInvocationToken: undefined }, never);
      const [part] = result?.content ?? [];
      assert.ok(part instanceof vscode.LanguageModelTextPart);
      assert.doesNotMatch(part.value, unseen, part.value.slice(0, 300));
      if (part.value.startsWith('{')) {
        const strings: string[] = [];
        JSON.parse(part.value, (_key, value: unknown) => void (typeof value === 'string' && strings.push(value)));
        assert.ok(strings.every((text) => text.length <= 1000));
      }
    }
    const pending = await installTool(graph.services).ask({ install: livelyTexts[12]! });
    assert.doesNotMatch(dataText(await pending.read(never)), unseen);
  });

  it('is text in Check Connection, whoever issued the certificate', async () => {
    const steps = livelyTexts.map((text): ConnectionStep => {
      const issuer = text.slice(0, 200);
      const certificate = { subject: issuer, issuer, validFrom: 0, validTo: 0 };
      return { kind: 'tls', whose: 'service', host: 'service.example', duration: 1, certificate };
    });
    graph.texts.length = 0;
    await checkConnection({
      ...graph.services,
      checkConnection: async (_target, _signal, _id, tell) => steps.forEach(tell),
    });
    await turn();
    const lines = graph.texts.flatMap(([, text]) => text.split('\n'));
    assert.ok(lines.length > steps.length);
    check('text', kinds.text, lines);
    check('progress', kinds.notification, recorder.shown.progress);
    check('verdict', kinds.notification, recorder.shown.notifications);
  });
});
