import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ApiError } from '../../../src/api/failure.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { UserError } from '../../../src/host/actions.js';
import { showErrors } from '../../../src/host/errors.js';
import { Log, requestLine } from '../../../src/host/log.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

describe('the log', () => {
  it('redacts secrets, and keeps each message on one line', async () => {
    const secrets = new KnownSecrets();
    secrets.add('tok-1234567890');
    const log = new Log(secrets);
    try {
      log.warn('before tok-1234567890\nafter\u202e');
      log.show();
      let text: string | undefined;
      while (text === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const outputs = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'output');
        text = outputs.map((output) => output.getText()).find((candidate) => candidate.includes('before'));
      }
      assert.match(text, /before \[redacted\].*after/);
      assert.ok(!text.includes('tok-1234567890') && !text.includes('\u202e'), text);
    } finally {
      log.dispose();
    }
  });

  it('has method, path, status, size, duration and host of a request', () => {
    const host = 'host.example:8443';
    const read = { method: 'GET', template: '/x/{id}', host, bytes: 2100, duration: 34.4, attempts: 1 } as const;
    const unusable = { kind: 'unusable', reason: 'notJson', status: 200 } as const;
    const timedOut = { kind: 'timedOut', after: 30_000 } as const;
    assert.equal(requestLine({ ...read, status: 200 }), 'GET /x/{id} 200, 2100 B, 34 ms, host.example:8443');
    assert.match(requestLine({ ...read, status: 200, failure: unusable }), / 200 unusable,/);
    assert.match(requestLine({ ...read, failure: timedOut, attempts: 3 }), / timedOut, .*, 3 attempts, host/);
  });

  it('has the English line of an error instead of its message in the language of the window', async () => {
    const lines: string[] = [];
    const log = { warn: (line: string) => lines.push(line), error: assert.fail, redact: (text: string) => text };
    const recorder = recordWindow();
    await showErrors(log, () => Promise.reject(new UserError('Sie sind nicht angemeldet.')));
    await showErrors(log, () =>
      Promise.reject(new UserError('Der Link wurde nicht geöffnet.', [], 'A link was refused')),
    );
    assert.deepEqual(lines, ['A link was refused']);
    assert.equal(recorder.shown.notifications.length, 2);
  });

  it('has an unexpected error, which a notification shows, and nothing of a cancellation', async () => {
    const recorder = recordWindow();
    const lines: string[] = [];
    const log = { warn: assert.fail, error: (line: string) => lines.push(line), redact: (text: string) => text };
    for (const error of [
      new vscode.CancellationError(),
      new ApiError({ kind: 'cancelled' }),
      new Error('not foreseen'),
    ]) {
      assert.equal(await showErrors(log, () => Promise.reject(error)), undefined);
    }
    assert.equal(await showErrors(log, async () => 'result'), 'result');
    assert.match(lines.join('\n'), /^Error: not foreseen at .*$/);
    assert.deepEqual(recorder.shown.notifications, ['Unexpected error: not foreseen. See the log for details.']);
  });
});
