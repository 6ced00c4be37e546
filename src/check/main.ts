import { KnownSecrets } from '../api/secrets.js';
import { proxyAddressAdvice } from '../host/text/connection.js';
import {
  environmentOrganization,
  environmentToken,
  missingVariables,
} from '../host/text/environment.js';
import { joinSentences } from '../host/text/format.js';
import { deploymentNames } from '../model/deploymentNames.js';
import { inertLogLine } from '../model/inertText.js';
import { filesInWrongArguments, type NamedFiles, type Options, readOptions } from './arguments.js';
import { Exit } from './exit.js';
import { List } from './list/list.js';
import { placedText } from './list/position.js';
import { Files } from './output/files.js';
import { annotationsOf, jsonWithoutVerdict, Output } from './output/output.js';
import { textWithoutVerdict } from './output/summaryMark.js';
import { canUseProxies, type EnvironmentProxy, environmentProxy, isProxyUseOn } from './proxy.js';
import { Reader } from './read.js';
import { type End, endOf, RefusedCheck, WrongArguments } from './refusal.js';

/** Major and minor version: `[22, 21]`. */
type NodeVersion = readonly [number, number];

/** esbuild.js puts usage.txt here. */
declare const usage: string;
/** esbuild.js puts the version of the package here. */
declare const version: string;
/** One constant, because esbuild.js puts the whole text wherever `usage` stands. */
const helpText = usage;
const { env, stderr, stdout } = process;
const secrets = new KnownSecrets();
const redact = (text: string) => secrets.redactValue(text);
const exit = new Exit((error) => {
  report(endOf(error).reason);
  if (error instanceof WrongArguments) stderr.write(helpText);
});
try {
  await run();
  exit.endWhenWritten();
} catch (error) {
  exit.fail(error);
}

/** Rejects with `RefusedCheck` if nothing can be checked. */
async function run(): Promise<void> {
  const beganAt = performance.now();
  const now = Date.now();
  const nodeVersion = readNodeVersion();
  if (nodeVersion === undefined) return refuseNode();
  const { token } = environmentToken(env);
  // Before the arguments are read: the sentence about a wrong argument repeats the argument.
  secrets.add(token);
  const args = process.argv.slice(2);
  const filesOfWrong = filesOf(filesInWrongArguments(args));
  const options = await orWriteReason(filesOfWrong, () => readOptions(args));
  if (options.help) return decideAndWrite(0, helpText);
  if (options.version) return decideAndWrite(0, version);

  const endsAt = beganAt + options.timeoutMs;
  const files = filesOf(options, endsAt);
  await orWriteReason(files, () => files.begin());
  try {
    await check({ options, files, nodeVersion, now, endsAt });
  } catch (error) {
    await endWithoutVerdict(endOf(error), options.format, files);
    throw error;
  }
}

/** `endsAt`: when the time of the whole run is up, in ms of `performance.now()`. */
function filesOf(
  { junit, summary, lists }: NamedFiles,
  endsAt: number = Number.POSITIVE_INFINITY,
): Files {
  const [, program = ''] = process.argv;
  const stepSummary = env['GITHUB_STEP_SUMMARY'] ?? '';
  const kept = [...lists, program, stepSummary].filter((file) => file !== '');
  return new Files({ paths: { junit, summary }, kept, endsAt, exit, redact, report });
}

/** Settles as the work does. If it fails, the files say why. */
async function orWriteReason<T>(files: Files, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await files.writeWithoutVerdict(endOf(error), 'error');
    throw error;
  }
}

interface CheckOptions {
  readonly options: Options;
  readonly files: Files;
  readonly nodeVersion: NodeVersion;
  /** Epoch ms at which the run began. */
  readonly now: number;
  /** When the time of the whole run is up, in ms of `performance.now()`. */
  readonly endsAt: number;
}

/** Rejects with `RefusedCheck` if nothing can be checked. */
async function check({ options, files, nodeVersion, now, endsAt }: CheckOptions): Promise<void> {
  const { failOn, format, groups, ignoresMutes, skipsWithoutToken } = options;
  const { kind } = environmentToken(env);
  const hasToken = kind !== 'empty' && kind !== 'placeholder';
  if (!hasToken && skipsWithoutToken) return skip(format, files);

  const platform = readTarget(nodeVersion);
  const leftMs = Math.max(endsAt - performance.now(), 1);
  const reader = new Reader(platform, secrets, leftMs);
  const list = new List({ exit, redact, now, ignoresMutes, groups });
  await readList(list, options, reader);
  const { listed, mutes, taken } = list;
  const deployments = await reader.readAll(taken, {
    // A label that another listed deployment has, too, is followed by the ID, whatever is taken.
    names: deploymentNames(listed),
    mutes,
    onRead: progressIn(taken.length),
  });

  const shared = reader.sharedFailure(deployments);
  const output = new Output(deployments, { list, failOn, platform, shared, version });
  const exitCode = await files.write(output.exitCode, {
    junit: () => output.junit(),
    summary: (code) => output.summaryFile(code),
  });
  decideAndWrite(exitCode, output.inFormat(format, exitCode));
  await appendStepSummary(format, files, () => output.stepSummary());
}

/** `makeText`: makes the Markdown to append, if there is a file for it. */
async function appendStepSummary(
  format: Options['format'],
  files: Files,
  makeText: () => string,
): Promise<void> {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (format === 'github' && file) await files.appendStepSummary(file, makeText());
}

/** Writes everywhere why nothing was checked; `exit` only reports it to the user. */
async function endWithoutVerdict(end: End, format: Options['format'], files: Files): Promise<void> {
  await files.writeWithoutVerdict(end, 'error');
  if (format === 'json') decideAndWrite(end.exitCode, jsonWithoutVerdict(version, end));
  if (format === 'github')
    decideAndWrite(end.exitCode, annotationsOf([end.reason, ...end.details]));
  const sentences = [end.reason, ...end.details].map(redact);
  await appendStepSummary(format, files, () => textWithoutVerdict(sentences));
}

/** Ends with 0, because the user wants no error without a token. */
async function skip(format: Options['format'], files: Files): Promise<void> {
  const reason = 'Skipped: no token. Nothing was checked.';
  const end = { exitCode: 0, reason, details: [] };
  const exitCode = await files.writeWithoutVerdict(end, 'skipped');
  const json = jsonWithoutVerdict(version, { ...end, exitCode });
  decideAndWrite(exitCode, format === 'json' ? json : reason);
  await appendStepSummary(format, files, () => textWithoutVerdict([reason]));
}

/**
 * Returns a function to call at the end of each read. In a terminal it shows "Reading 3 of 20", and
 * clears the line after the last read.
 */
function progressIn(count: number): () => void {
  let ended = 0;
  return () => {
    if (!stderr.isTTY) return;
    ended += 1;
    const progress = ended < count ? `Reading ${ended} of ${count}` : '';
    stderr.write(`\r\u001b[K${progress}`);
  };
}

/**
 * Rejects with `RefusedCheck` if the time is up, if the list is empty, or if a group that was asked
 * for is not in it.
 */
async function readList(list: List, { ids, lists }: Options, { timeUp }: Reader): Promise<void> {
  const tooLate = timeUp.then(() => {
    throw new RefusedCheck(
      2,
      'The time was up before the list was read. Allow more time with --timeout.',
    );
  });
  await Promise.race([list.read(ids, lists), tooLate]).finally(() => {
    const hasOutput = refusalOf(list) === undefined;
    // The output says what the malformed mutes are.
    const mutes = hasOutput ? [] : list.malformedMutes.map(placedText);
    for (const sentence of [...list.notes, ...mutes, ...list.errors]) report(sentence);
  });
  const refusal = refusalOf(list);
  if (refusal) throw refusal;
}

/** Returns why nothing of this list can be checked; `undefined` if something can. */
function refusalOf({
  listed,
  unknownGroupsText,
  errors,
  filesWithoutEntries,
}: List): RefusedCheck | undefined {
  const isAllRead = errors.length === filesWithoutEntries;
  const isEmpty = listed.length === 0;
  if (isEmpty && isAllRead) {
    const nothingListed = 'Nothing to check: no deployments are listed (see --help).';
    return new RefusedCheck(3, nothingListed, errors);
  }
  if (isEmpty) return new RefusedCheck(2, 'Nothing was checked.', errors);
  if (unknownGroupsText === undefined) return undefined;
  const reason = `Nothing was checked. ${unknownGroupsText}`;
  return new RefusedCheck(isAllRead ? 3 : 2, reason, errors);
}

/** Returns `undefined` for a Node that is too old for the check. */
function readNodeVersion(): NodeVersion | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > 20 || (major === 20 && minor >= 3);
  return isNewEnough ? [major, minor] : undefined;
}

/**
 * Rejects with `RefusedCheck`. Does not know the token, because an older Node lacks functions that
 * the search for the token calls; so it does not repeat any argument.
 */
async function refuseNode(): Promise<never> {
  const { node } = process.versions;
  const refusal = new RefusedCheck(64, `This is Node ${node}. Use Node 20.3 or newer.`);
  const options = optionsIfRight();
  if (options) {
    await endWithoutVerdict(endOf(refusal), options.format, filesOf(options));
  }
  throw refusal;
}

/** Returns `undefined` for wrong arguments. */
function optionsIfRight(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch {
    return undefined;
  }
}

/** Throws `RefusedCheck` if the environment does not say where to send requests, or how. */
function readTarget(nodeVersion: NodeVersion) {
  const organization = readOrganization();
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new RefusedCheck(
      3,
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, so Node would send the token to a host with any certificate. ' +
        'Unset it. For a private CA, set NODE_EXTRA_CA_CERTS to a file with its root certificate.',
    );
  }
  const { baseUrl } = organization;
  const proxy = readProxy(baseUrl, nodeVersion);
  const unusedProxy = proxy ? undefined : environmentProxy(baseUrl, env)?.source;
  const hasExtraCertificates = Boolean(env['NODE_EXTRA_CA_CERTS']);
  const organizationId = organization.id;
  return { ...organization, organizationId, proxy, unusedProxy, hasExtraCertificates };
}

/** Throws `RefusedCheck` if token and base URL are not both set and usable. */
function readOrganization() {
  const organization = environmentOrganization(env);
  if (typeof organization === 'object') return organization;
  throw new RefusedCheck(
    3,
    `Not configured: ${joinSentences(...configurationSteps(organization))}`,
  );
}

/**
 * ["AUTOMATION_PLATFORM_TOKEN is not set. Set it for this step.", "For runs that get no secrets
 * …"]. `reason`: why the variables cannot be used, if they are set.
 */
function configurationSteps(reason: string | undefined): readonly string[] {
  const missing = missingVariables(env);
  const sentences: string[] = [];
  const [first] = missing;
  if (first === undefined) sentences.push(reason ?? '');
  else if (missing.length === 1) sentences.push(`${first} is not set. Set it for this step.`);
  else sentences.push(`${missing.join(' and ')} are not set. Set both for this step.`);

  const { kind } = environmentToken(env);
  const isWithoutToken = kind === 'empty' || kind === 'placeholder';
  if (isWithoutToken)
    sentences.push('For runs that get no secrets (forks), add --without-token skip.');
  return sentences;
}

/**
 * Returns the proxy that Node uses for the base URL; `undefined` if it uses none. Throws
 * `RefusedCheck` if the user wants a proxy that this Node cannot use.
 */
function readProxy(baseUrl: string, nodeVersion: NodeVersion): EnvironmentProxy | undefined {
  const proxy = environmentProxy(baseUrl, env);
  if (!proxy) return undefined;

  const isWanted = /^https/i.test(proxy.source) || isProxyUseOn(env);
  if (isWanted && !canUseProxies(nodeVersion)) {
    throw new RefusedCheck(
      64,
      `${proxy.source} is set, which this Node cannot use. Use Node 22.21, 24, or newer with ` +
        'NODE_USE_ENV_PROXY=1, unset it, or add the host of the base URL to NO_PROXY.',
    );
  }

  const isUsed = canUseProxies(nodeVersion) && isProxyUseOn(env);
  if (!isUsed) return undefined;
  if ('problem' in proxy) {
    const { source, problem } = proxy;
    throw new RefusedCheck(
      3,
      `${source} holds no proxy address that Node can use. ${proxyAddressAdvice(problem, source)}`,
    );
  }
  return proxy;
}

/** Sets the exit code before the text is written, because the text may not be written at all. */
function decideAndWrite(exitCode: number, text: string): void {
  const line = `${redact(text.trimEnd())}\n`;
  exit.setVerdict(exitCode);
  stdout.write(line);
}

/** Writes a sentence to stderr. */
function report(sentence: string): void {
  stderr.write(`${inertLogLine(redact(sentence))}\n`);
}
