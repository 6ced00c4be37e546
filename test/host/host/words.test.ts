import { strict as assert } from 'node:assert';
import { revocationSentence } from '../../../src/commands/revokeApiKey.js';
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
});
