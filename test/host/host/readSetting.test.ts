import { strict as assert } from 'node:assert';
import { boolean, choice, integer, readSetting, text } from '../../../src/host/settings.js';

describe('a value of the settings', () => {
  it('is a whole number within its bounds, or the default', () => {
    const shape = integer({ default: 30, minimum: 1, maximum: 600 });
    assert.deepEqual(readSetting(shape, undefined), { value: 30 });
    for (const good of [1, 30, 600]) assert.deepEqual(readSetting(shape, good), { value: good });
    for (const bad of [0, 601, -1, 1.5, '30', null, [], Number.NaN, 1e308]) {
      assert.deepEqual(readSetting(shape, bad), {
        value: 30,
        rejected: 'is not a whole number from 1 to 600; 30 is used instead',
      });
    }
  });

  it('is of its type, or the default', () => {
    assert.deepEqual(readSetting(boolean(true), false), { value: false });
    assert.equal(readSetting(boolean(true), 'false').value, true);
    assert.deepEqual(readSetting(text, ' https://host.example/api/v1 '), { value: 'https://host.example/api/v1' });
    assert.equal(readSetting(text, 5).rejected, 'is no text and is ignored');
    assert.deepEqual(readSetting(choice(['a', 'b'], 'a'), 'b'), { value: 'b' });
    assert.equal(readSetting(choice(['a', 'b'], 'a'), 'B').rejected, 'is none of a, b; a is used instead');
  });
});
