import { strict as assert } from 'node:assert';
import type { Counts } from '../../../src/model/deployment.js';
import { spokenText, statusHover, statusSummary } from '../../../src/views/statusBar.js';
import { billing, deployment, organization, satisfied } from './fixtures.js';

const none: Counts = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };
const bad = deployment({ id: 'bad', label: 'Billing sync', authorization: billing });
const good = deployment({ id: 'good', authorization: satisfied });
const signedIn = { current: organization, missing: undefined };

const without = (missing: 'loading' | 'unreadable' | 'notSignedIn' | 'chooseOne') => ({ current: undefined, missing });

describe('the status bar', () => {
  type Store = Parameters<typeof statusSummary>[1];
  const store = (counts: Partial<Counts>, more: Partial<Store> = {}): Store => ({
    counts: { ...none, ...counts },
    progress: undefined,
    cause: undefined,
    deployments: [bad, good],
    ...more,
  });
  const paused = { kind: 'paused', until: Date.now() + 60_000 } as const;
  const failing = (failure: { kind: 'tokenRejected'; status: 401 } | { kind: 'unreachable'; cause: typeof dns }) => ({
    cause: { kind: 'failure', failure, at: 0 } as const,
  });
  const dns = { step: 'dns', code: 'ENOTFOUND', host: 'api.acme.example' } as const;
  const progress = { done: 9999, total: 10_000 };
  const cases: readonly [string, Parameters<typeof statusSummary>[0], Store, string | undefined][] = [
    ['still reading the keyring', without('loading'), store({}), undefined],
    ['keyring', without('unreadable'), store({}), 'lock Automation Platform: keyring unreadable'],
    ['not signed in', without('notSignedIn'), store({}), 'sign-in Automation Platform: not signed in'],
    ['none chosen', without('chooseOne'), store({}), 'organization Automation Platform: no organization'],
    ['reading', signedIn, store({ total: 1 }, { progress }), 'sync~spin Reading deployments: 9,999 of 10,000'],
    [
      'rejected',
      signedIn,
      store({ total: 2 }, failing({ kind: 'tokenRejected', status: 401 })),
      'circle-slash Automation Platform: token rejected',
    ],
    [
      'unreachable',
      signedIn,
      store({ total: 2 }, failing({ kind: 'unreachable', cause: dns })),
      'circle-slash Automation Platform unreachable',
    ],
    [
      'paused in the middle of a refresh',
      signedIn,
      store({ total: 2 }, { progress, cause: paused }),
      'debug-pause Automation Platform: rate limited',
    ],
    ['one failing', signedIn, store({ total: 14, failing: 1, unknown: 4 }), 'error 1 deployment failing'],
    [
      'many failing, the worst not satisfied',
      signedIn,
      store({ total: 10_000, failing: 10_000 }, { deployments: [good] }),
      'warning 10,000 deployments failing',
    ],
    ['unknown', signedIn, store({ total: 9, unknown: 1, notYetRead: 1, healthy: 7 }), 'question 1 deployment unknown'],
    [
      'some not read',
      signedIn,
      store({ total: 3, notYetRead: 1, healthy: 2 }),
      'circle-large-outline Not all deployments read yet',
    ],
    ['nothing read', signedIn, store({ total: 3, notYetRead: 3 }), 'circle-large-outline Deployments not read yet'],
    ['all well', signedIn, store({ total: 1, healthy: 1 }), 'pass Deployments healthy'],
  ];
  for (const [what, organizations, facts, expected] of cases) {
    it(`${what}: ${expected}`, () => {
      const summary = statusSummary(organizations, facts);
      assert.equal(summary && `${summary.icon} ${summary.text}`, expected);
      assert.ok((summary?.text.length ?? 0) <= 40);
    });
  }

  const spoken: readonly [text: string, Partial<Counts>, expected: string][] = [
    ['3 deployments failing', { failing: 3, unknown: 4, muted: 1 }, ': 3 deployments failing, 4 unknown, 1 muted'],
    ['1 deployment unknown', { unknown: 1, notYetRead: 2 }, ': 1 deployment unknown, 2 not read yet'],
    ['Not all deployments read yet', { notYetRead: 1, healthy: 2 }, ': Not all deployments read yet'],
    ['No deployments failing, 2 muted', { muted: 2, healthy: 1 }, ': No deployments failing, 2 muted'],
    ['Deployments healthy', { healthy: 14 }, ': Deployments healthy'],
    ['Automation Platform unreachable', { failing: 1, unknown: 1 }, ' unreachable, 1 deployment failing, 1 unknown'],
    ['Automation Platform: not signed in', {}, ': not signed in'],
  ];
  for (const [text, counts, expected] of spoken) {
    it(`says each fact once to a screen reader${expected}`, () => {
      const total = Object.values(counts).reduce((a, b) => a + b, 0);
      assert.equal(spokenText(text, { ...none, ...counts, total }), `Automation Platform${expected}`);
    });
  }

  it('lists the worst five in its hover, each a link to its row and to nothing else', () => {
    const deployments = [...Array.from({ length: 7 }, (_, index) => ({ ...bad, id: `bad (${index})` })), good];
    const counts = { ...none, total: 8, failing: 7, healthy: 1 };
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
    const counts = { ...none, total: 1, failing: 1 };
    assert.ok(statusHover(organization, { deployments, counts, cause: undefined }).value);
  });
});
