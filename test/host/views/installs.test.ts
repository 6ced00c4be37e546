import { strict as assert } from 'node:assert';
import { planText, timeLeftText } from '../../../src/host/text/install.js';
import { Emitter } from '../../../src/model/emitter.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import { InstallsView, installHover, installItem } from '../../../src/views/installs.js';
import { ManualClock } from '../../unit/model/manualClock.js';
import { TreeViewInMemory } from '../commands/treeViewInMemory.js';
import { minutes, now, organization } from './fixtures.js';
import { look } from './look.js';

function install(expiresAt: number | undefined, value: object = {}): PendingInstall {
  return {
    id: 'i1',
    organizationId: 'o1',
    answer: {
      value: { label: 'Acme CRM', requiredPlan: 'pro', serviceName: 'HubSpot', ...value },
      decodeIssues: [],
      receivedAt: now,
    },
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

describe('a pending install', () => {
  const counted: readonly [PendingInstall, expected: string][] = [
    [install(now + minutes(46)), '46 min left'],
    [install(now + minutes(80)), '1 hr 20 min left'],
    [install(now + 12_000), '12 sec left'],
    [install(now - 1), 'expired just now'],
    [install(undefined, { expiresAt: 'soon' }), 'expires: soon'],
    [install(undefined), 'time left unknown'],
  ];
  for (const [one, expected] of counted) {
    it(`counts down: ${expected}`, () => assert.equal(timeLeftText(one, now), expected));
  }

  it('shows service, plan and time left, and says the absolute time to a screen reader', () => {
    const shown = look(installItem(install(now + minutes(46)), now));
    assert.equal(shown.text, 'Acme CRM | needs pro · 46 min left · HubSpot');
    assert.match(shown.spoken, /^Acme CRM, pending install, needs pro, expires on Nov 2\d, 2026, .*, HubSpot$/);
    assert.equal(shown.icon, 'package');
    const late = look(installItem(install(now, { requiredPlan: 'free', serviceName: 'Acme CRM' }), now));
    assert.equal(late.text, 'Acme CRM | expired just now · free');
    assert.match(late.spoken, /, expired on Nov 2\d, 2026/);
    assert.equal(late.icon, 'circle-slash disabledForeground');
    const unknown = look(installItem(install(undefined, { requiredPlan: 'enterprise' }), now));
    assert.equal(unknown.text, 'Acme CRM | needs enterprise · time left unknown · HubSpot');
    assert.equal(unknown.icon, 'question');
    assert.equal(planText(''), 'plan unknown');
  });

  it('says in its hover what it is, and then the fields that no sentence said', () => {
    const facts = { serviceSub: 'portal', extra: 7, expiresAt: new Date(now).toISOString() };
    const { value } = installHover(install(now + minutes(46), facts), organization, now);
    const shown = value.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    assert.match(
      shown,
      /^\*\*Acme CRM\*\* · Acme production\n\nPending install of HubSpot\. Requires the pro plan\. Expires on Nov 20, 2026, [^\n]*\.\n\n- `serviceSub` portal\n- `extra` 7$/,
    );
    const unread = installHover(install(undefined, { expiresAt: 'soon' }), organization, now);
    assert.match(unread.value, /- `expiresAt` soon$/);
  });
});

describe('the rows of Pending Installs', () => {
  it('are drawn again as their words change, and all of them when one expires and takes another place', () => {
    const clock = new ManualClock(now);
    const soon = { ...install(now + 3000), id: 'soon' };
    const later = { ...install(now + minutes(60)), id: 'later' };
    const changed = new Emitter<void>();
    const installs = { installs: [soon, later], onDidChange: changed.event };
    const services = { installs, organizations: { get: () => organization } };
    const view = new InstallsView(services, new TreeViewInMemory<PendingInstall>(), clock);
    const drawn: string[] = [];
    view.onDidChangeTreeData((rows) => drawn.push(rows?.map(({ id }) => id).join(' ') ?? 'everything'));
    clock.pass(4000);
    assert.deepEqual(drawn.splice(0), ['soon later', 'soon', 'everything']);
    installs.installs = [later];
    changed.fire();
    clock.pass(2000);
    assert.deepEqual(drawn, ['everything']);
    assert.deepEqual(view.getChildren(), [later]);
    view.dispose();
    assert.equal(clock.waiting, 0);
  });
});
