import { strict as assert } from 'node:assert';
import { Mentions } from '../../../../src/model/references/known.js';

describe('the deployments that open documents mention', () => {
  it('are told when they are others', () => {
    const told: string[] = [];
    const mentions = new Mentions<string>((ids) => told.push([...ids].toSorted().join(' ')));
    mentions.set('a', new Set(['dep_1']));
    mentions.set('b', new Set(['dep_1', 'dep_2']));
    mentions.set('c', new Set());
    mentions.set('a', new Set());
    mentions.set('b', new Set(['dep_2', 'dep_1']));
    mentions.set('b', new Set(['dep_2']));
    mentions.set('b', new Set());
    assert.deepEqual(told, ['dep_1', 'dep_1 dep_2', 'dep_2', '']);
  });
});
