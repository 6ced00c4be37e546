import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ApiError } from '../../../src/api/failure.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { showErrors } from '../../../src/host/errors.js';
import { exchangeLine, Log } from '../../../src/host/log.js';
import { ProblemFilter } from '../../../src/host/viewOptions.js';
import { remembered } from '../../../src/model/problems/memory.js';
import { turn } from '../commands/quickInput.js';
import { MemoryState } from './memory.js';
import { silentLog } from './silentLog.js';

describe('the log', () => {
  it('has no secret in it, and no line that something else could forge', async () => {
    const secrets = new KnownSecrets();
    secrets.add('tok-1234567890');
    const log = new Log(secrets);
    try {
      log.warn('before tok-1234567890\nafter\u202e');
      log.show();
      const text = await shown(/before/);
      assert.match(text, /before \[redacted\].*after/);
      assert.ok(!text.includes('tok-1234567890') && !text.includes('\u202e'), text);
      assert.equal(log.redact('x tok-1234567890'), 'x [redacted]');
    } finally {
      log.dispose();
    }
  });
});

/** The output channel's text once it is shown and matches. */
async function shown(pattern: RegExp): Promise<string> {
  for (;;) {
    const texts = vscode.workspace.textDocuments
      .filter(({ uri }) => uri.scheme === 'output')
      .map((document) => document.getText());
    const text = texts.find((candidate) => pattern.test(candidate));
    if (text !== undefined) return text;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

describe('the log line of a request', () => {
  it('says what was asked, what came of it, how much and how long', () => {
    const host = 'host.example:8443';
    const read = { method: 'GET', template: '/x/{id}', host, bytes: 2100, duration: 34.4, attempts: 1 } as const;
    const unusable = { kind: 'unusable', reason: 'notJson', status: 200 } as const;
    const timedOut = { kind: 'timedOut', after: 30_000 } as const;
    assert.equal(exchangeLine({ ...read, status: 200 }), 'GET /x/{id} 200, 2100 B, 34 ms, host.example:8443');
    assert.match(exchangeLine({ ...read, status: 200, failure: unusable }), / 200 unusable,/);
    assert.match(exchangeLine({ ...read, failure: timedOut, attempts: 3 }), / timedOut, .*, 3 attempts, host/);
  });
});

describe('a command that fails', () => {
  it('never rejects, and is done without waiting for the message', async () => {
    const lines: string[] = [];
    const log = { ...silentLog, warn: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    const run = (error: Error) =>
      showErrors(log, () => {
        throw error;
      });
    await run(new vscode.CancellationError());
    await run(new ApiError({ kind: 'cancelled' }));
    assert.deepEqual(lines, []);
    assert.equal(await showErrors(log, async () => 'result'), 'result');
    assert.equal(await run(new Error('not foreseen')), undefined);
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /^Error: not foreseen at /);
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});

describe('what a workspace remembers', () => {
  it('is its filter', async () => {
    const state = new MemoryState();
    const filter = new ProblemFilter(state, 'onlyProblems');
    let changes = 0;
    filter.onDidChange(() => changes++);
    assert.equal(filter.onlyProblems, false);
    await filter.set(true);
    await filter.set(true);
    assert.equal(filter.onlyProblems, true);
    assert.equal(changes, 1);
    assert.equal(new ProblemFilter(state, 'onlyProblems').onlyProblems, true);
    await filter.set(false);
    assert.deepEqual(state.keys(), []);
  });

  it('is since when a problem has been seen', async () => {
    const state = new MemoryState();
    await state.update('seenSince', { a: 1 });
    const { initial, save } = remembered(state, 'seenSince', '"Seen since"', silentLog);
    assert.deepEqual(initial, { a: 1 });
    save({ d: 2 });
    await turn();
    assert.deepEqual(state.get('seenSince'), { d: 2 });
    save({});
    await turn();
    assert.deepEqual(state.keys(), [], 'a workspace that remembers nothing need not load what forgets');
  });
});
