import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ids from '../../../src/host/ids.js';

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly [field: string]: unknown;
  readonly name: string;
  readonly publisher: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly vscode: string };
  readonly contributes: {
    readonly [point: string]: unknown;
    readonly commands: readonly { readonly command: string }[];
    readonly submenus: readonly { readonly id: string }[];
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, Record<string, unknown>>>;
    }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly languageModelTools: readonly { readonly name: string; readonly when?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest: Manifest = JSON.parse(text);
const readme = readFileSync('README.md', 'utf8');
const nls: Record<string, string> = JSON.parse(readFileSync('package.nls.json', 'utf8'));

const c = manifest.contributes;
const commands = c.commands.map(({ command }) => command);
const settings = c.configuration.flatMap(({ properties }) => Object.entries(properties));
const views = Object.values(c.views).flatMap((group) => group.map(({ id }) => id));
const tools = c.languageModelTools.map(({ name }) => name);
const clauses = [...text.matchAll(/"when": "([^"]*)"/g)].map(([, clause]) => clause!);
const short = (id: string) => id.replace(/^automationPlatform\./, '');

function sameSet(have: Iterable<string>, want: Iterable<string>): void {
  assert.deepEqual([...new Set(have)].toSorted(), [...new Set(want)].toSorted());
}

/** Keybindings, settings files, and other programs depend on these names, so none may change. */
describe('the manifest', () => {
  // `application`: neither a workspace nor the machine settings of a dev container can send a token elsewhere.
  it('keeps the scopes, defaults, and bounds of the settings', () => {
    const facts = settings.map(
      ([key, { scope, default: value, minimum, maximum, enum: choices = [] }]) => {
        const bounds = [minimum, maximum, choices].flat().filter((one) => one !== undefined);
        return [short(key), [scope, JSON.stringify(value), ...bounds].join(' ')];
      },
    );
    assert.deepEqual(Object.fromEntries(facts), {
      baseUrl: 'application ""',
      deployments: 'resource []',
      owners: 'resource {}',
      mutes: 'resource []',
      refreshInterval: 'window 5 0 1440',
      dashboardUrl: 'application ""',
      requestTimeout: 'application 30 1 600',
      maxConcurrentRequests: 'application 8 1 64',
      'diagnostics.failedAccounts':
        'language-overridable "warning" error warning information hint off',
      'diagnostics.unsatisfiedRequirements':
        'language-overridable "information" error warning information hint off',
      inlayHints: 'language-overridable "labels" labels off',
      'statusBar.enabled': 'window true',
      'badge.enabled': 'window true',
      'notifications.newProblems': 'window false',
    });
  });

  it('keeps the IDs of the views', () => {
    assert.deepEqual(views, ['automationPlatform.deployments', 'automationPlatform.installs']);
  });

  it('keeps the names of the language model tools', () => {
    sameSet(tools, [
      'automationPlatform_listProblems',
      'automationPlatform_getDeploymentAuthorization',
    ]);
  });

  const whenSignedIn = 'automationPlatform.signedIn';

  it('offers the chat skill only while the user is signed in', () => {
    assert.deepEqual(c['chatSkills'], [
      { path: './media/skills/automation-platform/SKILL.md', when: whenSignedIn },
    ]);
  });

  it('offers the language model tools only while the user is signed in', () => {
    const conditions = new Set(c.languageModelTools.map((tool) => tool.when));
    assert.deepEqual([...conditions], [whenSignedIn]);
  });

  it('keeps the entry of the Accounts menu', () => {
    assert.deepEqual(c['authentication'], [
      { id: 'automationPlatform', label: 'Automation Platform' },
    ]);
  });

  it('keeps the ID of the extension', () => {
    assert.equal(
      `${manifest.publisher}.${manifest.name}`,
      'automation-platform-tools.automation-platform',
    );
  });

  it('supports VS Code 1.105 or newer', () => {
    assert.equal(manifest.engines.vscode, '^1.105.0');
    assert.equal(manifest.devDependencies['@types/vscode'], '1.105.0');
  });

  it('runs the extension where the workspace is', () => {
    assert.deepEqual(manifest['extensionKind'], ['workspace']);
  });

  it('starts the extension after VS Code has started', () => {
    assert.deepEqual(manifest['activationEvents'], ['onStartupFinished']);
  });

  it('supports virtual workspaces, and untrusted ones without list, owners, and mutes', () => {
    const restrictedConfigurations = [
      'automationPlatform.deployments',
      'automationPlatform.owners',
      'automationPlatform.mutes',
    ];
    assert.deepEqual(manifest['capabilities'], {
      virtualWorkspaces: true,
      untrustedWorkspaces: {
        supported: 'limited',
        description: '%untrusted%',
        restrictedConfigurations,
      },
    });
  });

  for (const field of ['enabledApiProposals', 'extensionDependencies', 'extensionPack']) {
    it(`has no ${field}`, () => {
      assert.equal(manifest[field], undefined);
    });
  }

  it('has three dependencies, none of which sends telemetry', () => {
    assert.deepEqual(Object.keys(manifest.dependencies), ['ignore', 'jsonc-parser', 'undici']);
  });
});

describe('the source', () => {
  it('uses no API of VS Code for telemetry or for Settings Sync', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const forbidden = /TelemetryLogger|isTelemetryEnabled|setKeysForSync/;
    for (const name of files)
      assert.doesNotMatch(readFileSync(join('src', name), 'utf8'), forbidden, name);
  });
});

describe('src/host/ids.ts', () => {
  const read = [...text.matchAll(/"(?:when|enablement)": "([^"]*)"|"onContext:([^"]+)"/g)].map(
    ([match]) => match,
  );
  const keys = read.flatMap((match) => match.match(/automationPlatform\.\w+/g) ?? []);
  const values = clauses.flatMap((clause) => [
    ...clause.matchAll(/viewItem (?:== |=~ \/\^\(?)([\w|]+)/g),
  ]);
  for (const [what, own, contributed] of [
    ['the extension', [ids.extensionId], [`${manifest.publisher}.${manifest.name}`]],
    ['every command', Object.values(ids.commandIds), commands],
    ['every setting', Object.values(ids.settingKeys), settings.map(([key]) => short(key))],
    ['every view', Object.values(ids.viewIds), views],
    ['every language-model tool', Object.values(ids.toolNames), tools],
    [
      'every context key',
      Object.values(ids.contextKeys),
      keys.filter((key) => !views.includes(key)),
    ],
    [
      'every context value',
      Object.values(ids.contextValues),
      values.flatMap(([, words]) => words!.split('|')),
    ],
  ] as const) {
    it(`names ${what} of the manifest`, () => sameSet(own, contributed));
  }
});

/** The commands and submenus of a menu, in the order in which VS Code shows them. */
function inOrder(menu: string): readonly string[] {
  const entries = (c.menus[menu] ?? []).filter(({ group = '' }) => !group.startsWith('inline'));
  const sorted = entries.toSorted((a, b) =>
    (a.group ?? '').localeCompare(b.group ?? '', 'en', { numeric: true }),
  );
  return sorted.map(({ command, submenu }) => short(command ?? submenu ?? ''));
}

describe('the menus', () => {
  it('have one order for all kinds of rows', () => {
    assert.equal(
      inOrder('view/item/context').join(' '),
      'signIn refreshDeployment copyRequest notifyWhenFixed stopNotifying muteProblem unmuteProblem ' +
        'switchOrganization setOwner openInDashboard checkConnection showLog removeDeployment edit copyAndFind forgetInstall',
    );
    assert.deepEqual(inOrder('automationPlatform.edit'), [
      'setDeploymentLabel',
      'setGroup',
      'editDeploymentId',
    ]);
    assert.deepEqual(inOrder('automationPlatform.copyAndFind'), [
      'copyId',
      'copyReport',
      'findInFiles',
    ]);
  });

  it('list the groupings before the choice of groups', () => {
    const ofTheList = inOrder('view/title').filter((name) => /^(?:groupBy|choose)/.test(name));
    assert.deepEqual(ofTheList, [
      'groupByAccount',
      'groupByGroup',
      'groupByDeployment',
      'chooseGroups',
    ]);
  });

  for (const [name, where, context] of [
    ['groupByAccount', 'commandPalette', '!byAccount'],
    ['groupByAccount', 'view/title', '!byAccount'],
    ['groupByGroup', 'commandPalette', 'hasGroups && !byGroup'],
    ['groupByGroup', 'view/title', 'hasGroups && !byGroup'],
    ['groupByDeployment', 'commandPalette', 'byAccount || byGroup'],
    ['groupByDeployment', 'view/title', '(byAccount || byGroup)'],
    ['chooseGroups', 'commandPalette', 'hasGroups'],
    ['chooseGroups', 'view/title', 'hasGroups'],
  ] as const) {
    it(`offer ${name} in ${where} when ${context}`, () => {
      const ofView = 'view == deployments && signedIn && ';
      const conditions = (c.menus[where] ?? [])
        .filter(({ command }) => short(command ?? '') === name)
        .map(({ when = '' }) => when.replaceAll('automationPlatform.', '').replace(ofView, ''));
      assert.deepEqual(conditions, [context]);
    });
  }

  it('have no two entries at one place', () => {
    for (const [name, entries] of Object.entries(c.menus)) {
      const places = entries.flatMap(({ group, when = '' }) => {
        const view = /view == ([\w.]+)/.exec(when)?.[1] ?? '';
        return group === undefined || group.startsWith('inline') ? [] : `${view} ${group}`;
      });
      const takenTwice = places.filter((place, at) => places.indexOf(place) !== at);
      // In the title of a view, the two entries of a pair exclude each other.
      assert.deepEqual(name === 'view/title' ? [] : takenTwice, [], name);
    }
  });

  // VS Code passes the focused row to a command in the title of a view.
  it('have no command for rows in the title of a view', () => {
    const inTitle = [...inOrder('view/title'), ...inOrder('automationPlatform.organization')];
    const ofRows = [...inOrder('view/item/context'), ...inOrder('automationPlatform.copyAndFind')];
    const commandsWithoutArgument = ['switchOrganization', 'checkConnection', 'showLog'];
    const wrong = inTitle.filter(
      (name) => ofRows.includes(name) && !commandsWithoutArgument.includes(name),
    );
    assert.deepEqual(wrong, []);
  });

  it('hide commands for a row or a title from the Command Palette', () => {
    const hidden =
      c.menus['commandPalette']?.flatMap(({ command, when }) =>
        when === 'false' ? command : [],
      ) ?? [];
    const ofRows = [
      'manageTrust',
      'signInFromTitle',
      'copyReportFromTitle',
      'copyId',
      'findInFiles',
      'unmuteProblem',
      'setDeploymentLabel',
      'setGroup',
      'editDeploymentId',
      'stopNotifying',
    ];
    sameSet(
      hidden.map((id) => short(id ?? '')),
      ofRows,
    );
  });
});

describe('the texts of the manifest', () => {
  it('are exactly those in package.nls.json', () => {
    const used = Array.from(text.matchAll(/"%([\w.-]+)%"/g), ([, key]) => key!);
    sameSet(used, Object.keys(nls));
  });
});

describe('each menu', () => {
  it('names a contributed command or submenu', () => {
    const known = [...commands, ...c.submenus.map(({ id }) => id)];
    const named = Object.values(c.menus)
      .flat()
      .map(({ command, submenu }) => command ?? submenu ?? '');
    const unknown = named.filter((name) => !known.includes(name));
    assert.deepEqual(unknown, []);
  });
});

describe('README.md', () => {
  const fences = Array.from(readme.matchAll(/^```sh\n([^]*?)^```$/gm), ([, fence]) =>
    fence!.trim(),
  );

  it('begins with the description of the manifest', () => {
    const [, introduction] = readme.split('\n\n');
    assert.equal(introduction, nls['description']);
  });

  it('names every setting', () => {
    const missing = settings.map(([name]) => name).filter((name) => !readme.includes(name));
    assert.deepEqual(missing, []);
  });

  for (const command of ['npm ci && npm start', 'npm ci && npm test']) {
    it(`has a code block with "${command}"`, () => {
      const found = fences.find((fence) => fence === command);
      assert.equal(found, command);
    });
  }

  it('links only to headings that exist', () => {
    const headings = Array.from(readme.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
      heading!.toLowerCase().replaceAll(' ', '-'),
    );
    const anchors = Array.from(readme.matchAll(/\]\(#([^)]*)\)/g), ([, anchor]) => anchor!);
    const broken = anchors.filter((anchor) => !headings.includes(anchor));
    assert.notDeepEqual(anchors, []);
    assert.deepEqual(broken, []);
  });
});

describe('.ci/run', () => {
  it('runs the command that README.md names for the tests', () => {
    assert.match(readFileSync('.ci/run', 'utf8'), /'npm ci && npm test'/);
  });
});

describe('docs/promises.md', () => {
  it('names exactly the commands, settings, and context keys that exist', () => {
    const [, names = ''] =
      /^## Names\n([^]*?)^## /m.exec(readFileSync('docs/promises.md', 'utf8')) ?? [];
    const all = [...commands, ...settings.map(([key]) => key), ...Object.values(ids.contextKeys)];
    sameSet(
      Array.from(names.matchAll(/`([\w.]+\w)`/g), ([, name]) => name!),
      all.map(short),
    );
  });
});
