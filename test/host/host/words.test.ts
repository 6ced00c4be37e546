import { strict as assert } from 'node:assert';
import { revocationSentence } from '../../../src/commands/revokeApiKey.js';
import { countsText } from '../../../src/host/text/deployment.js';
import { nameList } from '../../../src/host/text/problem.js';
import { organization } from '../views/fixtures.js';

describe('words', () => {
  it('say how a revocation ended that has no usual answer', () => {
    for (const [outcome, sentence] of [
      [
        { kind: 'unknown', status: 202 },
        'Outcome unknown: API key key_live_42 in Acme production may have been revoked. The response was 202. Look for the key in the dashboard, or revoke it again.',
      ],
      [
        { kind: 'unknown', failure: { kind: 'timedOut', after: 30_000 } },
        'Outcome unknown: API key key_live_42 in Acme production may have been revoked. Timed out. Look for the key in the dashboard, or revoke it again.',
      ],
      [
        { kind: 'notSent', failure: { kind: 'cancelled' } },
        'API key key_live_42 in Acme production was not revoked. Nothing was sent. Cancelled.',
      ],
    ] as const) {
      assert.equal(revocationSentence(outcome, 'key_live_42', organization), sentence);
    }
  });

  it('say of what is only muted that none is failing', () => {
    const counts = { total: 2, failing: 0, unknown: 0, notYetRead: 0, muted: 2, healthy: 0 };
    assert.equal(countsText(counts), 'None failing, 2 muted');
  });

  it('name ten at most', () => {
    const names = Array.from({ length: 11 }, (_, at) => `n${at}`);
    assert.equal(nameList(names.slice(1)), names.slice(1).join(', '));
    assert.equal(nameList(names), `${names.slice(0, 10).join(', ')}, 1 more`);
  });
});
