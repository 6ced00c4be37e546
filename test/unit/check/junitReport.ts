/** JUnit files as a CI system reads them: parsed by the rules of XML 1.0. */
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { SaxesParser } from 'saxes';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** How a test case ended. A case without an element has passed. */
export type Outcome = 'failure' | 'error' | 'skipped' | 'system-out' | 'passed';

export interface ReportedCase {
  readonly classname: string | undefined;
  readonly name: string | undefined;
  readonly outcome: Outcome;
  /** The attribute `message` of the outcome. */
  readonly message: string | undefined;
  /** The content of the outcome. */
  readonly text: string;
}

export interface JunitReport {
  /** The attributes of `testsuite`. */
  readonly suite: Readonly<Record<string, string>>;
  readonly cases: readonly ReportedCase[];
}

export async function readJunit(path: string): Promise<JunitReport> {
  // A decoder that is fatal throws for bytes that are not UTF-8.
  const xml = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  return parseJunit(xml);
}

/** Throws for what is not well-formed, and for elements that a JUnit file does not have. */
export function parseJunit(xml: string): JunitReport {
  const root = parseXml(xml);
  assert.equal(root.name, 'testsuites');
  assert.equal(root.children.length, 1, 'the number of suites');
  const suite = root.children[0]!;
  assert.equal(suite.name, 'testsuite');
  return { suite: suite.attributes, cases: suite.children.map(caseOf) };
}

/** "failure, passed, error": the outcomes of the cases in their order. */
export function outcomesOf({ cases }: JunitReport): string {
  return cases.map(({ outcome }) => outcome).join(', ');
}

const outcomes = ['failure', 'error', 'skipped', 'system-out'] as const;

function caseOf({ name, attributes, children }: Element): ReportedCase {
  assert.equal(name, 'testcase');
  assert.ok(children.length <= 1, `${children.length} outcomes of one case`);
  const [child] = children;
  const outcome = child ? outcomes.find((known) => known === child.name) : 'passed';
  assert.ok(outcome, `a test case with <${child?.name}>`);
  const { classname, name: caseName } = attributes;
  const { message } = child?.attributes ?? {};
  return { classname, name: caseName, outcome, message, text: child?.text ?? '' };
}

function parseXml(xml: string): Element {
  // The parser takes the first half of a surrogate pair and whatever follows for a character.
  assert.doesNotMatch(xml, /\p{Surrogate}/u);
  const document: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  // Without a listener for errors, the parser throws them.
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.write(xml).close();
  return document.children[0]!;
}
