import { strict as assert } from 'node:assert';
import { readBoolean, readChoice, readInteger, readText } from '../../../src/host/settings.js';

describe('a value of the settings', () => {
  it('is a whole number within its bounds, or the default', () => {
    const setting = { key: 'k', default: 30, minimum: 1, maximum: 600 };
    assert.deepEqual(readInteger(setting, undefined), { value: 30 });
    for (const good of [1, 30, 600]) assert.deepEqual(readInteger(setting, good), { value: good });
    for (const bad of [0, 601, -1, 1.5, '30', null, [], Number.NaN, 1e308]) {
      assert.deepEqual(readInteger(setting, bad), {
        value: 30,
        rejected: { key: 'k', reason: 'is not a whole number from 1 to 600; 30 is used instead' },
      });
    }
  });

  it('is of its type, or the default', () => {
    assert.deepEqual(readBoolean('k', true, false), { value: false });
    assert.equal(readBoolean('k', true, 'false').value, true);
    assert.deepEqual(readText('k', ' https://host.example/api/v1 '), { value: 'https://host.example/api/v1' });
    assert.equal(readText('k', 5).rejected?.reason, 'is no text and is ignored');
    assert.deepEqual(readChoice('k', ['a', 'b'], 'a', 'b'), { value: 'b' });
    assert.equal(readChoice('k', ['a', 'b'], 'a', 'B').rejected?.reason, 'is none of a, b; a is used instead');
  });
});
