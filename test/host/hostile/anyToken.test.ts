import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { account, authorization, connection, requirement } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { encoders, shows, tokens } from '../../support/spellings.js';
import { createGraph, platformOfTest } from '../../support/window/graph.js';
import { surfacesOf } from '../../support/window/surfaces.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

/** The test replaces it by the token. */
const marker = '@@';

/** An answer with the marker in one field. */
const places: Readonly<Record<string, () => object>> = {
  'an ID': () => answer({ id: marker }),
  'a label': () => answer({ label: marker }),
  'a platform': () => answer({ serviceId: marker }),
  'a scope': () => answer({ scopes: [marker] }),
  'an error code': () => answer({ error: { code: marker } }),
  'an error message': () => answer({ error: { code: 'gone', message: marker } }),
  'the name of a field': () => answer({ [marker]: 1 }),
  'an unknown field': () => answer({ unknown: { deep: [marker] } }),
  'a requirement': () => answer({}, { binding: marker }),
  'a connection': () => {
    const requiredScopes = [marker];
    return answer(
      {},
      {
        connections: [
          connection({ connectionMethodId: marker, minimalScopes: [], requiredScopes }),
        ],
      },
    );
  },
};

/** An answer with a failed account and an unsatisfied requirement, which have these fields, too. */
function answer(accountFields: object, requirementFields: object = {}): object {
  const failed = {
    ...account({ id: 'acc_1', label: 'Finance', error: { code: 'gone' } }),
    ...accountFields,
  };
  const missing = { ...requirement({ binding: 'ledger', satisfied: false }), ...requirementFields };
  return authorization([failed], [missing]);
}

/** The text within a string of JSON, perhaps with escapes that JSON does not need. */
function asJson(text: string, isEscaped: boolean): string {
  const json = JSON.stringify(text).slice(1, -1);
  if (!isEscaped) return json;
  return text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

describe('a token that the platform repeats', () => {
  it('is shown on no surface, whatever its field and encoding', async function () {
    this.timeout(120_000);
    const platform = await platformOfTest();
    const shown = recordWindow();
    const graph = createGraph();
    const { organizations } = graph.services;
    const { baseUrl } = platform;
    const words = { fileName: 'a.json', issuer: 'CN=ca.example', redirectHost: 'evil.example' };
    const echo = fc.record({
      token: tokens,
      encode: encoders,
      place: fc.constantFrom(...Object.keys(places)),
      before: fc.nat({ max: 250 }),
      isEscaped: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(echo, async ({ token, encode, place, before, isEscaped }) => {
        for (const list of Object.values(shown)) list.length = 0;
        graph.lines.length = 0;
        const text = `${'p '.repeat(before / 2)}${encode(token)}`;
        const body = JSON.stringify(places[place]!()).replaceAll(marker, () =>
          asJson(text, isEscaped),
        );
        platform.fault({ id: 'dep_1' }, { status: 200, body });
        platform.fault({ id: 'dep_2' }, faults.text(500, text));
        await organizations.signIn({ name: 'Acme', baseUrl, token });
        await graph.read({ id: 'dep_1', label: 'Sync' }, 'dep_2');
        assert.notEqual(graph.services.store.get('dep_1')?.answer, undefined, body);
        for (const [name, { texts }] of Object.entries(surfacesOf(graph, shown, words))) {
          const leaks = (await texts()).filter((shownText) => shows(shownText, token));
          assert.deepEqual(leaks, [], `${token} in ${name}`);
        }
        const leakingLines = graph.lines.filter((line) => shows(line, token));
        assert.deepEqual(leakingLines, [], `${token} in the log`);
      }),
      { numRuns: 15 },
    );
  });
});
