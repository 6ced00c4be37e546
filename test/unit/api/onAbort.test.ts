import { strict as assert } from 'node:assert';
import { getEventListeners } from 'node:events';
import { onAbort } from '../../../src/api/deadline.js';

describe('what waits for a signal', () => {
  it('is called once each, whoever left before', () => {
    const controller = new AbortController();
    const called: string[] = [];
    const forget = onAbort(controller.signal, () => called.push('gone'));
    onAbort(controller.signal, () => called.push('first'));
    onAbort(controller.signal, () => called.push('second'));
    forget();
    controller.abort();
    assert.deepEqual(called, ['first', 'second']);
  });

  it('shares one listener, which goes with the last: a signal of AbortSignal.any is kept as long as anybody listens', () => {
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, 'abort').length;
    const forget = [1, 2, 3].map(() => onAbort(signal, () => {}));
    assert.equal(listeners(), 1);
    for (const one of forget) one();
    assert.equal(listeners(), 0);
    // Forgetting twice takes nobody else's away.
    onAbort(signal, () => {});
    for (const one of forget) one();
    assert.equal(listeners(), 1);
  });
});
