import { strict as assert } from 'node:assert';
import { Emitter } from '../../../src/model/emitter.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import { InstallsView, installHover, installItem } from '../../../src/views/installs.js';
import { ManualClock } from '../../unit/model/manualClock.js';
import { TreeViewInMemory } from '../commands/treeViewInMemory.js';
import { look, minutes, now, organization, readIn } from './fixtures.js';

function install(expiresAt: number | undefined, fields: object = {}): PendingInstall {
  const value = { label: 'Acme CRM', requiredPlan: 'pro', serviceName: 'HubSpot', ...fields };
  const answer = { value, decodeIssues: [], receivedAt: now };
  return { id: 'i1', organizationId: 'o1', answer, ...(expiresAt !== undefined && { expiresAt }) };
}

/** Icon and text, then what a screen reader says. */
function shown(one: PendingInstall): readonly [string, string] {
  const { icon, text, spoken } = look(installItem(one, now));
  return [`${icon} | ${text}`, spoken.replace(/, 2026, .* UTC/, '')];
}

describe('a pending install', () => {
  it('shows plan, time left and service, and says the absolute time to a screen reader', () => {
    assert.deepEqual(shown(install(now + minutes(80))), [
      'package | Acme CRM | needs pro · 1 hr 20 min left · HubSpot',
      'Acme CRM, pending install, needs pro, expires on Nov 20, HubSpot',
    ]);
    assert.deepEqual(shown(install(now, { requiredPlan: 'free', serviceName: 'Acme CRM' })), [
      'circle-slash disabledForeground | Acme CRM | expired just now · free',
      'Acme CRM, pending install, free, expired on Nov 20',
    ]);
    assert.deepEqual(shown(install(undefined, { requiredPlan: '', expiresAt: 'soon' })), [
      'question | Acme CRM | plan unknown · expires: soon · HubSpot',
      'Acme CRM, pending install, plan unknown, expires: soon, HubSpot',
    ]);
    assert.match(shown(install(undefined))[1], /time left unknown/);
  });

  it('says in its hover what it is, and then the fields that no sentence said', () => {
    const read = installHover(install(now, { extra: 7, expiresAt: new Date(now).toISOString() }), organization, now);
    assert.match(readIn(read), /HubSpot\. Requires the pro plan\. Expired on Nov 20, 2026, [^\n]*\.\n\n- `extra` 7$/);
    const unread = installHover(install(undefined, { expiresAt: 'soon' }), undefined, now);
    assert.match(readIn(unread), /^\*\*Acme CRM\*\*\n\nPending install of [^\n]*plan\.\n\n- `expiresAt` soon$/);
  });
});

describe('the rows of Pending Installs', () => {
  it('are drawn again when their words change: each second when one counts seconds, all when one has expired', () => {
    const clock = new ManualClock(now);
    const changed = new Emitter<void>();
    const [soon, unknown] = [install(now + 3000), install(undefined)];
    const installs = { installs: [soon, unknown], onDidChange: changed.event };
    const services = { installs, organizations: { get: () => organization } };
    const view = new InstallsView(services, new TreeViewInMemory<PendingInstall>(), clock);
    const drawn: unknown[] = [];
    view.onDidChangeTreeData((rows) => drawn.push([clock.now() - now, rows]));
    view.getChildren();
    clock.pass(2500);
    assert.deepEqual(drawn.splice(0), [
      [1000, [soon]],
      [2000, [soon]],
    ]);
    installs.installs = [unknown, soon];
    clock.pass(1000);
    assert.deepEqual(drawn.splice(0), [[3000, undefined]]);
    view.getChildren();
    clock.pass(minutes(180));
    drawn.splice(0);
    clock.pass(minutes(50));
    assert.deepEqual(drawn.splice(0), [], 'for hours it has been the same');
    installs.installs = [install(now + 5000)];
    changed.fire();
    assert.deepEqual(drawn, [[minutes(230) + 3500, undefined]]);
    assert.deepEqual(view.getChildren(), installs.installs);
    view.dispose();
    assert.equal(clock.waiting, 0);
  });
});
