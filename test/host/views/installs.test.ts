import { strict as assert } from 'node:assert';
import { Emitter } from '../../../src/model/base/emitter.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import { InstallsView, installHover, installItem } from '../../../src/views/installs.js';
import { ManualClock } from '../../support/manualClock.js';
import { look, minutes, now, organization, readIn } from '../../support/window/fixtures.js';
import { TreeViewInMemory } from '../../support/window/memory.js';

function install(expiresAt: number | undefined, fields: object = {}): PendingInstall {
  const value = { label: 'Acme CRM', requiredPlan: 'pro', serviceName: 'HubSpot', ...fields };
  const answer = { value, decodeIssues: [], sentAt: now, sequence: 0 };
  return { id: 'i1', organizationId: 'o1', answer, ...(expiresAt !== undefined && { expiresAt }) };
}

/** Icon and text, then what a screen reader says. */
function shown(one: PendingInstall): readonly [string, string] {
  const { icon, text, spoken } = look(installItem(one, now));
  return [`${icon} | ${text}`, spoken.replace(/, 2026, .* UTC/, '')];
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
    const read = installHover(install(now, { extra: 7, expiresAt: new Date(now).toISOString() }), organization, now);
    assert.match(readIn(read), /HubSpot\. Requires the pro plan\. Expired on Nov 20, 2026, [^\n]*\.\n\nextra 7$/);
    const unread = installHover(install(undefined, { expiresAt: 'soon' }), undefined, now);
    assert.match(readIn(unread), /^\*\*Acme CRM\*\*\n\nPending install of [^\n]*plan\.\n\nexpiresAt soon$/);
  });
});

describe('InstallsView', () => {
  it('draws its rows again each minute, each ten seconds in the last one, and when one expires', () => {
    const clock = new ManualClock(now);
    const changed = new Emitter<void>();
    const installs = { installs: [install(now + minutes(2.5)), install(undefined)], onDidChange: changed.event };
    const services = { installs, organizations: { get: () => organization } };
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
