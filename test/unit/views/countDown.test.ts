import { strict as assert } from 'node:assert';
import type { PendingInstall } from '../../../src/model/installs.js';
import { CountDown } from '../../../src/views/countDown.js';
import { ManualClock } from '../model/manualClock.js';

const start = Date.UTC(2026, 10, 20, 12);

function install(id: string, left: number | undefined): PendingInstall {
  return {
    id,
    organizationId: 'o1',
    answer: { value: {}, decodeIssues: [], receivedAt: start },
    ...(left !== undefined && { expiresAt: start + left }),
  };
}

describe('the countdown of pending installs', () => {
  let drawn: string[];
  let clock: ManualClock;
  const view = { visible: true };

  beforeEach(() => {
    clock = new ManualClock(start);
    drawn = [];
    view.visible = true;
  });

  /** Which were drawn again in the next so many seconds. */
  function pass(seconds: number): string {
    drawn = [];
    clock.pass(seconds * 1000);
    return drawn.join(' ');
  }

  const redraw = (changed: PendingInstall[] | undefined) =>
    drawn.push(...(changed?.map(({ id }) => id) ?? ['everything']));

  function count(...installs: PendingInstall[]): CountDown {
    return new CountDown(view, { installs }, redraw, clock);
  }

  it('draws once a minute, each second below one, and once more when it lapses', () => {
    const countDown = count(install('a', 121_000));
    assert.equal(pass(60), 'a', '1 min');
    assert.equal(pass(1), '', 'still 1 min');
    assert.equal(pass(3), 'a a a', '59, 58, 57 sec');
    pass(56);
    assert.equal(pass(1), 'everything', 'lapsed: the place is another');
    assert.equal(pass(58), '', 'lapsed just now');
    assert.equal(pass(2), 'a', 'lapsed 1 min. ago');
    countDown.dispose();
  });

  it('draws only those whose words changed', () => {
    const countDown = count(install('soon', 10_000), install('later', 3_600_000), install('unknown', undefined));
    assert.equal(pass(4), 'soon later soon soon soon');
    countDown.dispose();
  });

  it('stands still while nobody looks, and goes on when somebody does', () => {
    const countDown = count(install('a', 10_000));
    view.visible = false;
    countDown.restart();
    assert.equal(pass(5), '');
    view.visible = true;
    countDown.restart();
    assert.equal(pass(1), 'a');
    countDown.dispose();
    assert.equal(pass(5), '');
  });
});
