import { strict as assert } from 'node:assert';
import { whenOver } from '../../../src/api/timers.js';
import { ManualClock } from '../../support/manualClock.js';

const minute = 60_000;
const hour = 60 * minute;

describe('a wait for a time of the wall clock', () => {
  let clock: ManualClock;
  let calls: number;

  beforeEach(() => {
    clock = new ManualClock();
    calls = 0;
  });

  function waitUntil(at: number) {
    return whenOver(
      () => at - clock.now(),
      () => {
        calls += 1;
      },
      clock.setTimer,
    );
  }

  for (const wait of [0, 1, minute, minute + 1, hour, 100 * 24 * hour]) {
    it(`ends after ${wait} ms`, () => {
      waitUntil(clock.now() + wait);
      clock.pass(wait - 1);
      assert.equal(calls, 0);
      clock.pass(1);
      assert.equal(calls, 1);
    });

    it(`calls back only once after ${wait} ms`, () => {
      waitUntil(clock.now() + wait);
      clock.pass(wait);
      clock.pass(hour);
      assert.equal(calls, 1);
    });
  }

  it('ends within a minute when the machine has slept through its end', () => {
    waitUntil(clock.now() + 2 * hour);
    clock.sleep(8 * hour);
    clock.pass(minute);
    assert.equal(calls, 1);
  });

  it('lasts longer when the clock is set back', () => {
    waitUntil(clock.now() + hour);
    clock.setBack(hour);
    clock.pass(hour);
    assert.equal(calls, 0);
    clock.pass(hour);
    assert.equal(calls, 1);
  });

  it('never calls back when it is disposed of before its end', () => {
    const timer = waitUntil(clock.now() + hour);
    clock.pass(30 * minute);
    timer.dispose();
    clock.pass(hour);
    assert.equal(calls, 0);
  });

  it('leaves no timer behind when it is disposed of before its end', () => {
    const timer = waitUntil(clock.now() + hour);
    timer.dispose();
    assert.equal(clock.waiting, 0);
  });
});
