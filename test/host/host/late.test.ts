import { strict as assert } from 'node:assert';
import { Late } from '../../../src/extension.js';
import { watchRejections } from '../hostile/rejections.js';
import { recordWindow, type WindowRecorder } from '../hostile/windowRecorder.js';
import { silentLog } from './silentLog.js';

describe('what is loaded when there is something to do', () => {
  const rejections = watchRejections();
  let recorder: WindowRecorder;
  let made: number;
  let disposed: number;
  let broken: boolean;
  let late: Late<{ dispose(): void }>;

  beforeEach(() => {
    recorder = recordWindow();
    [made, disposed, broken] = [0, 0, true];
    late = new Late(async () => {
      if (broken) throw new Error("Cannot find module 'app.js'");
      made++;
      return { dispose: () => void disposed++ };
    }, silentLog);
  });
  afterEach(() => {
    late.dispose();
    recorder.restore();
  });
  after(() => assert.deepEqual(rejections.seen, []));

  it('says of a revocation that could not be loaded that nothing was sent, and tries again the next time', async () => {
    late.start();
    assert.equal(await late.run(() => 'revoked'), undefined);
    assert.match(recorder.shown.notifications.join(), /could not be loaded\. Nothing was sent or changed\./);
    assert.deepEqual(recorder.shown.buttons, ['Reload Window']);
    await assert.rejects(late.get(), /Nothing was sent/);
    broken = false;
    for (let time = 0; time < 2; time++) assert.equal(await late.run(() => 'revoked'), 'revoked');
    assert.equal(made, 1);
    assert.equal(recorder.shown.notifications.length, 1, 'what nobody asked for is in the log only');
  });

  it('ends with the extension, also if it was still loading then', async () => {
    broken = false;
    const loading = late.run(() => 'revoked');
    late.dispose();
    assert.equal(await loading, undefined);
    assert.deepEqual([made, disposed, recorder.shown.notifications], [1, 1, []]);
  });
});
