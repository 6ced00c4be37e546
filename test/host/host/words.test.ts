import { strict as assert } from 'node:assert';
import { revocationSentence } from '../../../src/commands/revokeApiKey.js';
import { countsText } from '../../../src/host/text/deployment.js';
import { relativeTime } from '../../../src/host/text/format.js';
import { now, organization } from '../views/fixtures.js';

const none = { total: 0, withProblems: 0, unknown: 0, notYetRead: 0, stale: 0 };

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
