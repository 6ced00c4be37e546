import * as vscode from 'vscode';
import type { ConnectionStep } from '../../../src/api/call.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { List } from '../../../src/check/list/list.js';
import { CheckMutes } from '../../../src/check/mutes.js';
import { Output } from '../../../src/check/output/output.js';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { authorizationTool, problemsTool } from '../../../src/commands/tools/deploymentTools.js';
import { Log } from '../../../src/host/log.js';
import { reportWithIgnored } from '../../../src/host/text/ignored.js';
import { deploymentsReport } from '../../../src/host/text/report.js';
import { inertLabel } from '../../../src/model/inertText.js';
import { ReferenceTargets } from '../../../src/model/references/targets.js';
import { referencesInLines } from '../../../src/model/references/textPositions.js';
import { dataText } from '../../../src/model/toolResult.js';
import {
  ambiguousNames,
  ProblemDiagnostic,
  reportsOn,
} from '../../../src/views/editor/diagnostics.js';
import { labelHints } from '../../../src/views/editor/inlayHints.js';
import { accountHover, deploymentHover } from '../../../src/views/hover.js';
import { statusHover, statusSummary } from '../../../src/views/statusBar.js';
import { until } from './editors.js';
import type { Graph } from './graph.js';
import { type Shown, settle } from './windowRecorder.js';

/** What comes alive in a text of that kind: icons and links of VS Code, links of an editor, commands of a CI job's log, Markdown. */
export type Kind = 'label' | 'notification' | 'plain' | 'editor' | 'jobLog' | 'markdown' | 'hover';

export interface Surface {
  readonly kind: Kind;
  readonly texts: () => Promise<readonly string[]> | readonly string[];
}

/** Foreign text that no answer of the platform brings. */
interface Words {
  readonly fileName: string;
  readonly issuer: string;
  readonly redirectHost: string;
}

function valueOf(tooltip: string | vscode.MarkdownString | undefined): string {
  return typeof tooltip === 'object' ? tooltip.value : (tooltip ?? '');
}

function stringsIn(given: readonly unknown[]): readonly string[] {
  return given.filter((text) => typeof text === 'string');
}

const never = new vscode.CancellationTokenSource().token;

async function copiedBy(copy: () => Promise<unknown>): Promise<readonly string[]> {
  await vscode.env.clipboard.writeText('');
  await copy();
  return [await vscode.env.clipboard.readText()];
}

/** Channels of one name share a document, which holds the last one's text for a while: `lastLine` must be of this channel alone. */
function shownLog(lastLine: string): string | undefined {
  const outputs = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'output');
  return outputs.map((one) => one.getText()).find((text) => text.includes(lastLine));
}

/** Every surface that shows, writes, copies, or hands on what others wrote. */
export function surfacesOf(
  graph: Graph,
  shown: Shown,
  words: Words,
): Readonly<Record<string, Surface>> {
  const { services } = graph;
  const { organizations, impact, memory, muteEntries, owners, store } = services;
  const { grouping, myGroups } = services;
  const listed = store.deployments;
  const targets = new ReferenceTargets(services);
  const ids = [...targets.index.ids];
  const context = {
    organization: organizations.current,
    isOneOfSeveral: true,
    cause: store.cause,
    now: Date.now(),
    hasDashboard: true,
    impact,
    memory,
    muteEntries,
    owners,
  };
  const rows = listed.map((deployment) => graph.row(deployment.id));
  const position = { file: words.fileName, line: 1, column: 1 };
  const { baseUrl } = organizations.current!;
  const list = new List({
    exit: { trackFileWork: (work) => work },
    redact: (text) => text,
    now: Date.now(),
    ignoresMutes: false,
  });
  const { entries } = muteEntries.current;
  list.mutes = new CheckMutes({
    scopes: [{ entries, deploymentIds: undefined }],
    positions: new Map(entries.map((entry) => [entry, position])),
    now: Date.now(),
  });
  for (const one of listed) {
    list.positions.set(one.id, position);
    for (const { account } of one.answer?.findings.accounts ?? []) {
      const { id = '' } = account;
      const owner = owners.ownerOf({ account: id });
      if (owner !== undefined) list.owners = [...list.owners, new Map([[id, owner]])];
    }
  }
  const output = new Output(listed, {
    list,
    failOn: 'not-satisfied',
    platform: { baseUrl, proxy: undefined, unusedProxy: undefined, hasExtraCertificates: false },
    shared: undefined,
    version: '1.0.0',
  });
  const redact = (text: string) => services.log.redactCopy(text);
  const ownerOf = owners.ownerOf.bind(owners);
  const checked = async () => {
    const certificate = { issuer: words.issuer, validFrom: 0, validTo: 0 };
    const step: ConnectionStep = {
      kind: 'tls',
      role: 'platform',
      host: 'platform.test',
      duration: 1,
      certificate,
    };
    const client: typeof services.client = {
      ...services.client,
      check: async (_target, { onStep }) => {
        onStep?.(step);
        const foreign = { host: words.redirectHost, address: `${words.redirectHost}/login` };
        return { kind: 'redirected', status: 302, target: 'otherHost', foreign };
      },
    };
    await checkConnection({ ...services, client });
    await settle();
    return vscode.window.activeTextEditor!.document.getText().split('\n');
  };
  /** The rows of both views, by deployment and by group. */
  const items = () => {
    const byDeployment = graph.items();
    // The setting lists none of these deployments.
    Object.defineProperty(grouping, 'by', { value: 'group', configurable: true });
    const byGroup = graph.items();
    Reflect.deleteProperty(grouping, 'by');
    return [...byDeployment, ...byGroup];
  };
  /** What the work returns while the group of the first deployment alone is chosen, or all others are. */
  const withMyGroups = async <T>(which: 'first' | 'others', work: () => T) => {
    const [first] = listed;
    const others = listed.map(({ group }) => group).filter((group) => group !== first?.group);
    await myGroups.choose(which === 'first' ? [first?.group] : [...new Set(others)]);
    const done = await work();
    await myGroups.choose([]);
    return done;
  };
  return {
    rows: {
      kind: 'label',
      texts: () => stringsIn(items().flatMap(({ label, description }) => [label, description])),
    },
    'hovers of rows': {
      kind: 'hover',
      texts: () => items().map(({ tooltip }) => valueOf(tooltip)),
    },
    'screen readers': {
      kind: 'plain',
      texts: () => stringsIn(items().map((item) => item.accessibilityInformation?.label)),
    },
    'counts of chosen groups': {
      kind: 'label',
      texts: () =>
        withMyGroups('first', () => {
          const { current } = organizations;
          const { counts, deployments } = myGroups;
          const facts = { counts, deployments, progress: undefined, cause: undefined };
          const { text } = statusSummary({ current, noCurrentReason: undefined }, facts)!;
          const { badge, description }: Partial<vscode.TreeView<unknown>> = graph.view;
          return stringsIn([description, badge?.tooltip, inertLabel(text)]);
        }),
    },
    'hovers in editors': {
      kind: 'hover',
      texts: () =>
        ids.flatMap((one) => {
          const { deployment, account: known } = targets.targetOf(one);
          const hovers = [
            deployment && deploymentHover(deployment, { ...context, isShownByEditor: () => false }),
            known &&
              accountHover(known.finding, known.deployment, {
                ...context,
                isShownByEditor: () => false,
              }),
          ];
          return hovers.map(valueOf);
        }),
    },
    diagnostics: {
      kind: 'plain',
      texts: () => {
        const range = new vscode.Range(0, 0, 0, 1);
        return ids
          .flatMap((one) =>
            reportsOn(one, targets.problemsOf(one), ambiguousNames(listed, memory), impact),
          )
          .map(
            ({ reported, message }) =>
              new ProblemDiagnostic(range, message, vscode.DiagnosticSeverity.Error, reported),
          )
          .flatMap(({ message, code }) => [message, typeof code === 'string' ? code : '']);
      },
    },
    'inlay hints': {
      kind: 'plain',
      texts: async () => {
        const text = 'acc_works';
        const document = await vscode.workspace.openTextDocument({ content: text });
        const references = referencesInLines(targets.index.scan(text, document.languageId), text);
        return labelHints(references, targets, (one) => one).map(({ label }) =>
          typeof label === 'string' ? label : '',
        );
      },
    },
    'quick picks': {
      kind: 'label',
      texts: async () => {
        await graph.app.run('goToDeployment', []);
        await graph.app.run('switchOrganization', []);
        return stringsIn(
          shown.picks.flatMap(({ label, description, detail }) => [label, description, detail]),
        );
      },
    },
    'the status bar’s hover': {
      kind: 'hover',
      texts: () =>
        withMyGroups('first', () => {
          const { cause } = store;
          const { counts, otherCounts } = myGroups;
          const facts = { deployments: listed, counts, cause };
          const ignored = services.ignoredSettings.current;
          return [
            valueOf(statusHover(organizations.current!, facts, memory, { ignored, otherCounts })),
          ];
        }),
    },
    'notifications and questions': {
      kind: 'notification',
      texts: async () => {
        await graph.app.run('removeDeployment', [rows[0], rows]);
        await graph.app.run('muteProblem', [rows[0], [rows[0]]]);
        await graph.app.run('copyId', [rows[0], [rows[0]]]);
        await withMyGroups('others', () => services.reveal(listed[0]!.id));
        await checked();
        return [...shown.messages.flat(), ...shown.placeholders, ...shown.progress].flatMap(
          (text) => text.split('\n'),
        );
      },
    },
    'the log': {
      kind: 'editor',
      texts: async () => {
        const log = new Log(new KnownSecrets());
        for (const line of graph.lines) log.info(line);
        log.warn(`Signed in to ${organizations.current!.name}`);
        const lastLine = `Last line of ${crypto.randomUUID()}`;
        log.warn(lastLine);
        log.show();
        await until('the log', () => shownLog(lastLine) !== undefined);
        const text = shownLog(lastLine)!;
        log.dispose();
        return text.split('\n');
      },
    },
    'the text of Check Connection': { kind: 'editor', texts: checked },
    'the copied text of Check Connection': {
      kind: 'markdown',
      texts: async () => [(await checked()).join('\n')],
    },
    'a copied request': {
      kind: 'markdown',
      texts: () => copiedBy(() => graph.run('copyRequest', rows[0], rows)),
    },
    'the report on one deployment': {
      kind: 'markdown',
      texts: () => [deploymentsReport(listed.slice(0, 1), { redact, memory, ownerOf })],
    },
    'the report on all': {
      kind: 'markdown',
      texts: () => {
        const muteStates = muteEntries.current.statesIn(listed, Date.now());
        const groups = [...new Set(listed.map(({ group }) => group))];
        const report = deploymentsReport(listed, { redact, memory, muteStates, ownerOf, groups });
        return [reportWithIgnored(report, services.ignoredSettings.current, redact)];
      },
    },
    tools: {
      kind: 'plain',
      texts: async () => {
        const { id } = listed[0]!;
        const questions = [
          problemsTool(services).questionFor({}),
          authorizationTool(services).questionFor({ deploymentId: id }),
        ];
        return Promise.all(
          questions.map(async (question) => dataText(await question.read(never), { redact })),
        );
      },
    },
    'the check as text': { kind: 'jobLog', texts: () => [output.inFormat('text', 1)] },
    'the check as annotations': { kind: 'jobLog', texts: () => [output.inFormat('github', 1)] },
    'the check as JSON': { kind: 'jobLog', texts: () => [output.inFormat('json', 1)] },
    'the check’s summary file': { kind: 'markdown', texts: () => [output.summaryFile(1)] },
    'the check’s JUnit file': { kind: 'jobLog', texts: () => [output.junit()] },
    'the check’s summary': { kind: 'markdown', texts: () => [output.stepSummary()] },
  };
}
