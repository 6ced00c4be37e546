import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { hasHovers, isDiagnosed } from '../../../src/views/editor/documents.js';

const log = 'logs/window1/exthost1/automation-platform-tools.automation-platform/Automation%20Platform.log';

describe('documents', () => {
  for (const [what, expected, ...addresses] of [
    ['have diagnostics and hovers', [true, true], 'file:///a/b.yaml', 'file:///a/service.log', 'untitled:Untitled-1'],
    ['have them on other machines', [true, true], 'vscode-remote://wsl%2Bubuntu/a.ts', 'vscode-vfs://github/a.ts'],
    ['in settings and cells', [true, true], 'vscode-userdata:/User/settings.json', 'vscode-notebook-cell:/a.ipynb#W0'],
    ['have hovers', [false, true], 'git:/a/b.yaml?%7B%7D', 'review:/a/b.yaml'],
    ['belong to no project', [false, false], 'output:extension-output', 'debug:repl', 'vscode-scm:git/scm0/input'],
    ['are inputs', [false, false], 'comment://1/commentinput.md', 'chatSessionInput:input-0'],
    ['are our log', [false, false], `file:///home/me/.config/Code/${log}`, `vscode-userdata:/${log}`],
  ] as const) {
    it(`${what}: ${addresses.join(' ')}`, () => {
      for (const address of addresses) {
        const uri = vscode.Uri.parse(address, true);
        assert.deepEqual([isDiagnosed({ uri }), hasHovers({ uri })], expected, address);
      }
    });
  }
});
