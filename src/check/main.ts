import { constants } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { KnownSecrets } from '../api/secrets.js';
import { environmentOrganization } from '../host/text/environment.js';
import { inertJson, inertLogLine } from '../model/inertText.js';
import { readOptions, refusal } from './arguments.js';
import { List } from './list.js';
import { Output } from './output.js';
import { Reader } from './read.js';

/** esbuild.js puts usage.txt here. */
declare const usage: string;
const { env, stderr, stdout } = process;
const secrets = new KnownSecrets();
const redact = (text: string) => secrets.redactData(text);

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => endBy(signal, exitCode));
}
// Who reads the output may have read enough (`| head`).
for (const stream of [stdout, stderr]) stream.on('error', () => process.exit());

try {
  await run();
} catch (error) {
  const { code, exitCode, message = String(error) }: Partial<Record<string, string | number>> = Object(error);
  const isUsage = exitCode === 64 || String(code).startsWith('ERR_PARSE_ARGS_');
  process.exitCode = isUsage ? 64 : (exitCode ?? (process.exitCode || 2));
  report(String(message));
  if (isUsage) stderr.write(usage);
}
stderr.write('', () => stdout.write('', () => process.exit()));

async function run(): Promise<void> {
  const token = env['AUTOMATION_PLATFORM_TOKEN']?.trim() ?? '';
  // Before the arguments are read: the sentence about a wrong one names it.
  secrets.add(token);
  const { failOn, format, help, ids, list, skipsWithoutToken, timeoutMs } = readOptions(process.argv.slice(2));
  if (help) return write(0, usage);
  if (token === '' && skipsWithoutToken) {
    const skipped = 'Skipped: no token. Nothing was checked.';
    return write(0, format === 'json' ? inertJson({ error: skipped }) : skipped);
  }
  const target = readTarget();
  const reader = new Reader(target, secrets, timeoutMs);
  const { listed, places, errors } = await readList(ids, list, reader);
  let left = listed.length;
  const deployments = await reader.readAll(listed, () => {
    if (stderr.isTTY)
      stderr.write(`\r\u001b[K${--left > 0 ? `Reading ${listed.length - left} of ${listed.length}` : ''}`);
  });
  const output = new Output(deployments, places, failOn, target.baseUrl);
  // An entry that can't be read may be a deployment.
  const exitCode = output.exitCode || (errors.length > 0 ? 2 : 0);
  write(exitCode, format === 'json' ? output.json(reader.gaveUp) : output[format]());
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (format === 'github' && summary) await writeSummary(summary, redact(output.summary()));
}

async function readList(ids: readonly string[], file: string | undefined, { timeUp }: Reader): Promise<List> {
  const list = new List(redact);
  const tooLate = timeUp.then(() => {
    throw refusal(2, 'The time was up before the list was read. Allow more time with --timeout.');
  });
  await Promise.race([list.read(ids, file), tooLate]).finally(() => list.errors.forEach(report));
  if (list.listed.length > 0) return list;
  if (list.errors.length > 0) throw refusal(2, 'Nothing was checked.');
  throw refusal(3, 'Nothing to check: no deployments are listed (see --help).');
}

function readTarget() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const canUseProxy = major >= 24 || (major === 22 && minor >= 21);
  if (!canUseProxy && (env['HTTPS_PROXY'] || env['https_proxy']))
    throw refusal(64, 'HTTPS_PROXY is set, which this Node cannot use. Use Node 22.21, 24, or newer, or unset it.');
  const organization = environmentOrganization(env);
  if (typeof organization === 'object') return { ...organization, organizationId: organization.id };
  const reason = organization ?? 'neither is set. Set both.';
  throw refusal(3, `Not configured by AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL: ${reason}`);
}

async function writeSummary(file: string, text: string): Promise<void> {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  try {
    // No reader of a FIFO is waited for. Windows has no `O_NONBLOCK`: it is `undefined` there, which is no bit.
    await appendFile(file, text, { flag: O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report(`The summary was not written to $GITHUB_STEP_SUMMARY: ${reason}.`);
  }
}

/** The exit code first: what becomes of the text doesn't change it. */
function write(exitCode: number, text: string): void {
  process.exitCode = exitCode;
  stdout.write(`${redact(text.trimEnd())}\n`);
}

function report(sentence: string): void {
  stderr.write(`${inertLogLine(redact(sentence))}\n`);
}

/** By the signal itself, because `exit` waits for reads that are on their way, on a network drive that is gone for ever. */
function endBy(signal: NodeJS.Signals, exitCode: number): void {
  // Windows would end it with the exit code 1, which is that of a problem.
  if (process.platform !== 'win32') process.kill(process.pid, signal);
  // The first process of a container does not end by a signal that it does not handle.
  process.exit(exitCode);
}
