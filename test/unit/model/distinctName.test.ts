import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { distinctName, type NamedFolder } from '../../../src/model/distinctName.js';

/** A folder at this path; by default its name is the end of the path. */
function place(path: string, name = path.slice(path.lastIndexOf('/') + 1), host = ''): NamedFolder {
  return { name, path, address: `file://${host}${path}` };
}

/** The name of each place among the others. */
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
  for (const [title, places, base, expected] of [
    [
      'is its own name when no other folder has that name',
      [place('/w/web'), place('/w/api')],
      '/w',
      ['web', 'api'],
    ],
    [
      'is its path from the workspace file when folders share a name',
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
      'is the shortest end of its path when it is not below the workspace file',
      [place('/a/web/src'), place('/b/api/src')],
      '/w',
      ['web/src', 'api/src'],
    ],
    [
      'is a longer end of its path when the folders above share a name',
      [place('/a/web/src'), place('/b/web/src')],
      undefined,
      ['a/web/src', 'b/web/src'],
    ],
    [
      'is its path when the workspace file gives two folders one name',
      [place('/w/web', 'App'), place('/w/api', 'App')],
      '/w',
      ['web', 'api'],
    ],
    [
      'is the given name when folders of one name were given different names',
      [place('/w/web/src', 'Web'), place('/w/api/src', 'API')],
      '/w',
      ['Web', 'API'],
    ],
    [
      'is its own name when only the path of another folder ends like it',
      [place('/w/src'), place('/w/a/src', 'A')],
      '/w',
      ['src', 'A'],
    ],
    [
      'is its path when another name differs only in case',
      [place('/w/web/Src'), place('/w/api/src')],
      '/w',
      ['web/Src', 'api/src'],
    ],
    [
      'is never a path that is the name of another folder',
      [place('/a/web/src'), place('/b/api/src'), place('/c', 'web/src')],
      undefined,
      ['a/web/src', 'api/src', 'web/src'],
    ],
    [
      'is an end of its path when the workspace file is in the folder',
      [place('/w/src'), place('/w/src/lib/src')],
      '/w/src',
      ['w/src', 'lib/src'],
    ],
    [
      'is its address when its path is the end of another path',
      [place('/src'), place('/x/src')],
      undefined,
      ['file:///src', 'x/src'],
    ],
    [
      'is no end of its path when another path ends like it except for case',
      [place('/b/src/API'), place('/src/api')],
      undefined,
      ['b/src/API', 'file:///src/api'],
    ],
    [
      'is its address when another machine has the same path',
      [place('/w/src'), place('/w/src', 'src', 'b')],
      undefined,
      ['file:///w/src', 'file://b/w/src'],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(namesOf(places, base), expected));
  }

  it('differs from the names of all other folders', () => {
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
        assert.deepEqual([...new Set(names)], names);
      }),
    );
  });
});
