import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { revocationSentence } from '../../../src/commands/revokeApiKey.js';
import { countsText } from '../../../src/host/text/deployment.js';
import { clockTime, relativeTime } from '../../../src/host/text/format.js';
import { planText, timeLeftText } from '../../../src/host/text/install.js';
import type { Counts } from '../../../src/model/deployment.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import { installHover } from '../../../src/views/hovers/installHover.js';
import { statusHover } from '../../../src/views/hovers/statusHover.js';
import { installItem } from '../../../src/views/installItem.js';
import { statusSummary } from '../../../src/views/statusSummary.js';
import { decorationOf, problemUri } from '../../../src/views/tree/row.js';
import { viewDescription } from '../../../src/views/viewDescription.js';
import { billing, deployment, minutes, now, organization, satisfied } from './fixtures.js';
import { look } from './look.js';

const none: Counts = { total: 0, withProblems: 0, unknown: 0, notYetRead: 0, stale: 0 };
const bad = deployment({ id: 'bad', label: 'Billing sync', authorization: billing });
const good = deployment({ id: 'good', authorization: satisfied });
const signedIn = { current: organization, missing: undefined };

describe('the view’s description', () => {
  const cases: readonly [Partial<Counts>, { done: number; total: number } | undefined, string][] = [
    [{}, undefined, 'Acme production · not checked yet'],
    [{ total: 14, withProblems: 2 }, undefined, 'Acme production · 2 of 14 with problems'],
    [{ total: 14 }, undefined, 'Acme production · no problems'],
    [{ total: 14, notYetRead: 14 }, undefined, 'Acme production · 14 not checked yet'],
    [{ total: 14, unknown: 1, notYetRead: 2 }, undefined, 'Acme production · no problems, 3 of 14 unknown'],
    [{ total: 10_000, withProblems: 2 }, { done: 312, total: 10_000 }, 'Acme production · 312 of 10,000'],
  ];
  for (const [counts, progress, expected] of cases) {
    it(expected, () => {
      assert.equal(viewDescription(organization, { counts: { ...none, ...counts }, progress }), expected);
    });
  }

  it('is empty when nobody is signed in', () => {
    assert.equal(viewDescription(undefined, { counts: none, progress: undefined }), undefined);
  });
});

describe('the status bar', () => {
  type Store = Parameters<typeof statusSummary>[1];
  const store = (counts: Partial<Counts>, more: Partial<Store> = {}): Store => ({
    counts: { ...none, ...counts },
    progress: undefined,
    cause: undefined,
    deployments: [bad, good],
    ...more,
  });
  const pausedUntil = Date.now() + 60_000;
  const cases: readonly [string, Parameters<typeof statusSummary>[0], Store, string | undefined, string?][] = [
    ['nothing is listed', signedIn, store({}), undefined],
    ['still reading the keyring', { current: undefined, missing: 'loading' }, store({}), undefined],
    [
      'the keyring cannot be read',
      { current: undefined, missing: 'unreadable' },
      store({}),
      'lock Automation Platform: keyring cannot be read',
    ],
    [
      'not signed in',
      { current: undefined, missing: 'notSignedIn' },
      store({}),
      'sign-in Automation Platform: not signed in',
    ],
    [
      'none chosen',
      { current: undefined, missing: 'chooseOne' },
      store({}),
      'organization Automation Platform: no organization chosen',
    ],
    [
      'checking',
      signedIn,
      store({ total: 14 }, { progress: { done: 3, total: 14 } }),
      'sync~spin Automation Platform: checking… · 3 of 14',
    ],
    [
      'one cause for all',
      signedIn,
      store(
        { total: 14, stale: 14 },
        { cause: { kind: 'failure', failure: { kind: 'tokenRejected', status: 401 }, at: 0 } },
      ),
      'circle-slash Automation Platform: token rejected (401)',
    ],
    [
      'paused in the middle of a refresh',
      signedIn,
      store({ total: 14 }, { progress: { done: 3, total: 14 }, cause: { kind: 'paused', until: pausedUntil } }),
      `debug-pause Automation Platform: paused by the service (429) until ${clockTime(pausedUntil)}`,
    ],
    [
      'problems',
      signedIn,
      store({ total: 14, withProblems: 2 }),
      'error 2 of 14 deployments',
      'Automation Platform: 2 of 14 with problems',
    ],
    [
      'problems, partly stale',
      signedIn,
      store({ total: 14, withProblems: 2, stale: 1 }, { deployments: [good] }),
      'warning 2 of 14 deployments · stale',
      'Automation Platform: 2 of 14 with problems · stale',
    ],
    ['all well', signedIn, store({ total: 1 }), 'pass 1 deployment', 'Automation Platform: no problems'],
    ['stale', signedIn, store({ total: 2, stale: 2 }), 'history 2 deployments · stale'],
    ['unknown', signedIn, store({ total: 3, unknown: 1 }), 'question 3 deployments · 1 unknown'],
    ['not read', signedIn, store({ total: 3, notYetRead: 3 }), 'circle-large-outline 3 deployments · not checked yet'],
  ];
  for (const [what, organizations, facts, expected, spoken] of cases) {
    it(what, () => {
      const summary = statusSummary(organizations, facts);
      assert.equal(summary && `${summary.icon} ${summary.text}`, expected);
      if (spoken) assert.equal(summary?.spoken, spoken);
    });
  }

  it('lists the worst five in its hover, each a link to its row and to nothing else', () => {
    const deployments = [...Array.from({ length: 7 }, (_, index) => ({ ...bad, id: `bad (${index})` })), good];
    const counts = { ...none, total: 8, withProblems: 7 };
    const hover = statusHover(organization, { deployments, counts, cause: undefined });
    const links = [...hover.value.matchAll(/\]\((command:[^)]*)\)/g)].map(([, link]) => link);
    assert.deepEqual(
      links,
      deployments
        .slice(0, 5)
        .map(
          ({ id }) =>
            `command:automationPlatform.internal.revealDeployment?%5B%22${id.replace(' (', '%20%28').replace(')', '%29')}%22%5D`,
        ),
    );
    assert.ok(hover.value.includes('2 more'));
    assert.deepEqual(hover.isTrusted, { enabledCommands: ['automationPlatform.internal.revealDeployment'] });
  });

  it('survives an id that is no whole text', () => {
    const deployments = [{ ...bad, id: 'broken \uD800' }];
    const counts = { ...none, total: 1, withProblems: 1 };
    assert.ok(statusHover(organization, { deployments, counts, cause: undefined }).value);
  });
});

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
  it('counts down', () => {
    for (const [left, expected] of [
      [minutes(46), '46 min left'],
      [minutes(80), '1 hr 20 min left'],
      [12_000, '12 sec left'],
      [-1, 'lapsed just now'],
      [-minutes(120), 'lapsed 2 hr. ago'],
    ] as const) {
      assert.equal(timeLeftText(install(now + left), now), expected);
    }
    assert.equal(timeLeftText(install(undefined, { expiresAt: 'soon' }), now), 'lapses: soon');
    assert.equal(timeLeftText(install(undefined), now), 'time left unknown');
  });

  it('shows service, plan and time left, and says the absolute time to a screen reader', () => {
    const shown = look(installItem(install(now + minutes(46)), now));
    assert.equal(shown.text, 'Acme CRM | needs pro · 46 min left · HubSpot');
    assert.match(shown.spoken, /^Acme CRM, pending install, needs pro, lapses on Nov 2\d, 2026, .*, HubSpot$/);
    assert.equal(shown.icon, 'package');
    assert.equal(look(installItem(install(now - 1), now)).icon, 'circle-slash disabledForeground');
  });

  it('shows plans that nobody knows as they come', () => {
    assert.deepEqual(['free', 'pro', 'enterprise', '', undefined].map(planText), [
      'free',
      'needs pro',
      'needs enterprise',
      'plan unknown',
      'plan unknown',
    ]);
  });

  it('has every field in its hover', () => {
    const hover = installHover(install(now + minutes(46), { serviceSub: 'portal', extra: 7 }), organization, now);
    for (const part of ['`label`', '`requiredPlan`', '`serviceName`', '`serviceSub`', '`extra` 7', 'Acme production']) {
      assert.ok(hover.value.replaceAll('&#45;', '-').includes(part), part);
    }
  });
});

function say(outcome: Parameters<typeof revocationSentence>[0]): string {
  return revocationSentence(outcome, 'key_1', organization);
}

describe('words', () => {
  it('say how a revocation ended', () => {
    assert.equal(say({ kind: 'revoked', status: 204 }), '204: The API key key_1 of “Acme production” is revoked.');
    assert.match(
      say({ kind: 'refused', status: 404, failure: { kind: 'notFound', status: 404 } }),
      /^404: .* probably unknown or already revoked\..* was not revoked\.$/,
    );
    assert.match(
      say({ kind: 'unknown', status: 202 }),
      /^202: The outcome is not known: .*dashboard.*again by hand\.$/,
    );
    assert.match(
      say({ kind: 'unknown', failure: { kind: 'timedOut', after: 30_000 } }),
      /^The outcome is not known: .* no answer came\. Cause: timed out after 30 sec\. .*dashboard/,
    );
    assert.match(
      say({ kind: 'notSent', failure: { kind: 'cancelled' } }),
      /^Nothing was sent, so the API key key_1 of “Acme production” was not revoked\./,
    );
  });

  it('say an age at most once a minute', () => {
    assert.equal(relativeTime(now - 59_000, now), 'just now');
    assert.equal(relativeTime(now - 61_000, now), '1 min. ago');
    assert.equal(relativeTime(now + 5000, now), 'just now', 'a clock that is ahead');
  });

  it('count', () => {
    assert.equal(countsText(none), '');
    assert.equal(countsText({ ...none, total: 14, withProblems: 2, stale: 1 }), '2 of 14 with problems · stale');
    assert.equal(countsText({ ...none, total: 14, stale: 14 }), 'no problems · stale');
  });
});

describe('the decoration of rows with problems', () => {
  it('has a letter, a word and a colour, and an address without any id', () => {
    const failed = decorationOf(problemUri('failed'));
    assert.equal(failed?.badge, 'F');
    assert.equal(failed.tooltip, 'failed');
    assert.equal(failed.color?.id, 'list.errorForeground');
    assert.equal(decorationOf(problemUri('notSatisfied'))?.badge, 'N');
    assert.equal(problemUri('failed').toString(), 'automation-platform-problem:/failed');
    assert.equal(decorationOf(vscode.Uri.file('/failed')), undefined);
  });
});
