import { appendFileSync } from 'node:fs';
import { KnownSecrets } from '../api/secrets.js';
import { environmentOrganization, environmentVariables } from '../host/text/environment.js';
import { inertJson, inertLogLine } from '../model/inertText.js';
import { Refusal, readOptions, usage } from './arguments.js';
import { List } from './list.js';
import { Output } from './output.js';
import { Reader } from './read.js';

const { env, stderr, stdout } = process;
const secrets = new KnownSecrets();
const redact = (text: string) => secrets.redactData(text);

// Node ends by these signals, but not as the first process of a container.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
// Who reads the output may have read enough (`| head`).
for (const stream of [stdout, stderr]) stream.on('error', () => process.exit());

try {
  await run();
} catch (error) {
  const { code = '', message = String(error) }: { code?: unknown; message?: string } = Object(error);
  const isUsage = String(code).startsWith('ERR_PARSE_ARGS_') || (error instanceof Refusal && error.exitCode === 64);
  process.exitCode = isUsage ? 64 : error instanceof Refusal || code === 'ENOENT' ? 3 : (process.exitCode ?? 0) || 2;
  report(message);
  if (isUsage) stderr.write(usage);
}
stdout.write('', () => process.exit());

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const { failOn, format, ids, timeoutMs } = options;
  if (options.help) return write(0, usage);
  const token = env[environmentVariables.token]?.trim() ?? '';
  if (token === '' && options.skipsWithoutToken) {
    const skipped = 'Skipped: no token. Nothing was checked.';
    return write(0, `${format === 'json' ? inertJson({ error: skipped }) : skipped}\n`);
  }
  secrets.addToken(token);
  refuseUnusableProxy();
  const target = readTarget();
  const { listed, places, errors } = new List(ids, options.list, redact);
  for (const error of errors) report(error);
  if (listed.length === 0) throw new Refusal(3, 'Nothing to check: no deployments are listed (see --help).');
  const reader = new Reader(target, secrets, timeoutMs);
  const deployments = await reader.readAll(listed, (done) => showProgress(done, listed.length));
  const output = new Output(deployments, places, failOn, target.baseUrl);
  // An entry that can't be read may be a deployment.
  const exitCode = output.exitCode || (errors.length > 0 ? 2 : 0);
  write(exitCode, `${format === 'json' ? output.json(reader.gaveUp) : output[format]()}\n`);
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (format === 'github' && summary) appendFileSync(summary, redact(output.summary()));
}

function readTarget() {
  const organization = environmentOrganization(env);
  if (typeof organization === 'object') return { ...organization, organizationId: organization.id };
  const { baseUrl, token } = environmentVariables;
  const reason = organization ?? 'neither is set. Set both.';
  throw new Refusal(3, `Not configured by ${token} and ${baseUrl}: ${reason}`);
}

function refuseUnusableProxy(): void {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major >= 24 || (major === 22 && minor >= 21) || !(env['HTTPS_PROXY'] ?? env['https_proxy'])) return;
  throw new Refusal(
    64,
    `HTTPS_PROXY is set, which Node ${node} cannot use. Use Node 22.21, 24, or newer, or unset it.`,
  );
}

function showProgress(done: number, all: number): void {
  if (stderr.isTTY) stderr.write(`\r\u001b[K${done < all ? `Reading deployments: ${done} of ${all}` : ''}`);
}

function write(exitCode: number, text: string): void {
  // What becomes of the text doesn't change it.
  process.exitCode = exitCode;
  stdout.write(redact(text));
}

function report(sentence: string): void {
  stderr.write(`${inertLogLine(redact(sentence))}\n`);
}
