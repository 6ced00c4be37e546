import { strict as assert } from 'node:assert';
import { exchangeLine } from '../../../src/host/log.js';

const exchange = {
  method: 'GET',
  template: '/deployments/{deploymentId}/authorization',
  host: 'host.example',
  status: 200,
  bytes: 2100,
  duration: 34.4,
  attempts: 1,
} as const;

describe('the log line of a request', () => {
  it('says what was asked, what came of it, how much and how long', () => {
    assert.equal(
      exchangeLine(exchange),
      'GET /deployments/{deploymentId}/authorization 200, 2100 B, 34 ms, host.example',
    );
  });

  it('says why there is no usable answer', () => {
    assert.equal(
      exchangeLine({
        method: 'DELETE',
        template: '/api-keys/{keyId}',
        host: 'host.example:8443',
        failure: { kind: 'timedOut', after: 30_000 },
        bytes: 0,
        duration: 30_004,
        attempts: 3,
      }),
      'DELETE /api-keys/{keyId} timedOut, 0 B, 30004 ms, 3 attempts, host.example:8443',
    );
    assert.match(
      exchangeLine({ ...exchange, failure: { kind: 'unusable', reason: 'notJson', status: 200 } }),
      / 200 unusable,/,
    );
  });
});
