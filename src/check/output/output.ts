import { relative, sep } from 'node:path';
import type { Failure } from '../../api/failure.js';
import { notHealthyCounts } from '../../host/text/deployment.js';
import { failureFields } from '../../host/text/failure.js';
import { firstWithMore, joinSentences, listText, numberText } from '../../host/text/format.js';
import { type OwnerOf, ownerIn } from '../../model/entered/owners.js';
import { countDeployments, type Deployment } from '../../model/findings/deployment.js';
import { severity } from '../../model/findings/order.js';
import { inertJson, inertLogLine, shorten } from '../../model/inertText.js';
import { problemsResult } from '../../model/toolResult.js';
import type { FailOn, Options } from '../arguments.js';
import { maxGroupNameChars } from '../list/groups.js';
import type { List } from '../list/list.js';
import { type EntryPosition, type PlacedText, placedText } from '../list/position.js';
import type { SharedFailure } from '../read.js';
import type { End } from '../refusal.js';
import { type ExitCode, exitCodeOf, isWhollyRead } from '../verdict.js';
import { type CheckCausesOptions, SummaryCauses } from './causes.js';
import { type CaseText, junitFile, type TestCase } from './junit.js';
import { type Line, linesOf, maxNameChars } from './lines.js';
import { endMarkdown, type MutedLine, mutedLines } from './muted.js';
import { muteNotes } from './muteNotes.js';
import { type SummaryLimit, summaryMarkdown } from './summary.js';
import { summaryMark } from './summaryMark.js';
import { type CheckedPlatform, FailureTexts } from './words.js';

/** GitHub takes 1 MiB of a summary; a character has three bytes at most. */
const maxStepSummary: SummaryLimit = { lines: 1000, chars: 300_000 };
/** GitHub takes 65,536 characters as the text of an issue, and the summary is not all of it. */
const maxSummaryFile: SummaryLimit = { lines: 1000, chars: 59_000 };

/** A line of the output, with where it belongs in the list. */
interface PlacedLine extends PlacedText {
  readonly isCounted: boolean;
}

interface OutputOptions {
  readonly list: List;
  readonly failOn: FailOn;
  readonly platform: CheckedPlatform;
  /** Why the reader gave up; `undefined` if it did not. */
  readonly shared: SharedFailure | undefined;
  /** The version of the check. */
  readonly version: string;
}

/**
 * What the check says about the deployments that it has read: its exit code, its text in each
 * format, and the content of the files that it writes. main.ts makes one when all deployments are
 * read.
 */
export class Output {
  private readonly failureTexts: FailureTexts;
  private readonly ownerOf: OwnerOf;
  /** What is to be said of mutes that mute nothing. */
  private readonly muteNotes: readonly PlacedText[];
  private readonly mutedLines: readonly MutedLine[];

  /** `deployments`: all that were checked, the worst first. */
  constructor(
    private readonly deployments: readonly Deployment[],
    private readonly options: OutputOptions,
  ) {
    const { list, platform, shared } = options;
    this.failureTexts = new FailureTexts(platform, {
      failure: shared?.isTimeUp === true ? shared.failure : undefined,
      isAnythingRead: deployments.some(({ answer }) => answer !== undefined),
    });
    this.ownerOf = (owned) => ownerIn(list.owners, owned);
    this.mutedLines = mutedLines(deployments, list.mutes);
    this.muteNotes = [...list.malformedMutes, ...muteNotes(deployments, list.mutes)];
  }

  get exitCode(): ExitCode {
    const { deployments } = this;
    const { failOn, list } = this.options;
    const isListComplete = list.errors.length === 0;
    return exitCodeOf({ deployments, failOn, mutes: list.mutes, isListComplete });
  }

  /** `exitCode`: the code that the process ends with. */
  inFormat(format: Options['format'], exitCode: ExitCode): string {
    switch (format) {
      case 'text':
        return this.text(exitCode);
      case 'json':
        return this.json(exitCode);
      case 'github':
        return this.github(exitCode);
    }
  }

  /**
   * Returns the lines, those about mutes, and one with the counts; before them one about owners and
   * mutes.
   */
  text(exitCode: ExitCode): string {
    const texts = [...this.lines(), ...this.mutedLines, ...this.muteNotes];
    const { settingsText } = this.options.list;
    const first = settingsText === undefined ? [] : [settingsText];
    const lines = [...first, ...texts.map(placedText), this.lastLine(exitCode)];
    return lines.map(inertLogLine).join('\n');
  }

  /**
   * Returns the same lines, those before the counts as annotations:
   * "::error file=list.txt,line=3,col=1::Billing sync: …". Their line breaks are replaced by
   * visible characters.
   */
  github(exitCode: ExitCode): string {
    const lines = this.lines().map(({ isCounted, position, text }) =>
      annotation(isCounted ? 'error' : 'warning', text, position),
    );
    const { errors } = this.options.list;
    const listErrors = errors.length > 0 ? [annotationsOf(errors, 'warning')] : [];
    const muted = this.mutedLines.map(({ endsSoon, text, position }) =>
      annotation(endsSoon ? 'warning' : 'notice', text, position),
    );
    const notes = this.muteNotes.map(({ text, position }) => annotation('warning', text, position));
    const lastLine = inertLogLine(this.lastLine(exitCode));
    return [...lines, ...listErrors, ...muted, ...notes, lastLine].join('\n');
  }

  /** Returns Markdown for `$GITHUB_STEP_SUMMARY`: a heading with the counts, and a table. */
  stepSummary(): string {
    return this.summary(maxStepSummary);
  }

  /** Returns the same Markdown for a file, after a line that another program can read. */
  summaryFile(exitCode: ExitCode): string {
    const listed = this.options.list.listed.length;
    const read = this.deployments.filter(isWhollyRead).length;
    const mark = summaryMark({ exitCode, listed, read });
    return `${mark}\n${this.summary(maxSummaryFile)}`;
  }

  /**
   * Returns what the tool `automationPlatform_listProblems` returns, but all of it, after the
   * number of this format and the version of the check.
   */
  json(exitCode: ExitCode): string {
    const { list, shared, version } = this.options;
    const failureFieldsOf = (failure: Failure) =>
      failureFields(failure, (shown) => this.failureTexts.sentences(shown));
    const result = problemsResult(this.deployments, {
      now: Date.now(),
      ownerOf: this.ownerOf,
      memory: list.mutes,
      failed: shared && failureFieldsOf(shared.failure),
      failureFieldsOf,
    });
    return jsonText(version, {
      exitCode,
      groups: unlessEmpty(list.groups),
      settingsFrom: list.settingsFrom,
      listErrors: unlessEmpty(list.errors),
      muteNotes: unlessEmpty(this.muteNotes.map(placedText)),
      ...result,
    });
  }

  /** Returns JUnit XML with a test case for each deployment, and one for errors of the list. */
  junit(): string {
    const cases = this.deployments.map((deployment) => this.testCaseOf(deployment));
    const { errors } = this.options.list;
    if (errors.length === 0) return junitFile(cases);
    const error = { message: 'The list was not read completely.', lines: errors };
    return junitFile([...cases, { name: 'The list of deployments', error }]);
  }

  private testCaseOf(deployment: Deployment): TestCase {
    const { group, id, label } = deployment;
    const name = label === undefined ? id : `${shorten(label, maxNameChars)} (${id})`;
    const named = { name, group };
    const { mutes, positions } = this.options.list;
    const position = positions.get(id);
    const lines = this.linesOf(deployment).map((line) => ({ ...line, position }));
    const muted = mutedLines([deployment], mutes);
    const texts = [...lines, ...muted];
    const [first] = texts;
    if (first === undefined) return named;
    if (lines.some(({ isCounted }) => isCounted))
      return { ...named, failure: caseText(first, texts) };
    const isUnknown = lines.some(({ state }) => state === 'unknown');
    if (isUnknown) return { ...named, error: caseText(first, texts) };
    const [firstMuted] = muted;
    if (firstMuted) return { ...named, skipped: caseText(firstMuted, texts) };
    return { ...named, output: caseText(first, texts) };
  }

  private summary(limit: SummaryLimit): string {
    const { deployments } = this;
    const { errors, mutes } = this.options.list;
    const causes = new SummaryCauses(this.wording).addAll(deployments);
    const muted = new SummaryCauses({ ...this.wording, ownerOf: () => undefined });
    for (const deployment of deployments)
      muted.addMuted(deployment, (problem) => endMarkdown(problem, mutes));
    const content = {
      groups: groupsText(this.options.list.groups),
      counts: this.counts(),
      listErrors: errors,
      causes: causes.rows,
      muted: muted.rows,
      muteNotes: this.muteNotes.map(placedText),
    };
    return summaryMarkdown(content, limit);
  }

  /** "payments, ops: 2 failing, 1 unknown, 17 healthy (exit 1)" */
  private lastLine(exitCode: ExitCode): string {
    return this.ofGroups(`${this.counts()} (exit ${exitCode})`);
  }

  /** "payments, ops: 2 failing"; the text alone without groups. */
  private ofGroups(text: string): string {
    const groups = groupsText(this.options.list.groups);
    return groups === undefined ? text : `${groups}: ${text}`;
  }

  /** "2 failing, 1 unknown, 17 healthy", "1 healthy, the list was not read completely" */
  private counts(): string {
    const counts = countDeployments(this.deployments);
    const texts = [...notHealthyCounts(counts)];
    if (counts.healthy > 0) texts.push(`${numberText(counts.healthy)} healthy`);
    if (this.options.list.errors.length > 0) texts.push('the list was not read completely');
    return listText(texts);
  }

  /**
   * Returns one line for the cause that all unread deployments have in common, and then those of
   * the others, the worst first.
   */
  private lines(): readonly PlacedLine[] {
    const { shared } = this.options;
    const unreadIds = shared?.unreadIds ?? new Set();
    // A single deployment has its name in its own line.
    if (shared === undefined || unreadIds.size < 2) return this.linesOfAll(this.deployments);

    const text = joinSentences(
      this.failureTexts.sentences(shared.failure),
      this.ofGroups(`${numberText(unreadIds.size)} deployments were not read.`),
    );
    const others = this.deployments.filter(({ id }) => !unreadIds.has(id));
    return [{ text, isCounted: false, position: undefined }, ...this.linesOfAll(others)];
  }

  private linesOfAll(deployments: readonly Deployment[]): readonly PlacedLine[] {
    const { positions } = this.options.list;
    const lines = deployments.flatMap((deployment) => {
      const position = positions.get(deployment.id);
      return this.linesOf(deployment).map((line) => ({ ...line, position }));
    });
    return lines.toSorted((a, b) => severity(a.state) - severity(b.state));
  }

  private linesOf(deployment: Deployment): readonly Line[] {
    return linesOf(deployment, { ...this.wording, failOn: this.options.failOn });
  }

  /** What decides about the words of causes. */
  private get wording(): CheckCausesOptions {
    return {
      ownerOf: this.ownerOf,
      mutes: this.options.list.mutes,
      meaningAndStep: (failure) => this.failureTexts.meaningAndStep(failure),
    };
  }
}

/** How many of the groups that were asked for are named. */
const maxGroups = 5;

/** "payments, ops"; `undefined` without any group. */
function groupsText(groups: readonly string[]): string | undefined {
  if (groups.length === 0) return undefined;
  return listText(firstWithMore(groups, maxGroups, (name) => shorten(name, maxGroupNameChars)));
}

/** The texts of a test case. `first`: what its message is. */
function caseText(first: PlacedText, texts: readonly PlacedText[]): CaseText {
  return { message: first.text, lines: texts.map(placedText) };
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** It rises when a field goes or changes its meaning (docs/promises.md). */
const jsonFormat = 1;

/** Returns JSON that begins with the number of its format and the version of the check. */
function jsonText(version: string, fields: object): string {
  return inertJson({ format: jsonFormat, check: version, ...fields });
}

/** Returns JSON that says why nothing was checked. */
export function jsonWithoutVerdict(version: string, { exitCode, reason, details }: End): string {
  const listErrors = details.length > 0 ? details : undefined;
  return jsonText(version, { exitCode, error: reason, listErrors });
}

/** How many annotations GitHub shows of one step and level. */
const maxAnnotations = 10;

/** Returns an annotation for each sentence, and one that counts those that are too many. */
export function annotationsOf(
  sentences: readonly string[],
  level: 'error' | 'warning' = 'error',
): string {
  const lines = firstWithMore(sentences, maxAnnotations, (sentence) => sentence);
  return lines.map((line) => annotation(level, line)).join('\n');
}

/** "::error file=list.txt,line=3,col=1::Billing sync: …" */
function annotation(
  level: 'error' | 'notice' | 'warning',
  text: string,
  position?: EntryPosition,
): string {
  const location = position ? ` ${annotationLocation(position)}` : '';
  return `::${level}${location}::${inertLogLine(text).replaceAll('%', '%25')}`;
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
