import assert from 'node:assert/strict';
import { healthy } from '../../support/service/data.js';
import type { Fault } from '../../support/service/faults.js';
import { hostileAnswers } from '../../support/service/hostile.js';
import { type Service, startService } from '../../support/service/service.js';
import { ask, askRaw } from './ask.js';

const PATH = '/deployments/dep_1/authorization';

describe('service: hostile answers', () => {
  let service: Service;

  before(async () => {
    service = await startService();
    service.putDeployment('dep_1', healthy());
  });

  after(() => service.stop());

  /** Goes as soon as there is something, or, where nothing will come, as soon as the request has arrived. */
  const leave = async (fault: Fault) => {
    const going = new AbortController();
    const asked = askRaw(service, PATH, () => true, going.signal);
    await service.waitForRequests(1);
    if (fault.silent) {
      going.abort();
    }
    return asked;
  };

  for (const [group, table] of Object.entries(hostileAnswers())) {
    it(`${group}: each is sent in full or left, and leaves the service whole`, async () => {
      for (const [name, fault] of Object.entries(table)) {
        service.clearRequests();
        service.fault('all', { ...fault, times: 1 });
        const asked = group === 'tooMuch' ? leave(fault) : askRaw(service, PATH);
        const { end } = await asked;
        const [record] = await service.waitForRequests(1, { state: ['answered', 'broken', 'aborted'] });
        assert.match(String(record?.state), endOf(group, fault), `${name} ended with ${end}`);
        assert.equal((await ask(service, PATH)).status, 200, name);
      }
    });
  }

  it('are all different', () => {
    const sent = Object.values(hostileAnswers()).flatMap((table) =>
      Object.values(table).map((fault) => JSON.stringify(fault)),
    );
    assert.ok(sent.length > 250);
    assert.equal(new Set(sent).size, sent.length);
  });
});

/** How the record of a request has to end: an error inside the service would show as `broken`. */
function endOf(group: string, { cut, reset, hugeHeaders }: Fault): RegExp {
  if (group === 'tooMuch') {
    // A megabyte may or may not be with the operating system already when the client goes.
    return hugeHeaders === undefined ? /^aborted$/ : /^(aborted|answered)$/;
  }
  return cut === undefined && reset === undefined ? /^answered$/ : /^broken$/;
}
