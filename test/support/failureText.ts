import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { projectRoot } from './paths.js';

/** An error as Mocha's `json` reporter writes it. `actual` is absent unless the error is an assertion's. */
export interface ReportedError {
  readonly stack?: string;
  readonly message?: string;
  /** Whether Node made the message from the two values. */
  readonly generatedMessage?: boolean;
  readonly actual?: unknown;
  /** The assertion that failed for the counterexample of a fast-check property; the error itself has no values. */
  readonly cause?: unknown;
}

interface Position {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A statement of a test that is longer says no more about its failure. */
const maxStatementLines = 12;

/**
 * What a person reads of a failed test: the error, the value that was found, and the statement that failed,
 * so that the text is enough to know what is wrong.
 */
export function failureText(error: ReportedError): string {
  const { message = '', stack = message } = error;
  const parts = [withoutFramesOfNode(stack)];
  if (!hasValues(error)) parts.push(`actual: ${inspect(error.actual)}`);
  const { cause } = error;
  if (typeof cause === 'object' && cause !== null && 'actual' in cause && 'expected' in cause) {
    const { actual, expected } = cause;
    parts.push(`actual: ${inspect(actual)}\nexpected: ${inspect(expected)}`);
  }
  const statement = failedStatement(stack);
  if (statement !== undefined) parts.push(statement);
  return parts.join('\n\n');
}

function withoutFramesOfNode(stack: string): string {
  const lines = stack.split('\n');
  return lines.filter((line) => !line.includes('(node:internal/')).join('\n');
}

/** Whether the message says which value was found, or there is none. A message of the test's own may say nothing of it. */
function hasValues({ generatedMessage, message = '', ...error }: ReportedError): boolean {
  return generatedMessage !== false || !('actual' in error) || /\+ actual| !== /.test(message);
}

/** "test/unit/model/tree/rows.test.ts:31" with the lines of the statement; `undefined` for a stack without a frame of a test. */
function failedStatement(stack: string): string | undefined {
  const position = positionInTest(stack);
  if (!position) return undefined;
  const lines = readFileSync(position.file, 'utf8')
    .split('\n')
    .slice(position.line - 1, position.line - 1 + maxStatementLines);
  const end = lines.findIndex((line) => line.endsWith(';'));
  const statement = end === -1 ? lines.slice(0, 1) : lines.slice(0, end + 1);
  const where = `${relative(projectRoot, position.file)}:${position.line}`;
  return [where, ...statement].join('\n');
}

/** Where the innermost frame of a test file stands in its source. */
function positionInTest(stack: string): Position | undefined {
  const frame = /(file:\/\/\S+?\.test\.js):(\d+):(\d+)/.exec(stack);
  if (!frame) return undefined;
  const [, url = '', line, column] = frame;
  const mapFile = `${fileURLToPath(url)}.map`;
  if (!existsSync(mapFile)) return undefined;
  const map = new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8')));
  const origin = map.findOrigin(Number(line), Number(column));
  if (!('fileName' in origin)) return undefined;
  const file = fileURLToPath(new URL(origin.fileName, url));
  return { file, line: origin.lineNumber };
}
