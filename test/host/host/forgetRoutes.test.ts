import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { forgetRoutes } from '../../../src/host/network.js';
import { ManualClock } from '../../unit/model/manualClock.js';

const minute = 60_000;

describe('routes', () => {
  it('are forgotten when the window wakes up after five minutes, also if the clock was set back meanwhile', () => {
    const clock = new ManualClock();
    const changed = new vscode.EventEmitter<void>();
    const state = new vscode.EventEmitter<vscode.WindowState>();
    let forgotten = 0;
    const routes = forgetRoutes({ onDidChange: changed.event }, () => forgotten++, clock.now, {
      onDidChangeWindowState: state.event,
    });
    const away = (pass: () => void): number => {
      const before = forgotten;
      state.fire({ focused: false, active: false });
      pass();
      state.fire({ focused: true, active: true });
      return forgotten - before;
    };
    assert.equal(
      away(() => clock.pass(4 * minute)),
      0,
    );
    assert.equal(
      away(() => clock.sleep(5 * minute)),
      1,
    );
    assert.equal(
      away(() => clock.setBack(60 * minute)),
      1,
    );
    routes.dispose();
  });
});
