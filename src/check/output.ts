import { relative } from 'node:path';
import type { Failure } from '../api/failure.js';
import { countsText } from '../host/text/deployment.js';
import { environmentVariables } from '../host/text/environment.js';
import { failureWords } from '../host/text/failure.js';
import { sentences } from '../host/text/format.js';
import { Causes, causeTable } from '../host/text/report.js';
import { countDeployments, type Deployment } from '../model/deployment.js';
import { inertJson, inertLogLine, shorten } from '../model/inertText.js';
import { severity } from '../model/order.js';
import { problemsResult } from '../model/toolResult.js';
import type { Options } from './arguments.js';
import { type List, placeText } from './list.js';

/** GitHub takes 1 MiB of a summary; a character has three bytes at most. */
const maxSummary = { lines: 1000, chars: 300_000 };
const maxNameChars = 200;

/** What was read, worst first, and how it is written. */
export class Output {
  constructor(
    private readonly deployments: readonly Deployment[],
    private readonly places: List['places'],
    private readonly failOn: Options['failOn'],
    private readonly baseUrl: string,
  ) {}

  get exitCode(): 0 | 1 | 2 {
    const all = this.deployments.map(({ answer }) => answer?.findings);
    const problems = all.flatMap((findings) => findings?.problems ?? []);
    if (problems.some(({ kind }) => kind === 'failedAccount' || this.failOn === 'not-satisfied')) return 1;
    return all.every((findings) => findings?.isIncomplete === false) ? 0 : 2;
  }

  /** One line for each thing that is wrong, worst first. */
  text(): string {
    const lines = this.lines.map(({ place, text }) => (place ? `${placeText(place)}: ${text}` : text));
    return [...lines, this.counts].map(inertLogLine).join('\n');
  }

  /** The same lines as annotations. */
  github(): string {
    const folder = process.env['GITHUB_WORKSPACE'] ?? '.';
    const lines = this.lines.map(({ counts, place, text }) => {
      const file = place && property(relative(folder, place.file).replaceAll('\\', '/'));
      const at = place ? ` file=${file},line=${place.line},col=${place.column}` : '';
      return `::${counts ? 'error' : 'warning'}${at}::${escaped(text)}`;
    });
    return [...lines, inertLogLine(this.counts)].join('\n');
  }

  /** Markdown: the report's table. */
  summary(): string {
    const { rows } = this.causes(this.deployments);
    return [`## Automation Platform: ${this.counts}`, ...causeTable(rows, maxSummary), ''].join('\n');
  }

  /** What the tool `automationPlatform_listProblems` gives, and all of it. `failure`: of all that was not asked any more. */
  json(failure: Failure | undefined): string {
    const error = failure && { error: sentences(this.words(failure).name, this.advice(failure)) };
    return inertJson(problemsResult(this.deployments, { now: Date.now(), redact: (text) => text, ...error }));
  }

  private get counts(): string {
    return countsText(countDeployments(this.deployments));
  }

  private get lines() {
    const lines = this.deployments.flatMap((deployment) =>
      this.causes([deployment]).rows.map(({ state, wrong: [what = '', where], last }) => {
        const wrong = `${shorten(deployment.name, maxNameChars)}: ${what}${where === undefined ? '' : ` (${where})`}.`;
        const counts = state === 'failed' || (state === 'notSatisfied' && this.failOn === 'not-satisfied');
        const text = sentences(wrong, last && last.replace(/\.?$/, '.'));
        return { state, counts, place: this.places.get(deployment.id), text };
      }),
    );
    return lines.toSorted((a, b) => severity(a.state) - severity(b.state));
  }

  private causes(deployments: readonly Deployment[]): Causes {
    const causes = new Causes((failure) => this.advice(failure));
    for (const deployment of deployments) {
      causes.add(deployment);
      if (deployment.answer?.findings.isIncomplete === true) causes.addUnknown(deployment, deployment.answer);
    }
    return causes;
  }

  private words(failure: Failure) {
    const { host } = new URL(this.baseUrl);
    const { baseUrl } = this;
    return failureWords(failure, { id: host, name: host, baseUrl, source: 'environment', hasSessionToken: false });
  }

  private advice(failure: Failure): string {
    return sentences(this.words(failure).means, nextStep(failure));
  }
}

/** What to do where there is no editor. */
function nextStep(failure: Failure): string {
  const { baseUrl, token } = environmentVariables;
  const { HTTPS_PROXY: proxy, NODE_USE_ENV_PROXY: usesProxy } = process.env;
  switch (failure.kind) {
    case 'tokenRejected':
    case 'notPermitted':
      return `Check the token in ${token}.`;
    case 'notFound':
      return `Check the ID, and that ${baseUrl} and ${token} are those of its organization.`;
    case 'invalidId':
      return 'Correct the ID in the list.';
    case 'rateLimited':
    case 'timedOut':
      return 'Allow more time with --timeout, or check the network.';
    case 'redirected':
    case 'unusable':
      return `Check ${baseUrl}.`;
    case 'unreachable':
    case 'connectionLost':
      return proxy && usesProxy !== '1'
        ? 'Set NODE_USE_ENV_PROXY=1 to use the proxy in HTTPS_PROXY.'
        : `Check ${baseUrl} and the network.`;
    default:
      return 'Try again later.';
  }
}

/** Line breaks are visible characters by now. */
function escaped(text: string): string {
  return inertLogLine(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
