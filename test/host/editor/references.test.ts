import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ReferenceTargets } from '../../../src/model/references/targets.js';
import { terminalLinks } from '../../../src/views/editor/terminalLinks.js';
import { diagnosticsIn, openFile, until } from '../../support/window/editors.js';
import { startWorld, type World } from '../../support/window/graph.js';

const listed = ['billing', 'prod.billing', 'acme/orders', 'orders', 'dep_cjk', '2Fdep_cjk'];

/** The ID of the only account of a deployment. */
function accountOf(id: string): string {
  return `${id}.account`;
}

function labelOf(id: string): string {
  return `Label of ${id}`;
}

/** Where a text starts in a line, and the text: "3 prod.billing". */
function place(line: string, start: number, end: number): string {
  return `${start} ${line.slice(start, end)}`;
}

/** Waits for so many diagnostics. */
async function underlined(
  document: vscode.TextDocument,
  count: number,
): Promise<readonly string[]> {
  const found = () => diagnosticsIn(document);
  await until('diagnostics', () => found().length >= count, found);
  return found().map(({ range }) =>
    place(document.getText(), range.start.character, range.end.character),
  );
}

/** The IDs with an inlay hint behind them. */
async function hinted(document: vscode.TextDocument): Promise<readonly string[]> {
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    'vscode.executeInlayHintProvider',
    document.uri,
    new vscode.Range(0, 0, 1, 0),
  );
  return hints.map(({ position, label }) => {
    const id = typeof label === 'string' ? label.replace('Label of ', '') : '';
    return place(document.getText(), position.character - id.length, position.character);
  });
}

/** The IDs that have a hover when the pointer passes over each character of the line. */
async function hovered(document: vscode.TextDocument): Promise<readonly string[]> {
  const text = document.getText();
  const found = new Set<string>();
  for (let character = 0; character <= text.length; character++) {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(0, character),
    );
    const own = hovers.filter(
      ({ contents: [one] }) => one instanceof vscode.MarkdownString && one.isTrusted,
    );
    for (const { range } of own)
      if (range) found.add(place(text, range.start.character, range.end.character));
  }
  return [...found];
}

/** The IDs of the deployments that the quick fixes of the whole line reveal. */
async function fixed(document: vscode.TextDocument): Promise<readonly unknown[]> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    document.lineAt(0).range,
    vscode.CodeActionKind.QuickFix.value,
  );
  const commands = actions.flatMap(({ command }) => command ?? []);
  const reveals = commands.filter(
    ({ command }) => command === 'automationPlatform.internal.revealDeployment',
  );
  return reveals.map(({ arguments: args = [] }) => args[0] as unknown);
}

describe('an ID in a text', () => {
  let graph: World['graph'];
  beforeEach(async () => {
    const { platform, graph: started } = await startWorld();
    graph = started;
    for (const id of listed) {
      const account = {
        id: accountOf(id),
        label: labelOf(accountOf(id)),
        error: { code: 'token_revoked' },
      };
      platform.putDeployment(id, { accounts: [account], requirements: [] });
    }
    await graph.read(...listed.map((id) => ({ id, label: labelOf(id) })));
  });

  for (const [title, language, text, ...expected] of [
    [
      'is the longest one when several overlap',
      'plaintext',
      'prod.billing /acme/orders orders https://app.example/d/prod.billing',
      '0 prod.billing',
      '14 acme/orders',
      '26 orders',
      '55 prod.billing',
    ],
    ['is the ID of an account when that is longer', 'yaml', 'orders.account', '0 orders.account'],
    [
      'may follow an escape',
      'typescript',
      String.raw`log("failed:\ndep_cjk", "\\\torders")`,
      '14 dep_cjk',
      '29 orders',
    ],
    [
      'may not follow a letter after an escaped backslash',
      'typescript',
      String.raw`"\\ndep_cjk" orders`,
      '13 orders',
    ],
    ['may follow an escape by number', 'json', String.raw`"\u000adep_cjk"`, '7 dep_cjk'],
    ['may follow a color code', 'log', '\x1b[31mdep_cjk\x1b[0m failed', '5 dep_cjk'],
    [
      'may follow a color code that is written as an escape',
      'shellscript',
      String.raw`"\033[1;31morders"`,
      '11 orders',
    ],
    [
      'may follow a percent-encoded character',
      'log',
      'to=%252Facme%2Forders&id%3Ddep_cjk',
      '15 orders',
      '27 dep_cjk',
    ],
    ['is the longer one when it begins with a code', 'plaintext', '%2Fdep_cjk', '1 2Fdep_cjk'],
    [
      'may have emphasis in Markdown',
      'markdown',
      '_dep_cjk_ ___acme/orders___ __orders__',
      '1 dep_cjk',
      '13 acme/orders',
      '30 orders',
    ],
    [
      'may not have emphasis in another language',
      'python',
      '_dep_cjk_ __orders__ billing',
      '21 billing',
    ],
    [
      'may not have an emphasis that does not end',
      'markdown',
      '_dep_cjk __orders_ a_dep_cjk_ billing',
      '30 billing',
    ],
    [
      'may stand between letters of scripts without spaces',
      'markdown',
      '失败dep_cjk了, 「エラーorders」 billing을',
      '2 dep_cjk',
      '16 orders',
      '24 billing',
    ],
    [
      'may not stand between other letters',
      'markdown',
      'édep_cjk ordersб ①orders billing',
      '25 billing',
    ],
  ] as const) {
    it(title, async () => {
      const document = await vscode.languages.setTextDocumentLanguage(
        await openFile(text),
        language,
      );
      const foundIds = expected.map((one) => one.split(' ')[1]!);
      const firstOfEachId = expected.filter((_, at) => foundIds.indexOf(foundIds[at]!) === at);
      const deployments = foundIds.map((id) => listed.find((one) => id === accountOf(one)) ?? id);

      assert.deepEqual(await underlined(document, expected.length), expected, 'diagnostics');
      assert.deepEqual(await hovered(document), expected, 'hovers');
      assert.deepEqual(await hinted(document), firstOfEachId, 'inlay hints');
      assert.deepEqual(await fixed(document), [...new Set(deployments)], 'quick fixes');
    });
  }

  it('is the longest one in a terminal when several overlap', () => {
    const line = 'prod.billing /acme/orders orders orders.account';
    const links = terminalLinks(line, new ReferenceTargets(graph.services));
    const found = links.map(({ startIndex, length }) =>
      place(line, startIndex, startIndex + length),
    );
    assert.deepEqual(found, ['0 prod.billing', '14 acme/orders', '26 orders']);
  });
});
