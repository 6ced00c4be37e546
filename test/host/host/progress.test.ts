import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { withProgress } from '../../../src/host/messages.js';
import { ManualClock } from '../../support/manualClock.js';
import { recordWindow, replace, type Shown, settle } from '../../support/window/windowRecorder.js';

describe('the notification of a progress', () => {
  let shown: Shown;
  let clock: ManualClock;
  let end: (result: string | Error) => void;
  let report: (message: string) => void;
  let work: vscode.CancellationToken;
  /** What the work has come to for the command that waits for it. */
  let outcome: string | undefined;

  const begin = (reportNow: typeof report, cancellation: typeof work) => {
    report = reportNow;
    work = cancellation;
    return new Promise<string>((resolve, reject) => {
      end = (result) => (typeof result === 'string' ? resolve(result) : reject(result));
    });
  };

  beforeEach(() => {
    shown = recordWindow();
    clock = new ManualClock();
    outcome = undefined;
    withProgress('Searching', begin, clock.setTimer).then(
      (result) => (outcome = result),
      (error: Error) => (outcome = error.message),
    );
  });

  const pass = async (milliseconds: number) => {
    clock.pass(milliseconds);
    await settle();
  };

  it('is not shown for work that ends within half a second, whose result is told at once', async () => {
    await pass(499);
    end('found');
    await settle();
    assert.equal(outcome, 'found');
    await pass(60_000);
    assert.deepEqual([shown.progress, clock.waiting], [[], 0]);
  });

  it('begins with what the work has reported last', async () => {
    report('waiting');
    report('sending');
    await pass(500);
    report('reading');
    assert.deepEqual(shown.progress, ['Searching', 'sending', 'reading']);
  });

  for (const [what, result] of [
    ['result', 'found'],
    ['error', new Error('not found')],
  ] as const) {
    it(`is closed before the ${what} of the work is told`, async () => {
      await pass(500);
      end(result);
      await pass(899);
      assert.equal(outcome, undefined);
      await pass(1);
      assert.equal(outcome, typeof result === 'string' ? result : result.message);
    });
  }

  it('delays nothing when the work takes longer than VS Code has to show it', async () => {
    await pass(5_000);
    end('found');
    await settle();
    assert.equal(outcome, 'found');
  });

  it('cancels the work, whose result is then told at once', async () => {
    const source = new vscode.CancellationTokenSource();
    const show = (_: vscode.ProgressOptions, task: (...given: unknown[]) => unknown) =>
      task({ report: () => undefined }, source.token);
    replace(vscode.window, { withProgress: show });
    await pass(500);
    assert.equal(work.isCancellationRequested, false);
    source.cancel();
    assert.equal(work.isCancellationRequested, true);
    end('cancelled');
    await settle();
    assert.equal(outcome, 'cancelled');
  });

  it('that VS Code cannot open keeps no result back', async () => {
    replace(vscode.window, { withProgress: () => Promise.reject(new Error('window closed')) });
    await pass(500);
    end('found');
    await settle();
    assert.equal(outcome, 'found');
  });
});
