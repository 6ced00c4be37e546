import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';

describe('the extension in VS Code', () => {
  it('is found and activates', async () => {
    const extension = vscode.extensions.getExtension('automation-platform-tools.automation-platform');
    assert.ok(extension, 'not found');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
