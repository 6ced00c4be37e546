import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ConnectionStep } from '../../../src/api/network/check.js';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { setDeploymentLabel } from '../../../src/commands/deployments/changeList.js';
import { reportWording } from '../../../src/commands/deployments/copy.js';
import { goToDeployment } from '../../../src/commands/deployments/goToDeployment.js';
import { lookUpInstall } from '../../../src/commands/lookUpInstall.js';
import { openLink } from '../../../src/commands/openLink.js';
import { signOut, switchOrganization } from '../../../src/commands/organizations/session.js';
import { RevokeApiKey } from '../../../src/commands/revokeApiKey.js';
import { UserError } from '../../../src/host/actions.js';
import { showError } from '../../../src/host/errors.js';
import { mention, showWarning } from '../../../src/host/messages.js';
import { failureSentence } from '../../../src/host/text/failure.js';
import { ReferenceTargets } from '../../../src/model/references/known.js';
import { deploymentsReportParts } from '../../../src/model/report.js';
import { problemDiagnostic } from '../../../src/views/editor/diagnostics.js';
import { referenceHover } from '../../../src/views/editor/hover.js';
import { newProblemsSentence } from '../../../src/views/newProblems.js';
import { registerStatusBar } from '../../../src/views/statusBar.js';
import { viewDescription } from '../../../src/views/tree/view.js';
import { DEFAULT_TOKEN, install } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { livelyAuthorization, livelyTexts } from '../../support/service/lively.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { turn } from '../commands/quickInput.js';
import { itemsOf } from './below.js';
import { recordWindow, type WindowRecorder } from './windowRecorder.js';

/** What no surface may be handed: it can't be seen, or it reorders what can. */
const unseen = /[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]|\p{Surrogate}/u;

interface Kind {
  /** Text that is still alive there. */
  readonly alive: RegExp;
  readonly longest: number;
  /** Whether line breaks are ours to make. */
  readonly lines?: boolean;
}

/** Tree, quick pick, status bar: icons come alive there. */
const label: Kind = { alive: /\$\(/, longest: 400 };
/** Screen reader, diagnostic, log, text to copy: nothing does. */
const plain: Kind = { alive: /(?!)/, longest: 1100 };
/** Notification, dialog, prompt: links in brackets do. */
const notification: Kind = { alive: /[[\]]|\$\(/, longest: 1500, lines: true };

function check({ alive, longest, lines = false }: Kind, texts: readonly (string | undefined)[], atLeast = 1): void {
  assert.ok(texts.length >= atLeast, `${texts.length} texts instead of ${atLeast}`);
  for (const part of texts.flatMap((text) => (lines ? (text ?? '').split('\n') : [text ?? '']))) {
    const at = JSON.stringify(part.slice(0, 300));
    assert.doesNotMatch(part, unseen, at);
    assert.doesNotMatch(part, alive, at);
    assert.ok(part.length <= longest, `${part.length} characters, ${at}`);
  }
}

/** Each icon of ours by its name: another one came from a text. */
const ourIcons =
  /\$\((?:error|warning|question|circle-large-outline|pass|lightbulb|refresh|list-tree|copy|link-external)\)/g;
const ourLinks = /\[[^\]]*\]\(command:automationPlatform\.[A-Za-z.]+\?[\w%.-]*\)/g;

/** Code spans first: what is in them is text, and none of it may end them. Icons would come alive even there. */
function withoutSpans(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, (span) => {
    assert.ok(!span.includes('$('), span);
    return '';
  });
}

/** What Markdown of ours is made of: our own words and marks, references to characters, code spans, our own links. */
function checkMarkdown(markdown: unknown): void {
  assert.ok(markdown instanceof vscode.MarkdownString);
  const { value, isTrusted, supportHtml, supportThemeIcons, baseUri } = markdown;
  const at = JSON.stringify(value.slice(0, 400));
  assert.equal(supportHtml ?? false, false, at);
  assert.equal(baseUri, undefined, at);
  const commands = typeof isTrusted === 'object' ? isTrusted.enabledCommands : [];
  assert.ok(isTrusted !== true && commands.every((command) => command.startsWith('automationPlatform.')), at);
  assert.ok(value.length < 400_000, `${value.length} characters, ${at}`);
  for (const line of value.split('\n')) {
    assert.doesNotMatch(line, unseen, at);
    const rest = withoutSpans(line)
      .replace(isTrusted === undefined ? /(?!)/g : ourLinks, '')
      .replace(supportThemeIcons ? ourIcons : /(?!)/g, '')
      .replace(/&#\d+;/g, '');
    // Of ASCII punctuation only what our own layout is made of is left.
    assert.doesNotMatch(rest, /[!"#$%&'()+,./:;<=>?@[\\\]^_`{|}~]/, `${at}\n${rest}`);
    assert.doesNotMatch(rest, /www\.|:\/\//, at);
  }
}

/** Half a pair can't be sent as an id at all. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}

describe('text that would like to be more', () => {
  let service: Service;
  let graph: Graph;
  let recorder: WindowRecorder;
  let typed = '';
  const organizationName = '[x](command:y) $(zap) \u202Egpj www.phish.example';
  const count = livelyTexts.length;

  before(async () => {
    service = await startService();
    const ids = livelyTexts.map((text, index) => ({
      id: `dep_${index} ${wellFormed(text).slice(0, 500)}`,
      label: text,
    }));
    for (const [index, { id }] of ids.entries()) service.putDeployment(id, livelyAuthorization(livelyTexts[index]!));
    const refused = { id: '[x](command:y) $(zap) \u202E refused' };
    service.fault(refused, faults.text(500, livelyTexts.slice(0, -1).join(' ')));
    recorder = recordWindow(() => typed);
    graph = createGraph();
    const { organizations, store, installs } = graph.services;
    await organizations.ready;
    const { baseUrl } = service;
    const { id } = await organizations.signIn({ name: organizationName, baseUrl, token: DEFAULT_TOKEN });
    store.setListed([...ids, refused, { id: '../..' }, { id: '..' }]);
    await store.refreshAll();
    for (const text of livelyTexts) {
      const value = { ...install(), label: text, serviceName: text, serviceId: text, serviceSub: text };
      const hostile = { ...value, requiredPlan: text, expiresAt: text, [text]: text };
      installs.add(`token ${text}`, id, { value: hostile, decodeIssues: [], receivedAt: Date.now() });
    }
    assert.equal(store.deployments.filter(({ answer }) => answer).length, count);
  });
  beforeEach(() => {
    graph.texts.length = 0;
    for (const list of Object.values(recorder.shown)) list.length = 0;
  });
  after(async () => {
    recorder.restore();
    await graph.dispose();
    await service.stop();
  });

  const deployments = () => graph.services.store.deployments;
  const problems = () =>
    deployments().flatMap((deployment) =>
      (deployment.answer?.findings.problems ?? []).map((problem) => ({ deployment, problem })),
    );

  it('is text in the rows of both trees and in their hovers', () => {
    const items = itemsOf(graph.services);
    check(
      { ...label, longest: 300 },
      items.flatMap(({ label: name, description }) =>
        [name, description].map((part) => (typeof part === 'string' ? part : '')),
      ),
      10 * count,
    );
    check(
      plain,
      items.map(({ accessibilityInformation }) => accessibilityInformation?.label),
    );
    for (const { tooltip, command } of items) {
      checkMarkdown(tooltip);
      assert.equal(tooltip instanceof vscode.MarkdownString && tooltip.isTrusted, undefined);
      assert.match(command?.command ?? 'automationPlatform.', /^(automationPlatform|workbench)\./);
    }
  });

  it('is text in hovers of editors, whether VS Code shows the problems or not', () => {
    const { organizations, impact } = graph.services;
    const { current } = organizations;
    const targets = new ReferenceTargets(deployments());
    const ids = [...targets.index.ids];
    assert.ok(ids.length > 2 * count);
    for (const id of ids) {
      for (const isVisible of [true, false]) {
        const context = {
          organization: current,
          now: Date.now(),
          isVisible: () => isVisible,
          hasDashboard: true,
          impact,
        };
        checkMarkdown(referenceHover(targets.of(id), context));
      }
    }
  });

  it('is text in diagnostics', () => {
    const range = new vscode.Range(0, 0, 0, 1);
    const notes = problems().map(({ problem }) =>
      problemDiagnostic(problem, range, vscode.DiagnosticSeverity.Error, 0, Date.now()),
    );
    check(
      plain,
      notes.map(({ message }) => message),
      2 * count,
    );
    check(
      { ...plain, longest: 100 },
      notes.map(({ code }) => (typeof code === 'string' ? code : undefined)),
    );
  });

  it('is text in quick picks', async () => {
    await goToDeployment(graph.services);
    await switchOrganization(graph.services);
    const { picks } = recorder.shown;
    check(
      label,
      picks.flatMap((pick) => [pick.label, pick.description, pick.detail]),
      3 * deployments().length,
    );
  });

  it('is text in dialogs, and in the reasons why a link is refused', async () => {
    for (const text of livelyTexts) {
      const query = `id=${encodeURIComponent(`x ${wellFormed(text).slice(0, 150)}`)}&label=${encodeURIComponent(organizationName)}`;
      const uri = vscode.Uri.from({ scheme: 'vscode', authority: 'x', path: '/deployment', query });
      await openLink(graph.services, uri).catch((error: unknown) => {
        assert.ok(error instanceof UserError);
        showError(graph.services.log, error);
      });
    }
    await signOut(graph.services);
    typed = `key ${organizationName}`;
    await new RevokeApiKey(graph.services).run();
    check(notification, recorder.shown.dialogs, 6);
    check(notification, [...recorder.shown.dialogs, ...recorder.shown.notifications], count);
  });

  it('is text in notifications, their buttons and progress', async () => {
    const { log, organizations } = graph.services;
    for (const problem of problems()) showWarning(newProblemsSentence(problem, 2), []);
    const about = { operation: 'authorization', organization: organizations.current! } as const;
    for (const text of livelyTexts) {
      showError(log, new Error(text));
      showError(log, new UserError(failureSentence({ kind: 'redirected', status: 302, host: text }, about)));
    }
    typed = '0a1b2c3d-0000-4000-8000-00000000000f';
    await assert.rejects(lookUpInstall(graph.services));
    await checkConnection(graph.services);
    await turn();
    check(notification, recorder.shown.notifications, 4 * count);
    check(notification, recorder.shown.progress);
    check(notification, recorder.shown.buttons);
  });

  it('is text in prompts and validation messages', async () => {
    for (const [index, text] of livelyTexts.entries()) {
      typed = ` ${text} `;
      await new RevokeApiKey(graph.services).run();
      // Nothing can be written, since the list in settings is empty.
      const labelled = setDeploymentLabel(graph.services, deployments()[index]!.id);
      await labelled.catch((error: unknown) => assert.ok(error instanceof UserError, String(error)));
    }
    check(notification, recorder.shown.inputs, 2 * count);
  });

  it('is text in the report', () => {
    const report = [...deploymentsReportParts(deployments(), reportWording())].join('');
    assert.ok(report.length > 1000 && report.length < 2_000_000);
    for (const line of report.split('\n')) {
      assert.doesNotMatch(line, unseen, JSON.stringify(line.slice(0, 300)));
      const rest = withoutSpans(line).replace(/^<\/?details>$|^<summary>([^<>]*)<\/summary>$/, '$1');
      assert.doesNotMatch(rest.replace(/^#+ /, ''), /[<>[\]@#$`]|:\/\/|www\.|phish|zap|xxxx/, rest);
    }
  });

  it('is text in the status bar, its passing messages and beside the view’s title', () => {
    const bar = registerStatusBar(graph.services);
    const item = recorder.shown.statusItems.at(-1);
    checkMarkdown(item?.tooltip);
    // One icon of ours stands before the words.
    check(label, [item!.text.replace(/^\$\(error\) /, ''), item!.accessibilityInformation?.label]);
    bar.dispose();
    const { organizations, store } = graph.services;
    for (const text of livelyTexts) mention(text);
    check(label, [String(viewDescription(organizations.current, store)), ...recorder.shown.statusMessages], 1 + count);
  });

  it('is text in Check Connection, whoever issued the certificate', async () => {
    const steps = livelyTexts.map((text): ConnectionStep => {
      const issuer = text.slice(0, 200);
      const certificate = { subject: issuer, issuer, validFrom: 0, validTo: 0 };
      return { kind: 'tls', whose: 'service', host: 'service.example', duration: 1, certificate };
    });
    await checkConnection({
      ...graph.services,
      checkConnection: async (_target, _signal, _id, tell) => steps.forEach(tell),
    });
    await turn();
    check(
      { ...plain, longest: 2000 },
      graph.texts.flatMap(([, text]) => text.split('\n')),
      count,
    );
    check(notification, recorder.shown.progress);
    check(notification, recorder.shown.notifications);
  });
});
