import { strict as assert } from 'node:assert';
import type { Counts } from '../../../src/model/deployment.js';
import { spokenText, statusHover, statusSummary } from '../../../src/views/statusBar.js';
import { billing, deployment, organization, satisfied } from './fixtures.js';

const none: Counts = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };
const bad = deployment({ id: 'bad', label: 'Billing sync', authorization: billing });
const good = deployment({ id: 'good', authorization: satisfied });
const dns = { step: 'dns', code: 'ENOTFOUND', host: 'api.acme.example' } as const;
const rejected = { kind: 'failure', failure: { kind: 'tokenRejected', status: 401 }, at: 0 } as const;
const unreachable = { kind: 'failure', failure: { kind: 'unreachable', cause: dns }, at: 0 } as const;
const paused = { kind: 'paused', until: Date.now() + 60_000 } as const;
const progress = { done: 9999, total: 10_000 };

describe('the status bar', () => {
  type Store = Parameters<typeof statusSummary>[1];
  const summaryOf = (
    counts: Partial<Counts>,
    more: Partial<Store> = {},
    missing?: 'loading' | 'unreadable' | 'notSignedIn' | 'chooseOne',
  ) => {
    const store = { progress: undefined, cause: undefined, deployments: [bad, good], ...more };
    const summary = statusSummary(
      { current: missing ? undefined : organization, missing },
      { ...store, counts: { ...none, ...counts } },
    );
    return summary && `${summary.icon} ${summary.text}`;
  };
  const cases: readonly [string | undefined, ...Parameters<typeof summaryOf>][] = [
    [undefined, {}, {}, 'loading'],
    [undefined, {}],
    ['lock Automation Platform: keyring unreadable', {}, {}, 'unreadable'],
    ['sign-in Automation Platform: not signed in', {}, {}, 'notSignedIn'],
    ['organization Automation Platform: no organization', {}, {}, 'chooseOne'],
    ['sync~spin Reading deployments: 9,999 of 10,000', { total: 1 }, { progress }],
    ['circle-slash Automation Platform: token rejected', { total: 2 }, { cause: rejected }],
    ['circle-slash Automation Platform unreachable', { total: 2 }, { cause: unreachable }],
    ['debug-pause Automation Platform: rate limited', { total: 2 }, { progress, cause: paused }],
    ['error 1 deployment failing', { total: 14, failing: 1, unknown: 4 }],
    ['warning 10,000 deployments failing', { total: 10_000, failing: 10_000 }, { deployments: [good] }],
    ['question 1 deployment unknown', { total: 9, unknown: 1, notYetRead: 1, healthy: 7 }],
    ['circle-large-outline Not all deployments read yet', { total: 3, notYetRead: 1, healthy: 2 }],
    ['circle-large-outline Deployments not read yet', { total: 3, notYetRead: 3 }],
    ['pass Deployments healthy', { total: 1, healthy: 1 }],
  ];
  for (const [expected, ...facts] of cases) {
    it(`says what is the matter: ${expected}`, () => {
      assert.equal(summaryOf(...facts), expected);
      assert.ok((expected?.replace(/^\S+ /, '').length ?? 0) <= 40);
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

  it('lists the worst five in its hover, each a link to its row and to nothing else, whatever its id', () => {
    const ids = ['bad (0)', 'bad (1)', 'broken \uD800', ...Array.from({ length: 4 }, (_, at) => `bad ${at}`)];
    const deployments = [...ids.map((id) => ({ ...bad, id })), good];
    const counts = { ...none, total: 8, failing: 7, healthy: 1 };
    const hover = statusHover(organization, { deployments, counts, cause: undefined });
    const links = [...hover.value.matchAll(/\]\(command:([^)]*)\)/g)].map(([, link]) => link);
    const reveal = 'automationPlatform.internal.revealDeployment';
    assert.deepEqual(
      links,
      ['bad%20%280%29', 'bad%20%281%29', 'broken%20%5Cud800', 'bad%200', 'bad%201'].map(
        (id) => `${reveal}?%5B%22${id}%22%5D`,
      ),
    );
    assert.ok(hover.value.includes('2 more'));
    assert.deepEqual(hover.isTrusted, { enabledCommands: [reveal] });
  });
});
