import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { jsonPreview } from '../../../src/api/json.js';
import { unknownFields } from '../../../src/api/unknownFields.js';

describe('unknown fields', () => {
  it('are those that the reference does not name, in their order', () => {
    const sent: object = JSON.parse('{"z":1,"id":"a","error":{"code":"c","why":2},"__proto__":3,"satisfied":true}');
    assert.deepEqual(unknownFields(sent, 'account'), [
      { name: 'z', value: 1 },
      { name: '__proto__', value: 3 },
      { name: 'satisfied', value: true },
    ]);
    assert.deepEqual(unknownFields({ code: 'c', why: 2 }, 'accountError'), [{ name: 'why', value: 2 }]);
    assert.deepEqual(unknownFields({ satisfied: true, id: 1 }, 'requirement'), [{ name: 'id', value: 1 }]);
    assert.deepEqual(unknownFields({ minimalScopes: [], toString: 1 }, 'connection'), [{ name: 'toString', value: 1 }]);
    assert.deepEqual(unknownFields({ accounts: [], next: 1 }, 'deploymentAuthorization'), [{ name: 'next', value: 1 }]);
    assert.deepEqual(unknownFields({ requiredPlan: 'x', iconUrl: 'y' }, 'integrationInstall'), [
      { name: 'iconUrl', value: 'y' },
    ]);
  });

  it('are shown as JSON of a bounded length', () => {
    assert.equal(jsonPreview({ a: [1, null, 'x"'], b: {} }, 200), '{"a":[1,null,"x\\""],"b":{}}');
    assert.equal(jsonPreview('x'.repeat(1000), 10), '"xxxxxxxx…');
    assert.equal(jsonPreview(['😀', '😀'], 4), '["…');
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 50 }), (value, longest) => {
        const text = jsonPreview(value, longest);
        assert.ok(text.length <= longest);
        const whole = JSON.stringify(value);
        assert.ok(text === whole || text.endsWith('…') || whole.includes('-0'), `${text} for ${whole}`);
      }),
    );
  });

  it('may be nested 100,000 deep', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    assert.ok(jsonPreview(deep, 200).length <= 200);
    const objects: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    assert.equal(jsonPreview(objects, 9), '{"a":{"a…');
  });
});
