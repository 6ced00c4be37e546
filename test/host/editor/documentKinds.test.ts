import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { hasHovers, isDiagnosed } from '../../../src/views/editor/documents.js';

const log =
  'logs/20261120T120000/window1/exthost1/automation-platform-tools.automation-platform/Automation%20Platform.log';

describe('documents', () => {
  for (const [address, diagnosed, hovers] of [
    ['file:///a/b.yaml', true, true],
    ['untitled:Untitled-1', true, true],
    ['vscode-remote://wsl%2Bubuntu/a.ts', true, true],
    ['vscode-vfs://github/owner/repository/a.ts', true, true],
    ['vscode-userdata:/User/settings.json', true, true],
    ['vscode-notebook-cell:/a.ipynb#W0', true, true],
    ['file:///a/service.log', true, true],
    ['git:/a/b.yaml?%7B%7D', false, true],
    ['review:/a/b.yaml', false, true],
    ['output:extension-output-%231-Automation%20Platform', false, false],
    ['debug:repl', false, false],
    ['vscode-scm:git/scm0/input', false, false],
    ['comment://1/commentinput.md', false, false],
    ['chatSessionInput:input-0', false, false],
    [`file:///home/me/.config/Code/${log}`, false, false],
    [`vscode-userdata:/${log}`, false, false],
    [`vscode-remote://ssh-remote%2Bhost/home/me/.vscode-server/data/${log}`, false, false],
  ] as const) {
    const what = diagnosed ? 'have diagnostics and hovers' : hovers ? 'have hovers' : 'have nothing of us';
    it(`${what}: ${address}`, () => {
      const uri = vscode.Uri.parse(address, true);
      assert.deepEqual([isDiagnosed({ uri }), hasHovers({ uri })], [diagnosed, hovers]);
    });
  }
});
