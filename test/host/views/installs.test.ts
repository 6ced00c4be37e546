import { strict as assert } from 'node:assert';
import type { ClockSkew } from '../../../src/api/httpTimes.js';
import type { Organization } from '../../../src/host/organizations/organization.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import { Installs, type PendingInstall } from '../../../src/model/installs.js';
import { InstallsView, installHover, installItem } from '../../../src/views/installs.js';
import { answerOf } from '../../support/answers.js';
import { ManualClock } from '../../support/manualClock.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { look, minutes, now, organization, readIn } from '../../support/window/fixtures.js';
import { TreeViewInMemory } from '../../support/window/memory.js';

function install(
  expiresAt: number | undefined,
  fields: object = {},
  skew: Partial<ClockSkew> = {},
): PendingInstall {
  const sent = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() };
  const value = {
    label: 'Acme CRM',
    requiredPlan: 'pro',
    serviceName: 'HubSpot',
    ...sent,
    ...fields,
  };
  return new Installs(() => now).add('token', 'o1', answerOf(value, { sentAt: now, ...skew }));
}

/** The row of a pending install; what a screen reader says is without year and time. */
function rowOf(one: PendingInstall) {
  const { icon, text, spoken } = look(installItem(one, now));
  return { icon, text, spoken: spoken.replace(/, 2026, .* UTC/, '') };
}

function hoverOf(one: PendingInstall): string {
  return readIn(installHover(one, organization, now));
}

describe('the row of a pending install', () => {
  it('shows the time left, the service, and the plan', () => {
    const { icon, text } = rowOf(install(now + minutes(80)));
    assert.equal(icon, 'package');
    assert.equal(text, 'Acme CRM | 1 hr 20 min · HubSpot · needs pro');
  });

  it('tells a screen reader when the install expires', () => {
    const { spoken } = rowOf(install(now + minutes(80)));
    assert.equal(spoken, 'Acme CRM, pending install, needs pro, expires on Nov 20, HubSpot');
  });

  it('says that the install has expired', () => {
    const { icon, text, spoken } = rowOf(install(now));
    assert.equal(icon, 'circle-slash disabledForeground');
    assert.equal(text, 'Acme CRM | expired just now · HubSpot · needs pro');
    assert.equal(spoken, 'Acme CRM, pending install, needs pro, expired on Nov 20, HubSpot');
  });

  it('leaves out a service with the name of the install', () => {
    const { text, spoken } = rowOf(install(now, { requiredPlan: 'free', serviceName: 'Acme CRM' }));
    assert.equal(text, 'Acme CRM | expired just now · free');
    assert.equal(spoken, 'Acme CRM, pending install, free, expired on Nov 20');
  });

  it('shows an expiry that is no time as it was sent', () => {
    const { icon, text, spoken } = rowOf(install(undefined, { expiresAt: 'soon' }));
    assert.equal(icon, 'question');
    assert.equal(text, 'Acme CRM | expires: soon · HubSpot · needs pro');
    assert.equal(spoken, 'Acme CRM, pending install, needs pro, expires: soon, HubSpot');
  });

  it('says that the plan is unknown when it is empty', () => {
    const { text, spoken } = rowOf(install(now + minutes(80), { requiredPlan: '' }));
    assert.equal(text, 'Acme CRM | 1 hr 20 min · HubSpot · plan unknown');
    assert.match(spoken, /^Acme CRM, pending install, plan unknown, /);
  });

  it('tells a screen reader that the time left is unknown when none was sent', () => {
    assert.match(rowOf(install(undefined)).spoken, /time left unknown/);
  });
});

describe('the hover of a pending install', () => {
  it('ends with the fields that no sentence has said', () => {
    const hover = hoverOf(install(now, { extra: 7, expiresAt: new Date(now).toISOString() }));
    assert.match(
      hover,
      /HubSpot\. Requires the pro plan\. Expired just now, on Nov 20, 2026, [^\n]*\.\n\nextra 7$/,
    );
  });

  it('names no organization when none is given', () => {
    const hover = readIn(installHover(install(undefined, { expiresAt: 'soon' }), undefined, now));
    assert.match(hover, /^\*\*Acme CRM\*\*\n\nPending install of [^\n]*plan\.\n\nexpiresAt soon$/);
  });
});

describe('a pending install beside another clock', () => {
  const hour = minutes(60);
  const behind = { clockOffsetMs: -hour };
  const ahead = { clockOffsetMs: hour };

  it('has the minutes left of a clock that is behind', () => {
    const { text } = rowOf(install(now - minutes(30), {}, behind));
    assert.equal(text, 'Acme CRM | 30 min · HubSpot · needs pro');
  });

  it('has the minutes left of a clock that is ahead', () => {
    const { text } = rowOf(install(now + minutes(89), {}, ahead));
    assert.equal(text, 'Acme CRM | 29 min · HubSpot · needs pro');
  });

  it('has expired by a clock that is ahead', () => {
    const { icon, text } = rowOf(install(now + minutes(30), {}, ahead));
    assert.equal(icon, 'circle-slash disabledForeground');
    assert.equal(text, 'Acme CRM | expired 30 minutes ago · HubSpot · needs pro');
  });

  it('shows the sent time beside how far this machine is ahead', () => {
    assert.match(
      hoverOf(install(now - minutes(30), {}, behind)),
      /Expires in 30 min, on Nov 20, 2026, 11:30:00 AM UTC\. This machine’s clock is 1 hr ahead of the platform’s\.$/,
    );
  });

  it('shows the sent time beside how far this machine is behind', () => {
    const skew = { clockOffsetMs: minutes(80) + 29_000 };
    assert.match(
      hoverOf(install(now + minutes(30), {}, skew)),
      /Expired 50 minutes ago, on .* This machine’s clock is 1 hr 20 min behind the platform’s\.$/,
    );
  });

  it('tells a screen reader how far this machine is ahead', () => {
    assert.match(
      rowOf(install(now - minutes(30), {}, behind)).spoken,
      /, expires on Nov 20, HubSpot, This machine’s clock is 1 hr ahead of the platform’s\.$/,
    );
  });

  describe('of an unknown difference', () => {
    const clocksDiffer = install(now + minutes(30), {}, { hasUnusableDate: true });

    it('says in its hover that times may be wrong', () => {
      assert.match(
        hoverOf(clocksDiffer),
        /The clocks of this machine and of the platform differ, so these times may be wrong\. Check the date and time of this machine\.$/,
      );
    });

    it('tells a screen reader that the clocks differ', () => {
      const { spoken } = rowOf(clocksDiffer);
      assert.match(spoken, /The clocks of this machine and of the platform differ/);
    });
  });

  it('does not mention the clocks when its expiry cannot be read', () => {
    const one = install(undefined, { expiresAt: 'soon' }, behind);
    assert.doesNotMatch(hoverOf(one), /clock/);
    assert.doesNotMatch(rowOf(one).spoken, /clock/);
  });
});

it('A pending install does not mention the clocks when they agree', () => {
  const one = install(now + minutes(30));
  assert.doesNotMatch(hoverOf(one), /clock/);
  assert.doesNotMatch(rowOf(one).spoken, /clock/);
});

describe('the installs view', () => {
  let clock: ManualClock;
  let changed: Emitter<void>;
  beforeEach(() => {
    clock = new ManualClock(now);
    changed = new Emitter<void>();
  });

  /** The view of these installs, in a window that is signed in to one organization unless more are given. */
  function viewOf(
    installs: { installs: readonly PendingInstall[] },
    organizations: readonly Organization[] = [organization],
  ): InstallsView {
    const services = {
      installs: Object.assign(installs, { onDidChange: changed.event }),
      organizations: { get: () => organization, list: organizations },
    };
    const view = new InstallsView(services, new TreeViewInMemory<PendingInstall>(), clock);
    atEndOfTest(() => view.dispose());
    return view;
  }

  function hoverTitle(organizations: readonly Organization[]): string | undefined {
    const one = install(now + minutes(60));
    const view = viewOf({ installs: [one] }, organizations);
    const { tooltip } = view.resolveTreeItem(view.getTreeItem(one), one);
    return readIn(tooltip).split('\n')[0];
  }

  it('names no organization in a hover when one alone is signed in', () => {
    assert.equal(hoverTitle([organization]), '**Acme CRM**');
  });

  it('names the organization in a hover when several are signed in', () => {
    const title = hoverTitle([organization, organization]);
    assert.equal(title, '**Acme CRM** · Acme production');
  });

  it('draws its rows again when an install expires by the clock of the platform', () => {
    const one = install(now + minutes(60) + 20_000, {}, { clockOffsetMs: minutes(60) });
    const view = viewOf({ installs: [one] });
    const drawn: (string | undefined)[] = [];
    view.onDidChangeTreeData(() => {
      const [timeLeft] = String(view.getTreeItem(one).description).split(' ·');
      drawn.push(timeLeft);
    });
    clock.pass(20_000);
    assert.deepEqual(drawn, ['10 sec', 'expired just now']);
  });

  it('draws its rows again each minute, and each ten seconds in the last minute', () => {
    const view = viewOf({ installs: [install(now + minutes(2.5)), install(undefined)] });
    const secondsOfDrawing: number[] = [];
    view.onDidChangeTreeData(() => secondsOfDrawing.push((clock.now() - now) / 1000));
    clock.pass(minutes(5));
    assert.deepEqual(secondsOfDrawing, [30, 90, 100, 110, 120, 130, 140, 150, 210, 270]);
  });

  it('draws its rows once more, then stops its timer when the last install is gone', () => {
    const installs = { installs: [install(now + minutes(2.5))] };
    const view = viewOf(installs);
    let drawnTimes = 0;
    view.onDidChangeTreeData(() => {
      drawnTimes += 1;
    });
    installs.installs = [];
    changed.fire();
    assert.equal(drawnTimes, 1);
    assert.equal(clock.waiting, 0);
  });

  it('stops its timer when it is disposed', () => {
    const view = viewOf({ installs: [install(undefined)] });
    assert.equal(clock.waiting, 1);
    view.dispose();
    assert.equal(clock.waiting, 0);
  });
});
