import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { decorationOf, problemUri } from '../../../../src/views/tree/row.js';

describe('the decoration of rows with problems', () => {
  it('has a letter, a word and a colour, and an address without any id', () => {
    const failed = decorationOf(problemUri('failed'));
    assert.equal(failed?.badge, 'F');
    assert.equal(failed.tooltip, 'failed');
    assert.equal(failed.color?.id, 'list.errorForeground');
    assert.equal(decorationOf(problemUri('notSatisfied'))?.badge, 'N');
    assert.equal(problemUri('failed').toString(), 'automation-platform-problem:/failed');
    assert.equal(decorationOf(vscode.Uri.file('/failed')), undefined);
  });
});
