import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { decorationOf, stateUri } from '../../../../src/views/tree/row.js';

describe('the decoration of rows with problems', () => {
  it('is a colour without a letter, and an address without any id', () => {
    const colors = (['failed', 'notSatisfied'] as const).map((state) => decorationOf(stateUri(state)));
    assert.deepEqual(
      colors.map((decoration) => [decoration?.color?.id, decoration?.badge]),
      [
        ['list.errorForeground', undefined],
        ['list.warningForeground', undefined],
      ],
    );
    assert.equal(stateUri('failed').toString(), 'automation-platform-problem:failed');
    assert.equal(decorationOf(vscode.Uri.file('/failed')), undefined);
  });
});
