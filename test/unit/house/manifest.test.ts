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

/** Keybindings, settings files and other programs depend on these names, so none may change, not even in all places at once. */
describe('what users and other programs depend on', () => {
  // `application`: no workspace, and not even the machine settings that come with a dev container can lead a token elsewhere.
  it('are the settings, who may set them, their defaults and bounds', () => {
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

  it('are the views, the tools and the entry of the Accounts menu', () => {
    assert.deepEqual(views, ['automationPlatform.deployments', 'automationPlatform.installs']);
    sameSet(tools, [
      'automationPlatform_listProblems',
      'automationPlatform_getDeploymentAuthorization',
    ]);
    const when = 'automationPlatform.signedIn';
    assert.deepEqual(c['chatSkills'], [
      { path: './media/skills/automation-platform/SKILL.md', when },
    ]);
    assert.deepEqual(new Set(c.languageModelTools.map((tool) => tool.when)), new Set([when]));
    assert.deepEqual(c['authentication'], [
      { id: 'automationPlatform', label: 'Automation Platform' },
    ]);
  });

  it('are where it runs, and that it needs nothing else', () => {
    const {
      name,
      publisher,
      engines,
      devDependencies,
      extensionKind,
      activationEvents,
      capabilities,
    } = manifest;
    const { enabledApiProposals, extensionDependencies, extensionPack } = manifest;
    assert.equal(`${publisher}.${name}`, 'automation-platform-tools.automation-platform');
    assert.deepEqual([engines.vscode, devDependencies['@types/vscode']], ['^1.105.0', '1.105.0']);
    assert.deepEqual([extensionKind, activationEvents], [['workspace'], ['onStartupFinished']]);
    const restrictedConfigurations = [
      'automationPlatform.deployments',
      'automationPlatform.owners',
    ];
    assert.deepEqual(capabilities, {
      virtualWorkspaces: true,
      untrustedWorkspaces: {
        supported: 'limited',
        description: '%untrusted%',
        restrictedConfigurations,
      },
    });
    assert.deepEqual(
      [enabledApiProposals, extensionDependencies, extensionPack].flat(),
      Array(3).fill(undefined),
    );
  });

  it('are no telemetry, for which there is no package, and that VS Code syncs nothing of what is remembered', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const forbidden = /TelemetryLogger|isTelemetryEnabled|setKeysForSync/;
    assert.deepEqual(Object.keys(manifest.dependencies), ['ignore', 'jsonc-parser', 'undici']);
    for (const name of files)
      assert.doesNotMatch(readFileSync(join('src', name), 'utf8'), forbidden, name);
  });
});

describe('ids', () => {
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
    it(`name ${what} of the manifest, and no other`, () => sameSet(own, contributed));
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

describe('menus', () => {
  it('of rows have one order for all kinds, and no place twice', () => {
    assert.equal(
      inOrder('view/item/context').join(' '),
      'signIn refreshDeployment copyRequest notifyWhenFixed stopNotifying muteProblem unmuteProblem ' +
        'switchOrganization setOwner openInDashboard checkConnection showLog removeDeployment edit copyAndFind forgetInstall',
    );
    assert.deepEqual(inOrder('automationPlatform.edit'), [
      'setDeploymentLabel',
      'editDeploymentId',
    ]);
    assert.deepEqual(inOrder('automationPlatform.copyAndFind'), [
      'copyId',
      'copyReport',
      'findInFiles',
    ]);
    for (const [name, entries] of Object.entries(c.menus)) {
      const places = entries.flatMap(({ group, when = '' }) => {
        const view = /view == ([\w.]+)/.exec(when)?.[1] ?? '';
        return group === undefined || group.startsWith('inline') ? [] : `${view} ${group}`;
      });
      const others = places.filter((place, at) => places.indexOf(place) !== at);
      // In the view's title the two of a pair exclude each other.
      assert.deepEqual(name === 'view/title' ? [] : others, [], name);
    }
  });

  it('have no command for rows in the title of a view, to which VS Code hands the focused row', () => {
    const inTitle = [...inOrder('view/title'), ...inOrder('automationPlatform.organization')];
    const ofRows = [...inOrder('view/item/context'), ...inOrder('automationPlatform.copyAndFind')];
    const readNothing = ['switchOrganization', 'checkConnection', 'showLog'];
    assert.deepEqual(
      inTitle.filter((name) => ofRows.includes(name) && !readNothing.includes(name)),
      [],
    );
  });

  it('leave out of the palette what is a thing of a row, or of the title', () => {
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
      'editDeploymentId',
      'stopNotifying',
    ];
    sameSet(
      hidden.map((id) => short(id ?? '')),
      ofRows,
    );
  });
});

describe('manifest texts', () => {
  const used = [...text.matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key!);
  it('are all in package.nls.json, and none is left over', () => sameSet(used, Object.keys(nls)));
  it('every menu names a contributed command or submenu', () => {
    const known = new Set([...commands, ...c.submenus.map(({ id }) => id)]);
    for (const { command, submenu } of Object.values(c.menus).flat()) {
      const name = command ?? submenu ?? '';
      assert.ok(known.has(name), name);
    }
  });
  it('README begins with the description, and names every setting', () => {
    assert.equal(readme.split('\n\n')[1], nls['description']);
    for (const [name] of settings) assert.ok(readme.includes(name), name);
  });
  describe('README', () => {
    const fences = Array.from(readme.matchAll(/^```sh\n([^]*?)^```$/gm), ([, fence]) =>
      fence!.trim(),
    );

    it('has the command that shows the extension, as one to copy', () =>
      assert.ok(fences.includes('npm ci && npm start')));
    it('has the command that runs the tests, as one to copy', () =>
      assert.ok(fences.includes('npm ci && npm test')));
    it('has links to headings that are there', () => {
      const headings = Array.from(readme.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
        heading!.toLowerCase().replaceAll(' ', '-'),
      );
      const anchors = Array.from(readme.matchAll(/\]\(#([^)]*)\)/g), ([, anchor]) => anchor!);
      assert.ok(anchors.length > 0);
      for (const anchor of anchors) assert.ok(headings.includes(anchor), anchor);
    });
  });
  it('.ci/run runs the command that README has for the tests', () =>
    assert.ok(readFileSync('.ci/run', 'utf8').includes("'npm ci && npm test'")));
  it('docs/promises.md names every command, setting, and context key', () => {
    const [, names = ''] =
      /^## Names\n([^]*?)^## /m.exec(readFileSync('docs/promises.md', 'utf8')) ?? [];
    const all = [...commands, ...settings.map(([key]) => key), ...Object.values(ids.contextKeys)];
    sameSet(
      Array.from(names.matchAll(/`([\w.]+\w)`/g), ([, name]) => name!),
      all.map(short),
    );
  });
});
