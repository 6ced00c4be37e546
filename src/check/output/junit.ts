import { inertLogLine, shorten } from '../../model/inertText.js';

/** What a test case says. Both texts are made inert when they are written. */
export interface CaseText {
  /** The first sentence that a report shows; it may be cut. */
  readonly message: string;
  /** All that there is to say, a line each. */
  readonly lines: readonly string[];
}

/**
 * A deployment in a JUnit file, or what the check says of its run as a whole. Without any text the
 * case has passed.
 */
export interface TestCase {
  readonly name: string;
  /** The group of the deployment; `undefined` without one. */
  readonly group?: string | undefined;
  /** At least one problem that counts. */
  readonly failure?: CaseText;
  /** What could not be read. */
  readonly error?: CaseText;
  /** Why nothing was checked, if that is no error. */
  readonly skipped?: CaseText;
  /** Problems that do not count: the case has passed. */
  readonly output?: CaseText;
}

const suiteName = 'automation-platform';
const maxMessageChars = 200;

/**
 * Returns a JUnit file, XML that CI systems show as a report of tests: one suite with these cases.
 */
export function junitFile(cases: readonly TestCase[]): string {
  const count = (kind: OutcomeKind): number =>
    cases.filter((one) => outcomeOf(one) === kind).length;
  const suite = attributes({
    name: suiteName,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  });
  const names = uniqueNames(cases);
  const elements = cases.map((one, index) => caseElement(one, names[index]!));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `<testsuite${suite}>`,
    ...elements,
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

type OutcomeKind = Exclude<keyof TestCase, 'name' | 'group' | 'output'>;

/** The outcomes that a case can have besides passing, the one that counts most first. */
const outcomeKinds: readonly OutcomeKind[] = ['failure', 'error', 'skipped'];

/** Returns `undefined` for a case that has passed. */
function outcomeOf(testCase: TestCase): OutcomeKind | undefined {
  return outcomeKinds.find((kind) => testCase[kind]);
}

function caseElement(testCase: TestCase, name: string): string {
  const start = `<testcase${attributes({ classname: classNameOf(testCase), name })}`;
  const content = caseContent(testCase);
  return content === undefined ? `${start}/>` : `${start}>${content}</testcase>`;
}

/**
 * "automation-platform.payments", "automation-platform" without a group. CI systems divide the name
 * at its dots.
 */
function classNameOf({ group }: TestCase): string {
  return group === undefined
    ? suiteName
    : `${suiteName}.${inertLogLine(group.replaceAll('.', '_'))}`;
}

/** Returns `undefined` for a case that has passed and has nothing to say. */
function caseContent(testCase: TestCase): string | undefined {
  const kind = outcomeOf(testCase);
  const text = kind && testCase[kind];
  if (kind && text) {
    const message = shorten(inertLogLine(text.message), maxMessageChars);
    return `<${kind}${attributes({ message, type: kind })}>${contentOf(text)}</${kind}>`;
  }
  const { output } = testCase;
  return output && `<system-out>${contentOf(output)}</system-out>`;
}

function contentOf({ lines }: CaseText): string {
  return escaped(lines.map(inertLogLine).join('\n'));
}

/** ' name="Billing sync" tests="3"'. `values`: texts that are inert, and numbers. */
function attributes(values: Readonly<Record<string, string | number>>): string {
  const texts = Object.entries(values).map(
    ([name, value]) => ` ${name}="${escaped(String(value))}"`,
  );
  return texts.join('');
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Matches what XML 1.0 does not allow as a character ("Char"), lone surrogates too. */
const notAllowed = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Returns the text as content or as the value of an attribute in double quotes. */
function escaped(text: string): string {
  return text.replace(notAllowed, '\uFFFD').replace(/[&<>"]/g, (mark) => references[mark]!);
}

/**
 * Returns the names of the cases as they are written, so that CI systems, which know a case by its
 * name, do not take two for one: "Billing sync (dep_1)", and another of this name as "… #2".
 */
function uniqueNames(cases: readonly TestCase[]): readonly string[] {
  const taken = new Set<string>();
  return cases.map(({ name }) => {
    const written = inertLogLine(name).replace(notAllowed, '\uFFFD');
    let unique = written;
    for (let nth = 2; taken.has(unique); nth += 1) unique = `${written} #${nth}`;
    taken.add(unique);
    return unique;
  });
}
