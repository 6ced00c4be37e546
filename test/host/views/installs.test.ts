import { strict as assert } from 'node:assert';
import type { ClockSkew } from '../../../src/api/httpTimes.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import { Installs, type PendingInstall } from '../../../src/model/installs.js';
import { InstallsView, installHover, installItem } from '../../../src/views/installs.js';
import { answerOf } from '../../support/answers.js';
import { ManualClock } from '../../support/manualClock.js';
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

/** Icon and text, then what a screen reader says. */
function shown(one: PendingInstall): readonly [string, string] {
  const { icon, text, spoken } = look(installItem(one, now));
  return [`${icon} | ${text}`, spoken.replace(/, 2026, .* UTC/, '')];
}

function hoverOf(one: PendingInstall): string {
  return readIn(installHover(one, organization, now));
}

describe('a pending install', () => {
  it('shows time left, service and plan, and says the absolute time to a screen reader', () => {
    assert.deepEqual(shown(install(now + minutes(80))), [
      'package | Acme CRM | 1 hr 20 min · HubSpot · needs pro',
      'Acme CRM, pending install, needs pro, expires on Nov 20, HubSpot',
    ]);
    assert.deepEqual(shown(install(now, { requiredPlan: 'free', serviceName: 'Acme CRM' })), [
      'circle-slash disabledForeground | Acme CRM | expired just now · free',
      'Acme CRM, pending install, free, expired on Nov 20',
    ]);
    assert.deepEqual(shown(install(undefined, { requiredPlan: '', expiresAt: 'soon' })), [
      'question | Acme CRM | expires: soon · HubSpot · plan unknown',
      'Acme CRM, pending install, plan unknown, expires: soon, HubSpot',
    ]);
    assert.match(shown(install(undefined))[1], /time left unknown/);
  });

  it('says in its hover what it is, and then the fields that no sentence said', () => {
    const read = installHover(
      install(now, { extra: 7, expiresAt: new Date(now).toISOString() }),
      organization,
      now,
    );
    assert.match(
      readIn(read),
      /HubSpot\. Requires the pro plan\. Expired just now, on Nov 20, 2026, [^\n]*\.\n\nextra 7$/,
    );
    const unread = installHover(install(undefined, { expiresAt: 'soon' }), undefined, now);
    assert.match(
      readIn(unread),
      /^\*\*Acme CRM\*\*\n\nPending install of [^\n]*plan\.\n\nexpiresAt soon$/,
    );
  });
});

describe('a pending install of a platform with another clock', () => {
  const hour = minutes(60);
  const aHourBehind = { clockOffsetMs: -hour };

  it('has the minutes left that it has by the clock of the platform', () => {
    const [behind] = shown(install(now - minutes(30), {}, aHourBehind));
    assert.equal(behind, 'package | Acme CRM | 30 min · HubSpot · needs pro');
    const [ahead] = shown(install(now + minutes(89), {}, { clockOffsetMs: hour }));
    assert.equal(ahead, 'package | Acme CRM | 29 min · HubSpot · needs pro');
  });

  it('has expired when it has by the clock of the platform', () => {
    const [ahead] = shown(install(now + minutes(30), {}, { clockOffsetMs: hour }));
    assert.equal(
      ahead,
      'circle-slash disabledForeground | Acme CRM | expired 30 minutes ago · HubSpot · needs pro',
    );
  });

  it('says the time that the platform sent, and by how much this machine’s clock is off', () => {
    const read = hoverOf(install(now - minutes(30), {}, aHourBehind));
    assert.match(
      read,
      /Expires in 30 min, on Nov 20, 2026, 11:30:00 AM UTC\. This machine’s clock is 1 hr ahead of the platform’s\.$/,
    );
    const ahead = hoverOf(install(now + minutes(30), {}, { clockOffsetMs: minutes(80) + 29_000 }));
    assert.match(
      ahead,
      /Expired 50 minutes ago, on .* This machine’s clock is 1 hr 20 min behind the platform’s\.$/,
    );
  });

  it('says to a screen reader by how much this machine’s clock is off', () => {
    const [, spoken] = shown(install(now - minutes(30), {}, aHourBehind));
    assert.match(
      spoken,
      /, expires on Nov 20, HubSpot, This machine’s clock is 1 hr ahead of the platform’s\.$/,
    );
  });

  it('says that the clocks differ where that cannot be told', () => {
    const clocksDiffer = install(now + minutes(30), {}, { hasUnusableDate: true });
    const expected =
      'The clocks of this machine and of the platform differ, so these times may be wrong. ';
    assert.ok(
      hoverOf(clocksDiffer).endsWith(`${expected}Check the date and time of this machine.`),
    );
    assert.match(shown(clocksDiffer)[1], /The clocks of this machine and of the platform differ/);
  });

  it('says nothing of clocks where the clocks agree, or no time could be read', () => {
    for (const one of [
      install(now + minutes(30)),
      install(undefined, { expiresAt: 'soon' }, aHourBehind),
    ]) {
      assert.doesNotMatch(hoverOf(one) + shown(one)[1], /clock/);
    }
  });
});

describe('InstallsView', () => {
  for (const [what, list, title] of [
    ['names no organization where one alone is signed in', [organization], '**Acme CRM**'],
    [
      'names the organization where several are',
      [organization, organization],
      '**Acme CRM** · Acme production',
    ],
  ] as const) {
    it(`${what}, in its hovers`, () => {
      const one = install(now + minutes(60));
      const services = {
        installs: { installs: [one], onDidChange: new Emitter<void>().event },
        organizations: { get: () => organization, list },
      };
      const view = new InstallsView(
        services,
        new TreeViewInMemory<PendingInstall>(),
        new ManualClock(now),
      );
      const { tooltip } = view.resolveTreeItem(view.getTreeItem(one), one);
      assert.equal(readIn(tooltip).split('\n')[0], title);
      view.dispose();
    });
  }

  it('draws its rows again when one expires by the clock of the platform', () => {
    const clock = new ManualClock(now);
    const changed = new Emitter<void>();
    const one = install(now + minutes(60) + 20_000, {}, { clockOffsetMs: minutes(60) });
    const services = {
      installs: { installs: [one], onDidChange: changed.event },
      organizations: { get: () => organization, list: [organization] },
    };
    const view = new InstallsView(services, new TreeViewInMemory<PendingInstall>(), clock);
    const drawn: string[] = [];
    view.onDidChangeTreeData(() =>
      drawn.push(String(view.getTreeItem(one).description).split(' ·')[0]!),
    );
    clock.pass(20_000);
    assert.deepEqual(drawn, ['10 sec', 'expired just now']);
    view.dispose();
  });

  it('draws its rows again each minute, each ten seconds in the last one, and when one expires', () => {
    const clock = new ManualClock(now);
    const changed = new Emitter<void>();
    const installs = {
      installs: [install(now + minutes(2.5)), install(undefined)],
      onDidChange: changed.event,
    };
    const services = { installs, organizations: { get: () => organization, list: [organization] } };
    const view = new InstallsView(services, new TreeViewInMemory<PendingInstall>(), clock);
    const drawnAfter: number[] = [];
    view.onDidChangeTreeData(() => drawnAfter.push((clock.now() - now) / 1000));
    clock.pass(minutes(5));
    assert.deepEqual(drawnAfter.splice(0), [30, 90, 100, 110, 120, 130, 140, 150, 210, 270]);
    installs.installs = [];
    changed.fire();
    assert.deepEqual([drawnAfter, clock.waiting], [[300], 0]);
    installs.installs = [install(undefined)];
    changed.fire();
    view.dispose();
    assert.equal(clock.waiting, 0);
  });
});
