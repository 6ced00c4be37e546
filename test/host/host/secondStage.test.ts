import { strict as assert } from 'node:assert';
import { SecondStage } from '../../../src/extension.js';
import { recordWindow, type Shown } from '../../support/window/windowRecorder.js';

describe('SecondStage', () => {
  let shown: Shown;
  /** What was done with it. */
  let done: string[];
  let broken: boolean;
  let stage: SecondStage<{ dispose(): void }>;

  beforeEach(() => {
    shown = recordWindow();
    done = [];
    broken = false;
    const make = async () => {
      if (broken) throw new Error("Cannot find module 'app.js'");
      done.push('made');
      return { dispose: () => void done.push('disposed') };
    };
    stage = new SecondStage(make, { error: () => undefined });
  });

  it('says of a revocation that could not be loaded that nothing was sent, and tries again the next time', async () => {
    broken = true;
    stage.start();
    assert.equal(await stage.run(() => 'revoked'), undefined);
    await assert.rejects(stage.get(), /Nothing was sent/);
    // A start that the user did not ask for is in the log only.
    assert.equal(shown.messages.length, 1);
    assert.match(
      shown.messages.join(),
      /could not be loaded\. Nothing was sent or changed\..*,Reload Window$/,
    );
    broken = false;
    for (let time = 0; time < 2; time++) assert.equal(await stage.run(() => 'revoked'), 'revoked');
    assert.deepEqual(done, ['made']);
  });

  it('is disposed with the extension, even while it loads', async () => {
    const loading = stage.run(() => 'revoked');
    stage.dispose();
    assert.equal(await loading, undefined);
    assert.deepEqual([done, shown.messages], [['made', 'disposed'], []]);
  });
});
