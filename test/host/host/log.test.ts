import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ApiError } from '../../../src/api/failure.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { UserError } from '../../../src/host/actions.js';
import { showErrors } from '../../../src/host/errors.js';
import { certificatesLine, Log, requestLine } from '../../../src/host/log.js';
import { until } from '../../support/window/editors.js';
import { recordWindow, type Shown } from '../../support/window/windowRecorder.js';

/** The text of the output channel once it has what the log was just given. */
async function outputWith(part: string): Promise<string> {
  let text = '';
  await until('the log', () => {
    const outputs = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'output');
    text = outputs.map((output) => output.getText()).join('\n');
    return text.includes(part);
  });
  return text;
}

describe('the log', () => {
  // Five channels of one name, each shown and gone at once, kept VS Code from showing the log of later tests.
  let log: Log;
  before(() => {
    const secrets = new KnownSecrets();
    secrets.add('tok-1234567890');
    log = new Log(secrets);
    log.show();
  });
  after(() => log.dispose());

  it('redacts secrets', async () => {
    log.warnOnce('redacted tok-1234567890 here');
    const output = await outputWith('redacted');
    assert.match(output, /redacted \[redacted\] here/);
    assert.doesNotMatch(output, /tok-1234567890/);
  });

  it('keeps a message of several lines on one line', async () => {
    log.warnOnce('line one\nline two');
    assert.match(await outputWith('line one'), /line one.*line two/);
  });

  it('makes an invisible character visible', async () => {
    log.warnOnce('left\u202eright');
    assert.match(await outputWith('left'), /left⟨U\+202E⟩right/);
  });

  it('breaks a link to keep VS Code from opening its address', async () => {
    log.warnOnce('link https://evil.example');
    assert.match(await outputWith('link'), /link https: \/\/evil\.example/);
  });

  it('has a warning once that is given again and again', async () => {
    log.warnOnce('repeated');
    log.warnOnce('repeated');
    log.warnOnce('the end');
    const output = await outputWith('the end');
    assert.deepEqual(output.match(/repeated/g), ['repeated']);
  });
});

describe('the log line of a request', () => {
  const host = 'host.example:8443';
  const read = {
    method: 'GET',
    template: '/x/{id}',
    host,
    bytes: 2100,
    duration: 34.4,
    attempts: 1,
  } as const;
  it('has method, path, status, size, duration, and host', () => {
    const line = requestLine({ ...read, status: 200 });
    assert.equal(line, 'GET /x/{id} 200, 2100 B, 34 ms, host.example:8443');
  });

  it('has the kind of failure after the status of an unusable answer', () => {
    const failure = { kind: 'unusable', reason: 'notJson', status: 200 } as const;
    const line = requestLine({ ...read, status: 200, failure });
    assert.match(line, / 200 unusable,/);
  });

  it('has the number of attempts when there were several', () => {
    const failure = { kind: 'timedOut', after: 30_000 } as const;
    const line = requestLine({ ...read, failure, attempts: 3 });
    assert.match(line, / timedOut, .*, 3 attempts, host/);
  });
});

describe('the log line of trusted certificates', () => {
  it('names those of VS Code when the machine’s were not read', () => {
    const line = certificatesLine('ETIMEDOUT', false);
    assert.match(line, /not read \(ETIMEDOUT\)\. Until they are, only those that VS Code/);
  });

  it('names the former ones when reading again fails', () => {
    const line = certificatesLine('ENOMEM', true);
    assert.match(line, /not read \(ENOMEM\)\. Those that were read before are still/);
  });
});

describe('showErrors()', () => {
  let shown: Shown;
  let lines: string[];
  let log: Parameters<typeof showErrors>[0];
  beforeEach(() => {
    shown = recordWindow();
    lines = [];
    const write = (line: string) => lines.push(line);
    log = { warn: write, error: write, redact: (text) => text };
  });

  const show = (error: Error) =>
    showErrors(log, async () => {
      throw error;
    });

  it('returns the result of the work', async () => {
    const result = await showErrors(log, async () => 'result');
    assert.equal(result, 'result');
  });

  it('returns nothing when the work fails', async () => {
    const result = await show(new UserError('Not signed in.'));
    assert.equal(result, undefined);
  });

  it('shows the message of an error, and logs its English line', async () => {
    await show(new UserError('Der Link wurde nicht geöffnet.', [], 'A link was refused'));
    assert.deepEqual(shown.messages, [['error', 'Der Link wurde nicht geöffnet.']]);
    assert.deepEqual(lines, ['A link was refused']);
  });

  it('logs nothing of an error without an English line', async () => {
    await show(new UserError('Sie sind nicht angemeldet.'));
    assert.deepEqual(shown.messages, [['error', 'Sie sind nicht angemeldet.']]);
    assert.deepEqual(lines, []);
  });

  it('shows and logs an unexpected error', async () => {
    await show(new Error('not foreseen'));
    const message = 'Unexpected error: not foreseen. See the log for details.';
    assert.deepEqual(shown.messages, [['error', message, 'Show Log']]);
    assert.match(lines.join('\n'), /^Error: not foreseen at /);
  });

  for (const [what, error] of [
    ['by the user', new vscode.CancellationError()],
    ['of a request', new ApiError({ kind: 'cancelled' })],
  ] as const) {
    it(`neither shows nor logs a cancellation: ${what}`, async () => {
      await show(error);
      assert.deepEqual(shown.messages, []);
      assert.deepEqual(lines, []);
    });
  }
});
