import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ApiError } from '../../../src/api/failure.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { UserError } from '../../../src/host/actions.js';
import { showErrors } from '../../../src/host/errors.js';
import { certificatesLine, Log, requestLine } from '../../../src/host/log.js';
import { until } from '../../support/window/editors.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

describe('the log', () => {
  it('redacts secrets, keeps each message on one line without a link, and says once what is read again and again', async () => {
    const secrets = new KnownSecrets();
    secrets.add('tok-1234567890');
    const log = new Log(secrets);
    for (const _ of ['read', 'read again'])
      log.warnOnce('before tok-1234567890\nafter\u202e https://evil.example');
    log.show();
    let text = '';
    await until('the log', () => {
      const outputs = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'output');
      text = outputs.map((output) => output.getText()).join('\n');
      return text.includes('before');
    });
    assert.match(text, /before \[redacted\].*after.* https: \/\/evil\.example/);
    assert.equal(text.split('before').length, 2);
    assert.ok(!text.includes('tok-1234567890') && !text.includes('\u202e'), text);
    log.dispose();
  });

  it('has method, path, status, size, duration and host of a request', () => {
    const host = 'host.example:8443';
    const read = {
      method: 'GET',
      template: '/x/{id}',
      host,
      bytes: 2100,
      duration: 34.4,
      attempts: 1,
    } as const;
    const unusable = { kind: 'unusable', reason: 'notJson', status: 200 } as const;
    const timedOut = { kind: 'timedOut', after: 30_000 } as const;
    assert.equal(
      requestLine({ ...read, status: 200 }),
      'GET /x/{id} 200, 2100 B, 34 ms, host.example:8443',
    );
    assert.match(requestLine({ ...read, status: 200, failure: unusable }), / 200 unusable,/);
    assert.match(
      requestLine({ ...read, failure: timedOut, attempts: 3 }),
      / timedOut, .*, 3 attempts, host/,
    );
  });

  it('says which certificates are trusted when those of the machine were not read', () => {
    assert.match(
      certificatesLine('ETIMEDOUT', false),
      /not read \(ETIMEDOUT\)\. Until they are, only those that VS Code/,
    );
    assert.match(
      certificatesLine('ENOMEM', true),
      /not read \(ENOMEM\)\. Those that were read before are still/,
    );
  });

  it('has the English line of an error instead of its message, an unexpected error, and nothing of a cancellation', async () => {
    const shown = recordWindow();
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    const log = { warn: write, error: write, redact: (text: string) => text };
    for (const error of [
      new UserError('Sie sind nicht angemeldet.'),
      new UserError('Der Link wurde nicht geöffnet.', [], 'A link was refused'),
      new vscode.CancellationError(),
      new ApiError({ kind: 'cancelled' }),
      new Error('not foreseen'),
    ]) {
      assert.equal(await showErrors(log, () => Promise.reject(error)), undefined);
    }
    assert.equal(await showErrors(log, async () => 'result'), 'result');
    const [refused, unexpected, ...others] = lines;
    assert.deepEqual([refused, others], ['A link was refused', []]);
    assert.match(unexpected!, /^Error: not foreseen at /);
    assert.deepEqual(shown.messages, [
      ['error', 'Sie sind nicht angemeldet.'],
      ['error', 'Der Link wurde nicht geöffnet.'],
      ['error', 'Unexpected error: not foreseen. See the log for details.', 'Show Log'],
    ]);
  });
});
