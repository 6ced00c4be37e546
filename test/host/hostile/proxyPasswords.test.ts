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
/** An address at which nothing listens. */
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

/** The texts without times, which differ from run to run. */
function withoutNumbers(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.replace(/\d+/g, '0'));
}

describe('the password of an unusable or unreachable proxy', function () {
  this.timeout(180_000);
  let shown: Shown;
  beforeEach(() => {
    shown = recordWindow();
  });

  /** All texts that are shown when requests go through this proxy, and those of Check Connection. */
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

  it('is shown nowhere, not even in part', async () => {
    await fc.assert(
      fc.asyncProperty(proxiesWith(strangePasswords, peer), async ({ address, password }) => {
        const text = (await textsOf(address)).join('\n');
        const shownParts = partsOf(password).filter((part) => text.includes(part));
        assert.deepEqual(shownParts, [], text);
      }),
      { numRuns: 8 },
    );
  });

  it('changes no text except for the character to correct', async () => {
    await fc.assert(
      fc.asyncProperty(
        proxiesWith(anyPasswords, peer),
        async ({ address, password: { written, told } }) => {
          const withHarmlessPassword = address.replace(`:${written}@`, () => `:${told}@`);
          assert.deepEqual(
            withoutNumbers(await textsOf(address)),
            withoutNumbers(await textsOf(withHarmlessPassword)),
          );
        },
      ),
      { numRuns: 5 },
    );
  });
});
