import { strict as assert } from 'node:assert';
import { clockTime } from '../../../src/host/text/format.js';
import type { Counts } from '../../../src/model/findings/deployment.js';
import { spokenText, statusHover, statusSummary } from '../../../src/views/statusBar.js';
import { billing, deployment, organization, satisfied, seenBefore } from '../../support/window/fixtures.js';

type Organizations = Parameters<typeof statusSummary>[0];
type Facts = Partial<Parameters<typeof statusSummary>[1]>;

const none: Counts = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };
const bad = deployment({ id: 'bad', label: 'Billing sync', authorization: billing });
const good = deployment({ id: 'good', authorization: satisfied });
const dns = { step: 'dns', code: 'ENOTFOUND', host: 'api.acme.example' } as const;
const shared = { kind: 'failure', isOffline: false, at: 0, asOf: undefined } as const;
const rejected = { ...shared, failure: { kind: 'tokenRejected', status: 401 } } as const;
const unreachable = { ...shared, failure: { kind: 'unreachable', cause: dns } } as const;
const paused = { kind: 'paused', until: Date.now() + 60_000 } as const;
const pausedWord = `Paused until ${clockTime(paused.until)}`;
const progress = { done: 9999, total: 10_000 };

function said(text: string, counts: Partial<Counts>): string {
  return spokenText(text, { ...none, total: 9, ...counts });
}

describe('the status bar', () => {
  const cases: readonly [string | undefined, Partial<Counts>, Facts?, missing?: Organizations['missing']][] = [
    [undefined, {}, {}, 'loading'],
    [undefined, {}],
    ['lock Automation Platform: keyring waiting', {}, {}, 'waiting'],
    ['lock Automation Platform: keyring unreadable', {}, {}, 'unreadable'],
    ['sign-in Automation Platform: not signed in', {}, {}, 'notSignedIn'],
    ['organization Automation Platform: no organization', {}, {}, 'chooseOne'],
    ['sign-in Automation Platform: signed out', {}, {}, 'chosenGone'],
    ['sync~spin Reading deployments: 9,999 of 10,000', { total: 1, notYetRead: 1 }, { progress }],
    [
      'sync~spin 7 deployments failing',
      { total: 10_000, failing: 7, notYetRead: 1 },
      { progress, deployments: [good] },
    ],
    ['circle-slash Token rejected (401) · nothing read yet', { total: 2, notYetRead: 2 }, { cause: rejected }],
    ['circle-slash Unreachable (DNS) · 7 failing', { total: 9, failing: 7, unknown: 2 }, { cause: unreachable }],
    ['sync~spin Unreachable (DNS) · 7 failing', { total: 9, failing: 7 }, { progress, cause: unreachable }],
    ['error 1 deployment failing', { total: 2, failing: 1 }, { cause: paused }],
    [`debug-pause ${pausedWord} · 1 failing`, { total: 2, failing: 1 }, { progress, cause: paused }],
    [`debug-pause ${pausedWord} · nothing read yet`, { total: 2, notYetRead: 2 }, { progress, cause: paused }],
    [
      'circle-slash Offline · nothing read yet',
      { total: 2, notYetRead: 2 },
      { cause: { ...unreachable, isOffline: true } },
    ],
    ['warning 10,000 deployments failing', { total: 10_000, failing: 10_000 }, { deployments: [good] }],
    ['question 1 deployment unknown', { total: 9, unknown: 1, notYetRead: 1, healthy: 7 }],
    ['circle-large-outline Not all deployments read yet', { total: 3, notYetRead: 1, healthy: 2 }],
    ['circle-large-outline Deployments not read yet', { total: 3, notYetRead: 3 }],
    ['circle-slash No deployments failing, 2 muted', { total: 3, muted: 2, healthy: 1 }],
    ['pass Deployments healthy', { total: 1, healthy: 1 }],
  ];
  for (const [expected, counts, facts = {}, missing] of cases) {
    it(`says the state of all deployments: ${expected}`, () => {
      const store = { progress: undefined, cause: undefined, deployments: [bad, good], ...facts };
      const summary = statusSummary(
        { current: missing ? undefined : organization, missing },
        { ...store, counts: { ...none, ...counts } },
      );
      assert.equal(summary && `${summary.icon} ${summary.text}`, expected);
      assert.ok((summary?.text.length ?? 0) <= 40);
    });
  }

  it('says a pause to a screen reader without the verdict, which follows with the counts', () => {
    const counts = { ...none, total: 2, failing: 1 };
    const store = { progress, cause: paused, deployments: [bad, good], counts };
    const summary = statusSummary({ current: organization, missing: undefined }, store);
    assert.equal(summary?.spoken, pausedWord);
  });

  it('says each fact once to a screen reader', () => {
    assert.equal(
      said('3 deployments failing', { failing: 3, unknown: 4, muted: 1 }),
      'Automation Platform: 3 deployments failing, 4 unknown, 1 muted',
    );
    assert.equal(
      said('Unreachable (DNS)', { failing: 1, unknown: 1 }),
      'Automation Platform: Unreachable (DNS), 1 deployment failing, 1 unknown',
    );
    assert.equal(said('Automation Platform: not signed in', { total: 0 }), 'Automation Platform: not signed in');
  });

  it('lists the worst five in its hover, each a link to its row and to nothing else, whatever its id', () => {
    const ids = ['bad (0)', 'broken \uD800', ...Array.from({ length: 5 }, (_, at) => `bad${at}`)];
    const deployments = [...ids.map((id) => ({ ...bad, id })), good];
    const hover = statusHover(organization, { deployments, counts: none, cause: undefined }, seenBefore);
    const links = [...hover.value.matchAll(/\]\(command:([^)]*)\)/g)].map(([, link]) => link);
    const reveal = 'automationPlatform.internal.revealDeployment';
    const shown = ['bad%20%280%29', 'broken%20%5Cud800', 'bad0', 'bad1', 'bad2'];
    assert.deepEqual(
      links,
      shown.map((id) => `${reveal}?%5B%22${id}%22%5D`),
    );
    assert.ok(hover.value.includes('2 more'));
    assert.deepEqual(hover.isTrusted, { enabledCommands: [reveal] });
  });
});
