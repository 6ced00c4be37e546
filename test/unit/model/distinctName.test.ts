import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { distinctName, type NamedFolder } from '../../../src/model/distinctName.js';

function place(path: string, name = path.slice(path.lastIndexOf('/') + 1), host = ''): NamedFolder {
  return { name, path, address: `file://${host}${path}` };
}

function namesOf(places: readonly NamedFolder[], base?: string): readonly string[] {
  return places.map((one) =>
    distinctName(
      one,
      places.filter((other) => other !== one),
      base,
    ),
  );
}

describe('the name of a folder', () => {
  for (const [what, places, base, expected] of [
    [
      'is its own where no other one has it',
      [place('/w/web'), place('/w/api')],
      '/w',
      ['web', 'api'],
    ],
    [
      'is its path from the workspace file',
      [place('/w/web/src'), place('/w/api/src')],
      '/w',
      ['web/src', 'api/src'],
    ],
    [
      'is its path from a workspace file at the root',
      [place('/web/src'), place('/api/src')],
      '/',
      ['web/src', 'api/src'],
    ],
    [
      'is the shortest end of a path elsewhere',
      [place('/a/web/src'), place('/b/api/src')],
      '/w',
      ['web/src', 'api/src'],
    ],
    [
      'is a longer end where folders above have one name too',
      [place('/a/web/src'), place('/b/web/src')],
      undefined,
      ['a/web/src', 'b/web/src'],
    ],
    [
      'is its path where a name was given twice',
      [place('/w/web', 'App'), place('/w/api', 'App')],
      '/w',
      ['web', 'api'],
    ],
    [
      'is its own where given names differ',
      [place('/w/web/src', 'Web'), place('/w/api/src', 'API')],
      '/w',
      ['Web', 'API'],
    ],
    [
      'is its own where another one only has such a path',
      [place('/w/src'), place('/w/a/src', 'A')],
      '/w',
      ['src', 'A'],
    ],
    [
      'is told apart regardless of case',
      [place('/w/web/Src'), place('/w/api/src')],
      '/w',
      ['web/Src', 'api/src'],
    ],
    [
      'is no path that is the name of another one',
      [place('/a/web/src'), place('/b/api/src'), place('/c', 'web/src')],
      undefined,
      ['a/web/src', 'api/src', 'web/src'],
    ],
    [
      'is an end where the workspace file is in it',
      [place('/w/src'), place('/w/src/lib/src')],
      '/w/src',
      ['w/src', 'lib/src'],
    ],
    [
      'is its whole path where that is the end of another one',
      [place('/src'), place('/x/src')],
      undefined,
      ['file:///src', 'x/src'],
    ],
    [
      'is its address on another machine',
      [place('/w/src'), place('/w/src', 'src', 'b')],
      undefined,
      ['file:///w/src', 'file://b/w/src'],
    ],
  ] as const) {
    it(what, () => assert.deepEqual(namesOf(places, base), expected));
  }

  it('differs from each other one, whatever folders there are', () => {
    const part = fc.constantFrom('src', 'web', 'API', 'api', 'a');
    const path = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts) => `/${parts.join('/')}`);
    const paths = fc.uniqueArray(path, { maxLength: 5, selector: (one) => one.toLowerCase() });
    fc.assert(
      fc.property(paths, fc.option(path, { nil: undefined }), (all, base) => {
        const names = namesOf(
          all.map((one) => place(one)),
          base,
        ).map((name) => name.toLowerCase());
        assert.equal(new Set(names).size, all.length);
      }),
    );
  });
});
