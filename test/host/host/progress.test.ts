import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { withProgress } from '../../../src/host/messages.js';
import { ManualClock } from '../../support/manualClock.js';
import { recordWindow, replace, type Shown, settle } from '../../support/window/windowRecorder.js';

describe('a progress', () => {
  let shown: Shown;
  let clock: ManualClock;
  let end: (result: string | Error) => void;
  let report: (message: string) => void;
  let work: vscode.CancellationToken;
  /** The result or error that the waiting command has got. */
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
    void run();
  });

  async function run(): Promise<void> {
    try {
      outcome = await withProgress('Searching', begin, clock.setTimer);
    } catch (error) {
      outcome = String(error);
    }
  }

  const pass = async (milliseconds: number) => {
    clock.pass(milliseconds);
    await settle();
  };

  it('is not shown when the work ends within half a second', async () => {
    await pass(499);
    end('found');
    await settle();
    await pass(60_000);
    assert.deepEqual(shown.progress, []);
    assert.equal(clock.waiting, 0);
  });

  it('does not delay the result when the work ends within half a second', async () => {
    await pass(499);
    end('found');
    await settle();
    assert.equal(outcome, 'found');
  });

  it('begins with the message that the work has reported last', async () => {
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
    it(`is closed before the command gets the ${what} of the work`, async () => {
      await pass(500);
      end(result);
      await pass(899);
      assert.equal(outcome, undefined);
      await pass(1);
      assert.equal(outcome, String(result));
    });
  }

  it('does not delay the result when the work takes longer than five seconds', async () => {
    await pass(5_000);
    end('found');
    await settle();
    assert.equal(outcome, 'found');
  });

  it('cancels the work, and does not delay its result', async () => {
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

  it('does not keep back the result when VS Code cannot show the progress', async () => {
    replace(vscode.window, { withProgress: () => Promise.reject(new Error('window closed')) });
    await pass(500);
    end('found');
    await settle();
    assert.equal(outcome, 'found');
  });
});
