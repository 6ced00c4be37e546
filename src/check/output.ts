import { relative, sep } from 'node:path';
import type { Failure } from '../api/failure.js';
import { type CauseRow, CauseRows, causeTable } from '../host/text/causeTable.js';
import { allCountsText } from '../host/text/deployment.js';
import { failureFields, failureWords } from '../host/text/failure.js';
import { joinSentences } from '../host/text/format.js';
import { shortName } from '../model/deploymentNames.js';
import { countDeployments, type Deployment } from '../model/findings/deployment.js';
import { type State, severity } from '../model/findings/order.js';
import { inertJson, inertLogLine } from '../model/inertText.js';
import { problemsResult } from '../model/toolResult.js';
import type { FailOn, Options } from './arguments.js';
import { type EntryPosition, type List, positionText } from './list.js';
import { nextStepAfter } from './nextStep.js';
import type { EnvironmentProxy } from './proxy.js';

/** GitHub takes 1 MiB of a summary; a character has three bytes at most. */
const maxSummary = { lines: 1000, chars: 300_000 };
const maxNameChars = 200;

/** Where the deployments were read from. */
interface CheckedPlatform {
  readonly baseUrl: string;
  readonly proxy: EnvironmentProxy | undefined;
}

/** What is wrong with one deployment, or what is unknown about it. */
interface OutputLine {
  readonly state: State;
  /** Whether it makes the check fail. */
  readonly isFailing: boolean;
  /** `undefined` if the deployment was not listed in a file. */
  readonly position: EntryPosition | undefined;
  /** "Billing sync: Finance Slack failed (token_revoked). Reconnect Finance Slack." */
  readonly text: string;
}

/**
 * What the check says about the deployments that it has read: its exit code, its text in each
 * format, and the summary for GitHub. main.ts makes one when all deployments are read.
 */
export class Output {
  constructor(
    private readonly deployments: readonly Deployment[],
    private readonly positions: List['positions'],
    private readonly failOn: FailOn,
    private readonly platform: CheckedPlatform,
  ) {}

  /** 1 for a problem that counts by `failOn`, else 2 if something is unknown, else 0. */
  get exitCode(): 0 | 1 | 2 {
    const findingsOfAll = this.deployments.map(({ answer }) => answer?.findings);
    const problems = findingsOfAll.flatMap((findings) => findings?.problems ?? []);
    const hasFailure = problems.some(
      ({ kind }) => kind === 'failedAccount' || this.failOn === 'not-satisfied',
    );
    if (hasFailure) return 1;
    const isAllKnown = findingsOfAll.every((findings) => findings?.isIncomplete === false);
    return isAllKnown ? 0 : 2;
  }

  /** `failure`: why the reading was given up, for JSON. */
  inFormat(format: Options['format'], failure: Failure | undefined): string {
    switch (format) {
      case 'text':
        return this.text();
      case 'json':
        return this.json(failure);
      case 'github':
        return this.github();
    }
  }

  /** Returns a line for each problem and each thing that is unknown, and one with the counts. */
  text(): string {
    const lines = this.lines().map(({ position, text }) =>
      position ? `${positionText(position)}: ${text}` : text,
    );
    return [...lines, this.counts()].map(inertLogLine).join('\n');
  }

  /**
   * Returns the same lines, those before the counts as annotations:
   * "::error file=list.txt,line=3,col=1::Billing sync: …". Their line breaks are replaced by
   * visible characters.
   */
  github(): string {
    const lines = this.lines().map(({ isFailing, position, text }) => {
      const level = isFailing ? 'error' : 'warning';
      const location = position ? ` ${annotationLocation(position)}` : '';
      return `::${level}${location}::${inertLogLine(text).replaceAll('%', '%25')}`;
    });
    return [...lines, inertLogLine(this.counts())].join('\n');
  }

  /** Returns Markdown: a heading with the counts, and a table of the causes. */
  summary(): string {
    const { rows } = this.causes(this.deployments);
    const heading = `## Automation Platform: ${this.counts()}`;
    return [heading, ...causeTable(rows, maxSummary), ''].join('\n');
  }

  /**
   * Returns what the tool `automationPlatform_listProblems` returns, but all of it. `failure`: why
   * the reading was given up.
   */
  json(failure: Failure | undefined): string {
    const failed = failure && failureFields(failure, (shown) => this.failureText(shown));
    return inertJson(problemsResult(this.deployments, { now: Date.now(), failed }));
  }

  /** "2 failing, 1 unknown" */
  private counts(): string {
    return allCountsText(countDeployments(this.deployments));
  }

  /** Returns the lines of all deployments, the worst first. */
  private lines(): readonly OutputLine[] {
    const lines = this.deployments.flatMap((deployment) => {
      const { rows } = this.causes([deployment]);
      return rows.map((row) => this.lineOf(deployment, row));
    });
    return lines.toSorted((a, b) => severity(a.state) - severity(b.state));
  }

  private lineOf(deployment: Deployment, row: CauseRow): OutputLine {
    const { state, descriptionParts, nextStep } = row;
    const [what = '', detail] = descriptionParts;
    const description = detail === undefined ? what : `${what} (${detail})`;
    const problem = `${shortName(deployment, maxNameChars)}: ${description}.`;
    const nextSentence = nextStep && nextStep.replace(/\.?$/, '.');

    const countsNotSatisfied = this.failOn === 'not-satisfied';
    return {
      state,
      isFailing: state === 'failed' || (state === 'notSatisfied' && countsNotSatisfied),
      position: this.positions.get(deployment.id),
      text: joinSentences(problem, nextSentence),
    };
  }

  /**
   * Collects what is wrong or unknown. An answer that could not be read wholly has a row of its own
   * beside those of its problems.
   */
  private causes(deployments: readonly Deployment[]): CauseRows {
    const causes = new CauseRows({
      nextStep: (failure) => this.meaningAndStep(failure),
      unknownStep: 'Look in the dashboard.',
    });
    for (const deployment of deployments) {
      const { answer } = deployment;
      causes.add(deployment);
      if (answer?.findings.isIncomplete === true) causes.addUnknown(deployment, answer);
    }
    return causes;
  }

  /** "Not found (404). The deployment was probably deleted, or … Check the ID, …" */
  private failureText(failure: Failure): string {
    const { name, meaning, doubt } = this.wordsOf(failure);
    return joinSentences(name, meaning, nextStepAfter(failure, this.platform.proxy), doubt);
  }

  /** The text without the failure's name: "It leads to host.example/login. The token has …" */
  private meaningAndStep(failure: Failure): string {
    const { meaning, doubt } = this.wordsOf(failure);
    const isSameHost = failure.kind === 'redirected' && failure.target === 'sameHost';
    const target = isSameHost ? failure.foreign : undefined;
    const targetSentence = target ? `It leads to ${target.address}.` : '';
    return joinSentences(
      targetSentence,
      meaning,
      nextStepAfter(failure, this.platform.proxy),
      doubt,
    );
  }

  private wordsOf(failure: Failure) {
    const { baseUrl } = this.platform;
    const { host } = new URL(baseUrl);
    return failureWords(failure, {
      id: host,
      name: host,
      baseUrl,
      source: 'environment',
      hasSessionToken: false,
    });
  }
}

/**
 * "file=deploy/list.txt,line=3,col=1": the path is relative to GitHub's folder, and encoded where
 * it would end the field.
 */
function annotationLocation({ file, line, column }: EntryPosition): string {
  const folder = process.env['GITHUB_WORKSPACE'] ?? '.';
  const path = inertLogLine(relative(folder, file).replaceAll(sep, '/'));
  const encodedPath = path.replace(/[%:,]/g, encodeURIComponent);
  return `file=${encodedPath},line=${line},col=${column}`;
}
