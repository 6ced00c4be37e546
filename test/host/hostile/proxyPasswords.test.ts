import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { DEFAULT_TOKEN } from '../../support/platform/data.js';
import {
  anyPasswords,
  partsOf,
  proxiesWith,
  strangePasswords,
} from '../../support/proxyAddresses.js';
import { createGraph } from '../../support/window/graph.js';
import { surfacesOf } from '../../support/window/surfaces.js';
import { recordWindow, type Shown, settle } from '../../support/window/windowRecorder.js';

const baseUrl = 'https://platform.test.example/api/v1';
/** Nothing listens there. */
const peer = { host: '127.0.0.1', port: 1 };
const words = { fileName: 'a.json', issuer: 'CN=ca.example', redirectHost: 'other.example' };
const surfaces = [
  'rows',
  'hovers of rows',
  'the status bar’s hover',
  'the report on all',
  'tools',
  'the check as text',
  'the check as annotations',
  'the check as JSON',
] as const;

/** Times differ from run to run. */
function withoutNumbers(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.replace(/\d+/g, '0'));
}

describe('the password of a proxy that cannot be used or reached', function () {
  this.timeout(180_000);
  let shown: Shown;
  beforeEach(() => {
    shown = recordWindow();
  });

  /** All that is said of a way through this proxy. */
  async function textsOf(address: string): Promise<readonly string[]> {
    for (const list of Object.values(shown)) list.length = 0;
    const graph = createGraph({ https_proxy: address });
    await graph.services.organizations.ready;
    await graph.services.organizations.signIn({ name: 'Acme', baseUrl, token: DEFAULT_TOKEN });
    await graph.read('dep_1');
    const all = surfacesOf(graph, shown, words);
    const seen: string[] = [];
    for (const name of surfaces) seen.push(...(await all[name]!.texts()));
    await graph.run('checkConnection');
    await settle();
    seen.push(
      vscode.window.activeTextEditor!.document.getText(),
      ...shown.messages.flat(),
      ...graph.lines,
    );
    assert.match(seen.join('\n'), /https_proxy/);
    assert.match(seen.join('\n'), /First failed step/);
    graph.app.dispose();
    return seen;
  }

  it('stands in no text, not even a part of it', async () => {
    await fc.assert(
      fc.asyncProperty(proxiesWith(strangePasswords, peer), async ({ address, password }) => {
        const text = (await textsOf(address)).join('\n');
        for (const part of partsOf(password))
          assert.ok(!text.includes(part), `${part} in\n${text}`);
      }),
      { numRuns: 8 },
    );
  });

  it('changes no text, but for the one character that has to be corrected', async () => {
    await fc.assert(
      fc.asyncProperty(
        proxiesWith(anyPasswords, peer),
        async ({ address, password: { written, told } }) => {
          const without = address.replace(`:${written}@`, () => `:${told}@`);
          assert.deepEqual(
            withoutNumbers(await textsOf(address)),
            withoutNumbers(await textsOf(without)),
          );
        },
      ),
      { numRuns: 5 },
    );
  });
});
