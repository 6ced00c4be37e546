import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ConnectionStep } from '../../../src/api/call.js';
import type { Failure } from '../../../src/api/failure.js';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { UserError } from '../../../src/host/actions.js';
import { commandIds } from '../../../src/host/ids.js';
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

/** Characters that no surface may get: they can't be seen, or they reorder what can. */
const unseen =
  /[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]|\p{Surrogate}/u;

// For each kind of surface: text that is more than text there, and how much of a text is shown.
/** Tree, quick pick, status bar: icons come alive there. */
const label = { alive: /\$\(/, maxChars: 400 };
/** Screen reader, diagnostic, log, text to copy: nothing does. */
const plain = { alive: /(?!)/, maxChars: 1100 };
/** Notification, dialog, prompt: links in brackets do. */
const notification = { alive: /[[\]]|\$\(/, maxChars: 1500 };

/** Fails for a text that is more than text on this kind of surface, or if there are too few texts to check. */
function check(kind: typeof label, given: readonly unknown[], atLeast = 1): void {
  const texts = given.filter((text) => typeof text === 'string');
  const found = JSON.stringify(texts.slice(0, 3)).slice(0, 300);
  assert.ok(texts.length >= atLeast, `${texts.length} texts instead of ${atLeast}: ${found}`);
  // Line breaks are ours to make in a notification.
  const parts = texts.flatMap((text) => (kind === notification ? text.split('\n') : text));
  const partsWithUnseen = parts.filter((text) => unseen.test(text));
  const aliveParts = parts.filter((text) => kind.alive.test(text));
  const longestPart = Math.max(...parts.map((text) => text.length));
  assert.deepEqual(partsWithUnseen, []);
  assert.deepEqual(aliveParts, []);
  assert.ok(longestPart <= kind.maxChars, `a text has ${longestPart} characters`);
}

/** Each icon of ours by its name: another one came from a text. */
const ourIcons =
  /\$\((?:error|warning|question|circle-large-outline|pass|debug-disconnect|lightbulb|refresh|list-tree|copy|link-external)\)/g;
const ourColor = /<span style="color:var\(--vscode-descriptionForeground\);">|<\/span>/g;
const ourLinks = /\[[^\]]*\]\(command:automationPlatform\.[A-Za-z.]+\?[\w%.-]*\)/g;

/** Code spans first: what is in them is text, and none of it may end them. Icons would come alive even there. */
function withoutSpans(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, (span) => {
    assert.doesNotMatch(span, /\$\(/);
    return '';
  });
}

/** What Markdown of ours is made of: our own words and marks, references to characters, code spans, our own links. */
function checkMarkdown(markdown: unknown): void {
  assert.ok(markdown instanceof vscode.MarkdownString);
  const { value, isTrusted, supportHtml, supportThemeIcons, baseUri } = markdown;
  const at = JSON.stringify(value.slice(0, 400));
  assert.equal(baseUri, undefined, at);
  assert.ok(isTrusted !== true, `each command is enabled in ${at}`);
  assert.ok(value.length < 400_000, `${value.length} characters, ${at}`);
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

/** An ID with this text. Half a surrogate pair can't be sent as an ID. */
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
  /** The text that is typed into the next question. */
  let typed: string | undefined;
  const organizationName = '[x](command:y) $(zap) \u202Egpj www.phish.example';
  const count = livelyTexts.length;

  // VS Code asks the newest provider of a scheme for a text. The running extension would load its second stage, with a provider of
  // its own, at any later time; this command loads it and changes nothing.
  before(() => vscode.commands.executeCommand(commandIds.cancelRefresh));
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

  it('is only text in the rows of both trees', () => {
    const texts = graph.items().flatMap((item) => [item.label, item.description]);
    check({ ...label, maxChars: 300 }, texts, 10 * count);
  });

  it('is only text for a screen reader in the rows of both trees', () => {
    const spoken = graph.items().map((item) => item.accessibilityInformation?.label);
    check(plain, spoken);
  });

  it('is only text in the hovers of both trees', () => {
    const tooltips = graph.items().flatMap(({ tooltip }) => tooltip ?? []);
    assert.notDeepEqual(tooltips, []);
    for (const tooltip of tooltips) checkMarkdown(tooltip);
  });

  it('is no command of a row', () => {
    const commands = graph.items().flatMap(({ command }) => command?.command ?? []);
    for (const command of commands) assert.match(command, /^(automationPlatform|workbench)\./);
  });

  /** The IDs of all deployments and accounts. */
  const allIds = () => [...deployments().map(({ id }) => id), ...graph.services.impact.accountIds];

  for (const isShown of [true, false]) {
    it(`is only text in hovers of editors ${isShown ? 'with' : 'without'} diagnostics`, () => {
      const { organizations, impact, memory, muteEntries, owners, store } = graph.services;
      const targets = new ReferenceTargets(graph.services);
      const context = {
        organization: organizations.current,
        now: Date.now(),
        isOneOfSeveral: true,
        cause: store.cause,
        hasDashboard: true,
        impact,
        memory,
        muteEntries,
        owners,
        isShownByEditor: () => isShown,
      };
      const found = allIds().map((id) => targets.targetOf(id));
      const hovers = found.flatMap(({ deployment, account }) => [
        ...(deployment ? [deploymentHover(deployment, context)] : []),
        ...(account ? [accountHover(account.finding, account.deployment, context)] : []),
      ]);
      assert.ok(hovers.length > 2 * count, `only ${hovers.length} hovers`);
      for (const hover of hovers) checkMarkdown(hover);
    });
  }

  const diagnosticsOfAll = () => {
    const { impact, memory } = graph.services;
    const targets = new ReferenceTargets(graph.services);
    const range = new vscode.Range(0, 0, 0, 1);
    const { Error: severity } = vscode.DiagnosticSeverity;
    const reports = allIds().flatMap((id) =>
      reportsOn(id, targets.problemsOf(id), ambiguousNames(deployments(), memory), impact),
    );
    return reports.map(
      ({ reported, message }) => new ProblemDiagnostic(range, message, severity, reported),
    );
  };

  it('is only text in the messages of diagnostics', () => {
    const messages = diagnosticsOfAll().map(({ message }) => message);
    check(plain, messages, 2 * count);
  });

  it('is only text in the codes of diagnostics', () => {
    const codes = diagnosticsOfAll().map(({ code }) => code);
    check({ ...plain, maxChars: 100 }, codes);
  });

  it('is only text in quick picks', async () => {
    await graph.app.run('goToDeployment', []);
    await graph.app.run('switchOrganization', []);
    const picked = shown.picks.flatMap((pick) => [pick.label, pick.description, pick.detail]);
    check(label, picked, 2 * deployments().length);
  });

  it('is only text in the status bar', () => {
    const { organizations, store } = graph.services;
    const summary = statusSummary(organizations, store)!;
    check(label, [summary.text, spokenText(summary.text, store.counts)], 2);
  });

  it('is only text in the hover of the status bar', () => {
    const { memory, organizations, store } = graph.services;
    checkMarkdown(statusHover(organizations.current!, store, memory));
  });

  it('is only text in a passing message of the status bar', () => {
    for (const text of livelyTexts) showStatusBarMessage(text);
    check(label, shown.statusMessages, count);
  });

  it('is only text beside the title of the view', () => {
    const { organizations, store } = graph.services;
    check(label, [viewDescription(store, organizations.current!)]);
  });

  it('is only text in notifications, questions, and their buttons', async () => {
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

  it('is only text in the result of Check Connection, even in a certificate', async () => {
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

  it('is only text in the progress of a command', async () => {
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
