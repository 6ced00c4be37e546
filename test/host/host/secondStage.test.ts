import { strict as assert } from 'node:assert';
import { SecondStage } from '../../../src/extension.js';
import {
  recordWindow,
  rejectionOf,
  type Shown,
  settle,
} from '../../support/window/windowRecorder.js';

describe('the second stage of the extension', () => {
  let shown: Shown;
  /** What happened to the loaded stage. */
  let events: string[];
  let isBroken: boolean;
  let stage: SecondStage<{ dispose(): void }>;

  beforeEach(() => {
    shown = recordWindow();
    events = [];
    isBroken = false;
    const load = async () => {
      if (isBroken) throw new Error("Cannot find module 'app.js'");
      events.push('loaded');
      return { dispose: () => events.push('disposed') };
    };
    stage = new SecondStage(load, { error: () => undefined });
  });

  it('is loaded once for several commands', async () => {
    const first = await stage.run(() => 'revoked');
    const second = await stage.run(() => 'revoked again');
    assert.equal(first, 'revoked');
    assert.equal(second, 'revoked again');
    assert.deepEqual(events, ['loaded']);
  });

  it('says that nothing was sent when it cannot be loaded for a command', async () => {
    isBroken = true;
    const result = await stage.run(() => 'revoked');
    assert.equal(result, undefined);
    const [notification, ...others] = shown.messages;
    assert.match(
      String(notification),
      /could not be loaded\. Nothing was sent or changed\..*,Reload Window$/,
    );
    assert.deepEqual(others, []);
  });

  it('rejects, with a sentence for a tool, when it cannot be loaded', async () => {
    isBroken = true;
    assert.match(await rejectionOf(stage.get()), /Nothing was sent/);
  });

  it('shows no notification when it fails to load in the background', async () => {
    isBroken = true;
    stage.start();
    await settle();
    assert.deepEqual(shown.messages, []);
  });

  it('is loaded again for the next command when it could not be loaded', async () => {
    isBroken = true;
    await stage.run(() => 'revoked');
    isBroken = false;
    const result = await stage.run(() => 'revoked');
    assert.equal(result, 'revoked');
    assert.deepEqual(events, ['loaded']);
  });

  it('is disposed with the extension even while it loads', async () => {
    const loading = stage.run(() => 'revoked');
    stage.dispose();
    assert.equal(await loading, undefined);
    assert.deepEqual(events, ['loaded', 'disposed']);
    assert.deepEqual(shown.messages, []);
  });
});
