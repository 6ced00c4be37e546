import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ConnectionStep } from '../../../src/api/call.js';
import type { Failure } from '../../../src/api/failure.js';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { UserError } from '../../../src/host/actions.js';
import { showStatusBarMessage, showWarning, withProgress } from '../../../src/host/messages.js';
import { failureWords } from '../../../src/host/text/failure.js';
import { ReferenceTargets } from '../../../src/model/references/targets.js';
import {
  ambiguousNames,
  ProblemDiagnostic,
  reportsOn,
} from '../../../src/views/editor/diagnostics.js';
import { accountHover, deploymentHover } from '../../../src/views/hover.js';
import { newProblemsSentence, worstNewCause } from '../../../src/views/newProblems.js';
import { spokenText, statusHover, statusSummary } from '../../../src/views/statusBar.js';
import { viewDescription } from '../../../src/views/tree/view.js';
import { answerOf } from '../../support/answers.js';
import { ManualClock } from '../../support/manualClock.js';
import { DEFAULT_TOKEN, install } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { livelyAuthorization, livelyTexts } from '../../support/platform/lively.js';
import { endTest } from '../../support/window/endOfTest.js';
import { createGraph, type Graph, platformOfTest } from '../../support/window/graph.js';
import { recordWindow, type Shown, settle } from '../../support/window/windowRecorder.js';

/** What no surface may be handed: it can't be seen, or it reorders what can. */
const unseen =
  /[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]|\p{Surrogate}/u;

// Of each kind of surface: text that is still alive there, and how much is shown.
/** Tree, quick pick, status bar: icons come alive there. */
const label = { alive: /\$\(/, maxChars: 400 };
/** Screen reader, diagnostic, log, text to copy: nothing does. */
const plain = { alive: /(?!)/, maxChars: 1100 };
/** Notification, dialog, prompt: links in brackets do. */
const notification = { alive: /[[\]]|\$\(/, maxChars: 1500 };

function check(kind: typeof label, given: readonly unknown[], atLeast = 1): void {
  const texts = given.filter((text) => typeof text === 'string');
  assert.ok(texts.length >= atLeast, `${texts.length} texts instead of ${atLeast}`);
  // Line breaks are ours to make in a notification.
  for (const text of texts.flatMap((one) => (kind === notification ? one.split('\n') : one))) {
    const at = JSON.stringify(text.slice(0, 300));
    assert.doesNotMatch(text, unseen, at);
    assert.doesNotMatch(text, kind.alive, at);
    assert.ok(text.length <= kind.maxChars, `${text.length} characters, ${at}`);
  }
}

/** Each icon of ours by its name: another one came from a text. */
const ourIcons =
  /\$\((?:error|warning|question|circle-large-outline|pass|debug-disconnect|lightbulb|refresh|list-tree|copy|link-external)\)/g;
const ourColor = /<span style="color:var\(--vscode-descriptionForeground\);">|<\/span>/g;
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
  assert.ok(!baseUri && isTrusted !== true && value.length < 400_000, at);
  if (isTrusted)
    for (const command of isTrusted.enabledCommands) assert.match(command, /^automationPlatform\./);
  for (const line of value.split('\n')) {
    assert.doesNotMatch(line, unseen, at);
    let rest = withoutSpans(line);
    if (isTrusted) rest = rest.replace(ourLinks, '');
    if (supportHtml) rest = rest.replace(ourColor, '');
    if (supportThemeIcons) rest = rest.replace(ourIcons, '');
    // Of ASCII punctuation only what our own layout is made of is left.
    assert.doesNotMatch(
      rest.replace(/&#\d+;/g, ''),
      /[!"#$%&'()+./:;<=>?@[\\\]^_`{|}~]|www\./,
      `${at}\n${rest}`,
    );
  }
}

/** Half a pair can't be sent as an id at all. */
function idOf(text: string, maxChars: number): string {
  return text.replace(/\p{Surrogate}/gu, '').slice(0, maxChars);
}

/** Each failure that carries texts of whoever answered. */
function failuresWith(text: string): readonly Failure[] {
  const foreign = { title: text, realm: text, host: text, address: `${text}/login`, baseUrl: text };
  return [
    { kind: 'redirected', status: 302, target: 'otherHost', foreign },
    { kind: 'redirected', status: 308, target: 'moved', foreign },
    { kind: 'tokenRejected', status: 401, doubt: 'challenges', foreign },
    { kind: 'notPermitted', status: 403, doubt: 'webPage', foreign },
    { kind: 'notFromPlatform', status: 403, foreign },
    { kind: 'notFromPlatform', status: 404, foreign },
    { kind: 'notFromPlatform', status: 200, foreign },
  ];
}

describe('hostile text of the platform', () => {
  let graph: Graph;
  let shown: Shown;
  /** Typed into the next question. */
  let typed: string | undefined;
  const organizationName = '[x](command:y) $(zap) \u202Egpj www.phish.example';
  const count = livelyTexts.length;

  before(async () => {
    const platform = await platformOfTest();
    const listed = livelyTexts.map((text, index) => ({
      id: `dep_${index} ${idOf(text, 500)}`,
      label: text,
    }));
    for (const { id, label: text } of listed) platform.putDeployment(id, livelyAuthorization(text));
    const refused = { id: '[x](command:y) $(zap) \u202E refused' };
    platform.fault(refused, faults.text(500, livelyTexts.slice(0, -1).join(' ')));
    shown = recordWindow(() => {
      const given = typed;
      typed = undefined;
      return given;
    });
    graph = createGraph();
    const { organizations, store, installs } = graph.services;
    const { baseUrl } = platform;
    const { id } = await organizations.signIn({
      name: organizationName,
      baseUrl,
      token: DEFAULT_TOKEN,
    });
    store.setListed([...listed, refused, { id: '../..' }, { id: '...' }]);
    await store.refresh();
    for (const text of livelyTexts) {
      const names = {
        label: text,
        serviceName: text,
        serviceId: text,
        serviceSub: text,
        [text]: text,
      };
      const value = { ...install(), ...names, requiredPlan: text, expiresAt: text };
      installs.add(`token ${text}`, id, answerOf(value, { sentAt: Date.now() }));
    }
    assert.equal(store.deployments.filter(({ answer }) => answer).length, count);
  });
  beforeEach(() => {
    for (const list of Object.values(shown)) list.length = 0;
  });
  after(endTest);

  const deployments = () => graph.services.store.deployments;
  const problems = () =>
    deployments().flatMap((deployment) =>
      (deployment.answer?.findings.problems ?? []).map((problem) => ({ deployment, problem })),
    );

  it('is text in the rows of both trees and in their hovers', () => {
    const items = graph.items();
    const texts = items.flatMap((item) => [item.label, item.description]);
    check({ ...label, maxChars: 300 }, texts, 10 * count);
    const spoken = items.map(({ accessibilityInformation }) => accessibilityInformation?.label);
    check(plain, spoken);
    for (const { tooltip, command } of items) {
      if (tooltip === undefined) continue;
      checkMarkdown(tooltip);
      assert.match(command?.command ?? 'automationPlatform.', /^(automationPlatform|workbench)\./);
    }
  });

  it('is text in editors: in diagnostics, and in hovers, whether VS Code shows the problems or not', () => {
    const { organizations, impact, memory, owners, store } = graph.services;
    const targets = new ReferenceTargets(graph.services);
    const ids = [...deployments().map(({ id }) => id), ...impact.accountIds];
    assert.ok(ids.length > 2 * count);
    const context = {
      organization: organizations.current,
      now: Date.now(),
      isOneOfSeveral: true,
      cause: store.cause,
      hasDashboard: true,
      impact,
      memory,
      owners,
    };
    for (const id of ids) {
      const { deployment, account } = targets.targetOf(id);
      for (const isShownByEditor of [() => true, () => false]) {
        if (deployment) checkMarkdown(deploymentHover(deployment, { ...context, isShownByEditor }));
        if (account)
          checkMarkdown(
            accountHover(account.finding, account.deployment, { ...context, isShownByEditor }),
          );
      }
    }
    const range = new vscode.Range(0, 0, 0, 1);
    const { Error: severity } = vscode.DiagnosticSeverity;
    const reports = ids.flatMap((id) =>
      reportsOn(id, targets.problemsOf(id), ambiguousNames(deployments(), memory), impact),
    );
    const notes = reports.map(
      ({ reported, message }) => new ProblemDiagnostic(range, message, severity, reported),
    );
    const messages = notes.map(({ message }) => message);
    check(plain, messages, 2 * count);
    const codes = notes.map(({ code }) => code);
    check({ ...plain, maxChars: 100 }, codes);
  });

  it('is text in quick picks, in the status bar, its passing messages and beside the view’s title', async () => {
    await graph.app.run('goToDeployment', []);
    await graph.app.run('switchOrganization', []);
    const picked = shown.picks.flatMap((pick) => [pick.label, pick.description, pick.detail]);
    check(label, picked, 2 * deployments().length);
    const { memory, organizations, store } = graph.services;
    checkMarkdown(statusHover(organizations.current!, store, memory));
    const summary = statusSummary(organizations, store)!;
    check(label, [summary.text, spokenText(summary.text, store.counts)], 2);
    for (const text of livelyTexts) showStatusBarMessage(text);
    check(
      label,
      [viewDescription(store, organizations.current!), ...shown.statusMessages],
      1 + count,
    );
  });

  it('is text in dialogs, prompts, notifications and their buttons', async () => {
    const { app, services } = graph;
    const { memory, store } = services;
    for (const problem of problems()) {
      showWarning(newProblemsSentence(worstNewCause([problem], store.deployments, memory)), []);
    }
    for (const [index, text] of livelyTexts.entries()) {
      const rows = [index, (index + 1) % count].map((at) => graph.row(deployments()[at]!.id));
      await app.run('removeDeployment', [rows[0], rows]);
      app.showError(new Error(text));
      for (const failure of failuresWith(text)) {
        app.showError(
          new UserError(failureWords(failure, services.organizations.current).sentence),
        );
      }
      typed = ` ${text} `;
      await app.run('revokeApiKey', []);
      await app.run('setDeploymentLabel', [deployments()[index]!.id]);
    }
    await app.run('signOut', []);
    typed = '0a1b2c3d-0000-4000-8000-00000000000f';
    await app.run('lookUpInstall', []);
    await app.run('checkConnection', []);
    await settle();
    const { messages, inputs } = shown;
    check(notification, messages.flat(), 10 * count);
    check(notification, inputs, 2 * count);
  });

  it('is text in Check Connection, also of the certificate', async () => {
    const steps = livelyTexts.map((text): ConnectionStep => {
      const certificate = {
        subject: text.slice(0, 200),
        issuer: text.slice(0, 200),
        validFrom: 0,
        validTo: 0,
      };
      return { kind: 'tls', role: 'platform', host: 'platform.example', duration: 1, certificate };
    });
    const client: typeof graph.services.client = {
      ...graph.services.client,
      check: async (_target, { onStep }) => {
        for (const step of steps) onStep?.(step);
        return undefined;
      },
    };
    await checkConnection({ ...graph.services, client });
    await settle();
    check(
      { ...plain, maxChars: 2000 },
      vscode.window.activeTextEditor!.document.getText().split('\n'),
      count,
    );
    check(notification, shown.messages.flat());
  });

  it('is text in a progress', async () => {
    const clock = new ManualClock();
    for (const text of livelyTexts) {
      const work = async (report: (message: string) => void) => {
        await settle();
        clock.pass(500);
        report(text);
      };
      const progress = withProgress(text, work, clock.setTimer);
      await settle();
      await settle();
      clock.pass(60_000);
      await progress;
    }
    check(notification, shown.progress, 2 * count);
  });
});
