import { relative, sep } from 'node:path';
import type { Failure } from '../api/failure.js';
import { CauseRows, causeTable } from '../host/text/causeTable.js';
import { allCountsText } from '../host/text/deployment.js';
import { failureFields, failureWords } from '../host/text/failure.js';
import { joinSentences } from '../host/text/format.js';
import { shortName } from '../model/deploymentNames.js';
import { countDeployments, type Deployment } from '../model/findings/deployment.js';
import { severity } from '../model/findings/order.js';
import { inertJson, inertLogLine } from '../model/inertText.js';
import { problemsResult } from '../model/toolResult.js';
import type { List } from './list.js';
import { nextStep } from './nextStep.js';
import type { EnvironmentProxy } from './proxy.js';

/** GitHub takes 1 MiB of a summary; a character has three bytes at most. */
const maxSummary = { lines: 1000, chars: 300_000 };

export class Output {
  constructor(
    private readonly deployments: readonly Deployment[],
    private readonly places: List['places'],
    private readonly failOn: 'failed' | 'not-satisfied',
    private readonly target: {
      readonly baseUrl: string;
      readonly proxy: EnvironmentProxy | undefined;
    },
  ) {}

  get exitCode(): 0 | 1 | 2 {
    const all = this.deployments.map(({ answer }) => answer?.findings);
    const problems = all.flatMap((findings) => findings?.problems ?? []);
    if (problems.some(({ kind }) => kind === 'failedAccount' || this.failOn === 'not-satisfied'))
      return 1;
    return all.every((findings) => findings?.isIncomplete === false) ? 0 : 2;
  }

  text(): string {
    const lines = this.lines.map(({ place, text }) =>
      place ? `${place.join(':')}: ${text}` : text,
    );
    return [...lines, this.counts].map(inertLogLine).join('\n');
  }

  /** The same lines as annotations. Line breaks are visible characters by then. */
  github(): string {
    const folder = process.env['GITHUB_WORKSPACE'] ?? '.';
    const lines = this.lines.map(({ counts, place, text }) => {
      const [file = '', line, column] = place ?? [];
      const path = inertLogLine(relative(folder, file).replaceAll(sep, '/')).replace(
        /[%:,]/g,
        encodeURIComponent,
      );
      const at = place ? ` file=${path},line=${line},col=${column}` : '';
      return `::${counts ? 'error' : 'warning'}${at}::${inertLogLine(text).replaceAll('%', '%25')}`;
    });
    return [...lines, inertLogLine(this.counts)].join('\n');
  }

  summary(): string {
    const { rows } = this.causes(this.deployments);
    return [`## Automation Platform: ${this.counts}`, ...causeTable(rows, maxSummary), ''].join(
      '\n',
    );
  }

  /** What the tool `automationPlatform_listProblems` gives, and all of it. `failure`: of all that was not asked any more. */
  json(failure: Failure | undefined): string {
    const failed = failure && failureFields(failure, (ours) => this.sentence(ours, true));
    return inertJson(
      problemsResult(this.deployments, { now: Date.now(), ...(failed && { failed }) }),
    );
  }

  private get counts(): string {
    return allCountsText(countDeployments(this.deployments));
  }

  private get lines() {
    const lines = this.deployments.flatMap((deployment) =>
      this.causes([deployment]).rows.map(
        ({ state, descriptionParts: [what = '', where], lastColumn: last }) => {
          const wrong = `${shortName(deployment, 200)}: ${what}${where === undefined ? '' : ` (${where})`}.`;
          const counts =
            state === 'failed' || (state === 'notSatisfied' && this.failOn === 'not-satisfied');
          const text = joinSentences(wrong, last && last.replace(/\.?$/, '.'));
          return { state, counts, place: this.places.get(deployment.id), text };
        },
      ),
    );
    return lines.toSorted((a, b) => severity(a.state) - severity(b.state));
  }

  private causes(deployments: readonly Deployment[]): CauseRows {
    const causes = new CauseRows({
      nextStep: (failure) => this.sentence(failure),
      unknownStep: 'Look in the dashboard.',
    });
    for (const deployment of deployments) {
      causes.add(deployment);
      if (deployment.answer?.findings.isIncomplete === true)
        causes.addUnknown(deployment, deployment.answer);
    }
    return causes;
  }

  /** What it means and what to do, `isNamed` behind its name. */
  private sentence(failure: Failure, isNamed = false): string {
    const { baseUrl, proxy } = this.target;
    const { host: id } = new URL(baseUrl);
    const organization = {
      id,
      name: id,
      baseUrl,
      source: 'environment',
      hasSessionToken: false,
    } as const;
    const { name, means, doubt } = failureWords(failure, organization);
    const isSameHost = failure.kind === 'redirected' && failure.target === 'sameHost';
    const where = isSameHost && failure.foreign ? `It leads to ${failure.foreign.address}.` : '';
    return joinSentences(isNamed ? name : where, means, nextStep(failure, proxy), doubt);
  }
}
