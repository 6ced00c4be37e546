import { strict as assert } from 'node:assert';
import { revocationSentence } from '../../../src/commands/revokeApiKey.js';
import { organization } from '../views/fixtures.js';

function say(outcome: Parameters<typeof revocationSentence>[0]): string {
  return revocationSentence(outcome, 'key_live_42', organization);
}

describe('words', () => {
  it('say how a revocation ended', () => {
    assert.equal(say({ kind: 'revoked', status: 204 }), 'Revoked API key key_live_42 in Acme production.');
    assert.equal(
      say({ kind: 'refused', status: 404, failure: { kind: 'notFound', status: 404 } }),
      'API key key_live_42 in Acme production was not revoked. Not found (404). The key ID is probably unknown, or the key is already revoked. Check the key ID in the dashboard.',
    );
    assert.equal(
      say({ kind: 'unknown', status: 202 }),
      'Outcome unknown: API key key_live_42 in Acme production may have been revoked. The response was 202. Look for the key in the dashboard, or revoke it again.',
    );
    assert.equal(
      say({ kind: 'unknown', failure: { kind: 'timedOut', after: 30_000 } }),
      'Outcome unknown: API key key_live_42 in Acme production may have been revoked. Timed out. Look for the key in the dashboard, or revoke it again.',
    );
    assert.equal(
      say({ kind: 'notSent', failure: { kind: 'cancelled' } }),
      'API key key_live_42 in Acme production was not revoked. Nothing was sent. Cancelled.',
    );
  });
});
