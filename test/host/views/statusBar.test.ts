import { strict as assert } from 'node:assert';
import { clockTime } from '../../../src/host/text/format.js';
import type { Counts } from '../../../src/model/deployment.js';
import { statusHover, statusSummary } from '../../../src/views/statusBar.js';
import { billing, deployment, organization, satisfied } from './fixtures.js';

const none: Counts = { total: 0, withProblems: 0, unknown: 0, notYetRead: 0, stale: 0 };
const bad = deployment({ id: 'bad', label: 'Billing sync', authorization: billing });
const good = deployment({ id: 'good', authorization: satisfied });
const signedIn = { current: organization, missing: undefined };

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
