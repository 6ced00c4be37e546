import { constants } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { KnownSecrets } from '../api/secrets.js';
import { proxyAddressAdvice } from '../host/text/connection.js';
import { environmentOrganization, environmentToken } from '../host/text/environment.js';
import { inertJson, inertLogLine } from '../model/inertText.js';
import { readOptions } from './arguments.js';
import { Exit } from './exit.js';
import { List } from './list.js';
import { Output } from './output.js';
import { canUseProxies, environmentProxy, isToldToUseProxies } from './proxy.js';
import { Reader } from './read.js';
import { Refusal, WrongArguments } from './refusal.js';

/** esbuild.js puts usage.txt here. */
declare const usage: string;
/** One constant, because esbuild.js puts the whole text wherever `usage` stands. */
const helpText = usage;
const { env, stderr, stdout } = process;
const secrets = new KnownSecrets();
const redact = (text: string) => secrets.redactData(text);
const exit = new Exit((error) => {
  report(error instanceof Error ? error.message : String(error));
  if (error instanceof WrongArguments) stderr.write(helpText);
});
/** A drive may not answer at all. */
const maxSummaryMs = 10_000;

try {
  await run();
  exit.whenWritten();
} catch (error) {
  exit.fail(error);
}

async function run(): Promise<void> {
  const { kind, token } = environmentToken(env);
  // Before the arguments are read: the sentence about a wrong one names it.
  secrets.add(token);
  const { failOn, format, help, ids, lists, skipsWithoutToken, timeoutMs } = readOptions(
    process.argv.slice(2),
  );
  if (help) return write(0, helpText);
  const nodeVersion = readNodeVersion();
  if ((kind === 'empty' || kind === 'placeholder') && skipsWithoutToken) {
    const skipped = 'Skipped: no token. Nothing was checked.';
    return write(0, format === 'json' ? inertJson({ error: skipped }) : skipped);
  }
  const target = readTarget(nodeVersion);
  const reader = new Reader(target, secrets, timeoutMs);
  const { listed, places, errors } = await readList(ids, lists, reader);
  let left = listed.length;
  const deployments = await reader.readAll(listed, () => {
    if (stderr.isTTY)
      stderr.write(
        `\r\u001b[K${--left > 0 ? `Reading ${listed.length - left} of ${listed.length}` : ''}`,
      );
  });
  const output = new Output(deployments, places, failOn, target);
  // An entry that can't be read may be a deployment.
  const exitCode = output.exitCode || (errors.length > 0 ? 2 : 0);
  write(exitCode, format === 'json' ? output.json(reader.gaveUp) : output[format]());
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (format === 'github' && summary) await writeSummary(summary, output);
}

async function readList(
  ids: readonly string[],
  files: readonly string[],
  { timeUp }: Reader,
): Promise<List> {
  const list = new List(redact);
  const tooLate = timeUp.then(() => {
    throw new Refusal(
      2,
      'The time was up before the list was read. Allow more time with --timeout.',
    );
  });
  await Promise.race([exit.track(list.read(ids, files)), tooLate]).finally(() =>
    [...list.notes, ...list.errors].forEach(report),
  );
  if (list.listed.length > 0) return list;
  if (list.errors.length > 0) throw new Refusal(2, 'Nothing was checked.');
  throw new Refusal(3, 'Nothing to check: no deployments are listed (see --help).');
}

/** `[22, 21]` */
function readNodeVersion(): readonly [number, number] {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 3)) return [major, minor];
  throw new Refusal(64, `This is Node ${node}. Use Node 20.3 or newer.`);
}

function readTarget(nodeVersion: readonly [number, number]) {
  const organization = environmentOrganization(env);
  if (typeof organization !== 'object') {
    const reason = organization ?? 'neither is set. Set both.';
    const isUnfilled = environmentToken(env).kind === 'placeholder';
    const advice = isUnfilled
      ? ' For runs that get no secrets (forks), add --without-token skip.'
      : '';
    throw new Refusal(
      3,
      `Not configured by AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL: ${reason}${advice}`,
    );
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new Refusal(
      3,
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, so Node would send the token to a host with any certificate. ' +
        'Unset it. For a private CA, set NODE_EXTRA_CA_CERTS to a file with its root certificate.',
    );
  }
  const proxy = environmentProxy(organization.baseUrl, env);
  const isMeant = /^https/i.test(proxy?.source ?? '') || isToldToUseProxies(env);
  if (proxy && isMeant && !canUseProxies(nodeVersion)) {
    throw new Refusal(
      64,
      `${proxy.source} is set, which this Node cannot use. Use Node 22.21, 24, or newer, unset it, ` +
        'or add the host of the base URL to NO_PROXY.',
    );
  }
  const isUsed = canUseProxies(nodeVersion) && isToldToUseProxies(env);
  const used = isUsed ? proxy : undefined;
  if (used && 'problem' in used) {
    const { source, problem } = used;
    throw new Refusal(
      3,
      `${source} holds no proxy address that Node can use. ${proxyAddressAdvice(problem, source)}`,
    );
  }
  return { ...organization, organizationId: organization.id, proxy: used };
}

async function writeSummary(file: string, output: Output): Promise<void> {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  // No reader of a FIFO is waited for. Windows has no `O_NONBLOCK`: it is `undefined` there, which is no bit.
  const flag = O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY;
  const tooLate = sleep(maxSummaryMs).then(() => {
    throw new Error('the time was up');
  });
  try {
    const text = redact(output.summary());
    await Promise.race([exit.track(appendFile(file, text, { flag })), tooLate]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report(`The summary was not written to $GITHUB_STEP_SUMMARY: ${reason}.`);
  }
}

function write(exitCode: number, text: string): void {
  const line = `${redact(text.trimEnd())}\n`;
  exit.decide(exitCode);
  stdout.write(line);
}

function report(sentence: string): void {
  stderr.write(`${inertLogLine(redact(sentence))}\n`);
}
