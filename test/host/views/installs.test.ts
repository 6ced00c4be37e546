import { strict as assert } from 'node:assert';
import { planText, timeLeftText } from '../../../src/host/text/install.js';
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

describe('a pending install', () => {
  it('counts down', () => {
    assert.equal(timeLeftText(install(now + minutes(80)), now), '1 hr 20 min left');
    assert.equal(timeLeftText(install(now + 12_000), now), '12 sec left');
    assert.equal(timeLeftText(install(undefined, { expiresAt: 'soon' }), now), 'expires: soon');
    assert.equal(planText(''), 'plan unknown');
  });

  const rows: readonly [PendingInstall, icon: string, text: string, time: RegExp][] = [
    [install(now + minutes(46)), 'package', 'needs pro · 46 min left · HubSpot', /expires on Nov 20, 2026, .*/],
    [
      install(now, { requiredPlan: 'free', serviceName: 'Acme CRM' }),
      'circle-slash disabledForeground',
      'expired just now · free',
      /expired on Nov 20, 2026, .*/,
    ],
    [install(undefined), 'question', 'needs pro · time left unknown · HubSpot', /time left unknown/],
  ];
  for (const [one, icon, text, time] of rows) {
    it(`shows plan, time left and service, and says the absolute time to a screen reader: ${text}`, () => {
      const shown = look(installItem(one, now));
      assert.deepEqual([shown.icon, shown.text], [icon, `Acme CRM | ${text}`]);
      assert.match(shown.spoken, new RegExp(`^Acme CRM, pending install, (free|needs pro), ${time.source}`));
      assert.equal(shown.spoken.endsWith(', HubSpot'), text.endsWith('HubSpot'));
    });
  }

  it('says in its hover what it is, and then the fields that no sentence said', () => {
    const facts = { serviceSub: 'portal', extra: 7, expiresAt: new Date(now).toISOString() };
    assert.match(
      readIn(installHover(install(now + minutes(46), facts), organization, now)),
      /^\*\*Acme CRM\*\* · Acme production\n\nPending install of HubSpot\. Requires the pro plan\. Expires on Nov 20, 2026, [^\n]*\.\n\n- `serviceSub` portal\n- `extra` 7$/,
    );
    assert.match(
      readIn(installHover(install(undefined, { expiresAt: 'soon' }), undefined, now)),
      /- `expiresAt` soon$/,
    );
  });
});

describe('the rows of Pending Installs', () => {
  it('are drawn again when they change, and each second when one counts seconds', () => {
    const clock = new ManualClock(now);
    const changed = new Emitter<void>();
    const installs = { installs: [install(now + 3000), install(undefined)], onDidChange: changed.event };
    const services = { installs, organizations: { get: () => organization } };
    const view = new InstallsView(services, new TreeViewInMemory<PendingInstall>(), clock);
    const drawn: number[] = [];
    view.onDidChangeTreeData(() => drawn.push(clock.now() - now));
    clock.pass(3500);
    assert.deepEqual(drawn.splice(0), [1000, 2000, 3000]);
    installs.installs = [install(now + 5000)];
    changed.fire();
    clock.pass(500);
    assert.deepEqual(drawn, [3500, 4000]);
    assert.deepEqual(view.getChildren(), installs.installs);
    view.dispose();
    assert.equal(clock.waiting, 0);
  });
});
