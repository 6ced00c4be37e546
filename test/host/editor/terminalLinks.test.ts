import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ReferenceTargets } from '../../../src/model/references/targets.js';
import { urlsIn } from '../../../src/model/references/terminalUrls.js';
import { terminalLinks } from '../../../src/views/editor/terminalLinks.js';
import { openFile } from '../../support/window/editors.js';
import { billing, deployment, sourceOf } from '../../support/window/fixtures.js';

const urls = [
  'https://app.example/deployments/dep_1/logs',
  'http://127.0.0.1:8080/?id=dep_1&x=(dep_1)',
  'HTTPS://APP.example/dep_1',
  'file:///var/log/dep_1.log',
  'https://[::1]/dep_1[a b]c',
  'https://app.example/{dep_1}*dep_1',
  "https://app.example/it's/dep_1",
];
const surroundings = [
  ['', ''],
  ['deployed ', ' ok'],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['*', '*'],
  ['see ', '.'],
  ['see ', ', dep_1'],
  ['(see ', ').'],
  ['url=', ';:'],
  ['「', '」dep_1'],
  ['', '|dep_1'],
  ['[x](', ') dep_1'],
  ['', '\tdep_1'],
  ['', '…dep_1'],
] as const;

describe('terminal links', () => {
  const targets = new ReferenceTargets(
    sourceOf(
      deployment({ id: 'dep_1', authorization: billing }),
      deployment({ id: 'acme/orders' }),
      deployment({ id: 'orders' }),
    ),
  );
  /** The links of a line, each as "4 dep_1": where it starts, and its text. */
  const found = (line: string) =>
    terminalLinks(line, targets).map(
      ({ startIndex, length }) => `${startIndex} ${line.substr(startIndex, length)}`,
    );

  for (const [title, line, ...expected] of [
    [
      'are the whole IDs of deployments alone',
      'dep_1 my-dep_1 "dep_1" acc_2',
      '0 dep_1',
      '16 dep_1',
    ],
    [
      'are the longest IDs when several overlap',
      'acme/orders orders',
      '0 acme/orders',
      '12 orders',
    ],
    [
      'begin behind a code that is written as an escape',
      String.raw`id%3Ddep_1 "\ndep_1"`,
      '5 dep_1',
      '14 dep_1',
    ],
    [
      'may stand between letters of other scripts or in emphasis',
      '失败dep_1了 _dep_1_',
      '2 dep_1',
      '10 dep_1',
    ],
    ['begin again behind a URL', 'at https://app.example/d/dep_1/logs: dep_1', '37 dep_1'],
    ['are none in a URL that VS Code does not open', 'vscode://acme.ext/dep_1 s3://flows/dep_1'],
    [
      'may stand in a URL without a scheme',
      'www.app.example/dep_1 ://dep_1',
      '16 dep_1',
      '25 dep_1',
    ],
    [
      'begin again behind the quote that ends a URL',
      `curl 'https://app.example/d/dep_1' dep_1`,
      '35 dep_1',
    ],
  ] as const) {
    it(title, () => assert.deepEqual(found(line), expected));
  }

  it('are there in a line of 2,000 characters', () => {
    assert.deepEqual(found('dep_1'.padEnd(2000)), ['0 dep_1']);
  });

  it('are none in a line of more than 2,000 characters', () => {
    assert.deepEqual(found('dep_1'.padEnd(2001)), []);
  });

  it('leave out exactly the URLs that VS Code finds', async () => {
    const lines = urls.flatMap((url) =>
      surroundings.map(([before, behind]) => `${before}${url}${behind}`),
    );
    // VS Code makes links of a document and of a terminal's lines with the same code.
    const { uri } = await openFile(lines.join('\n'));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      uri,
    );
    const own = lines.flatMap((line, at) =>
      urlsIn(line).map(({ start, end }) => `${at}:${start}-${end} ${line}`),
    );
    const theirs = links.map(
      ({ range: { start, end } }) =>
        `${start.line}:${start.character}-${end.character} ${lines[start.line]}`,
    );
    assert.deepEqual(own.toSorted(), theirs.toSorted());
  });
});
