import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { decorationOf, treeItem } from '../../../../src/views/tree/row.js';

describe('the decoration of rows with problems', () => {
  it('is a colour without a letter, and an address without any id', () => {
    const decorated = (['failed', 'notSatisfied', 'muted', 'unknown', 'satisfied'] as const).map((state) => {
      const icon = new vscode.ThemeIcon('pass');
      const { resourceUri } = treeItem({ id: 'deployment:dep_1', label: 'dep_1', icon, spoken: [], state });
      const { color, badge } = (resourceUri && decorationOf(resourceUri)) ?? {};
      return [resourceUri?.toString(), color?.id, badge];
    });
    assert.deepEqual(decorated, [
      ['automation-platform-problem:failed', 'list.errorForeground', undefined],
      ['automation-platform-problem:notSatisfied', 'list.warningForeground', undefined],
      ['automation-platform-problem:muted', 'descriptionForeground', undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    assert.equal(decorationOf(vscode.Uri.file('/failed')), undefined);
  });
});
