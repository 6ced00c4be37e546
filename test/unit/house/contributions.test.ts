import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Property {
  readonly scope?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}
interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly engines: { readonly vscode: string };
  readonly extensionKind: readonly string[];
  readonly capabilities: {
    readonly virtualWorkspaces: unknown;
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] };
  };
  readonly activationEvents: readonly string[];
  readonly enabledApiProposals?: unknown;
  readonly extensionDependencies?: unknown;
  readonly extensionPack?: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Property>> }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly chatSkills: readonly { readonly path: string }[];
    readonly authentication: readonly { readonly id: string; readonly label: string }[];
  };
}

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const c = manifest.contributes;

/** Keybindings, settings files and other programs depend on these names, so none may change, not even in all places at once. */
describe('what users and other programs depend on', () => {
  it('are the commands of the palette', () => {
    const hidden = new Set(c.menus.commandPalette.flatMap(({ command, when }) => (when === 'false' ? [command] : [])));
    const commands = c.commands.map(({ command }) => command).filter((command) => !hidden.has(command));
    assert.deepEqual(commands.map((command) => command.replace(/^automationPlatform\./, '')).toSorted(), [
      'addDeployment',
      'addDeploymentsFromText',
      'cancelRefresh',
      'checkConnection',
      'copyId',
      'copyReport',
      'findInFiles',
      'forgetInstall',
      'goToDeployment',
      'groupByAccount',
      'groupByDeployment',
      'lookUpInstall',
      'muteProblem',
      'openInDashboard',
      'refresh',
      'refreshDeployment',
      'removeDeployment',
      'revokeApiKey',
      'setDeploymentLabel',
      'setSessionToken',
      'showAll',
      'showLog',
      'showOnlyProblems',
      'signIn',
      'signOut',
      'stopWatching',
      'switchOrganization',
      'unmuteProblem',
      'watchDeployment',
    ]);
  });

  // `application`: no workspace, and not even the machine settings that come with a dev container can lead a token elsewhere.
  it('are the settings, who may set them, their defaults and bounds', () => {
    const settings = c.configuration.flatMap(({ properties }) => Object.entries(properties));
    const facts = settings.map(([key, { scope, default: value, minimum, maximum, enum: choices }]) => {
      const bounds = minimum === undefined ? [] : [minimum, maximum];
      return [key, [scope, value, ...bounds, ...(choices ?? [])]];
    });
    const levels = ['error', 'warning', 'information', 'hint', 'off'];
    assert.deepEqual(Object.fromEntries(facts), {
      'automationPlatform.baseUrl': ['application', ''],
      'automationPlatform.deployments': ['resource', []],
      'automationPlatform.refreshInterval': ['window', 5, 0, 1440],
      'automationPlatform.dashboardUrl': ['application', ''],
      'automationPlatform.requestTimeout': ['application', 30, 1, 600],
      'automationPlatform.maxConcurrentRequests': ['application', 8, 1, 64],
      'automationPlatform.diagnostics.failedAccounts': ['resource', 'warning', ...levels],
      'automationPlatform.diagnostics.unsatisfiedRequirements': ['resource', 'information', ...levels],
      'automationPlatform.statusBar.enabled': ['window', true],
      'automationPlatform.badge.enabled': ['window', true],
      'automationPlatform.notifications.newProblems': ['window', false],
    });
  });

  it('are the views, the tools and the entry of the Accounts menu', () => {
    const views = Object.values(c.views).flat();
    assert.deepEqual(
      views.map(({ id }) => id),
      ['automationPlatform.deployments', 'automationPlatform.installs'],
    );
    assert.deepEqual(
      c.languageModelTools.map(({ name }) => name),
      [
        'automationPlatform_listProblems',
        'automationPlatform_getDeploymentAuthorization',
        'automationPlatform_getIntegrationInstall',
      ],
    );
    assert.deepEqual(c.chatSkills, [{ path: './media/skills/automation-platform/SKILL.md' }]);
    assert.deepEqual(c.authentication, [{ id: 'automationPlatform', label: 'Automation Platform' }]);
  });

  it('are where it runs, and that it needs nothing else', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    assert.equal(`${manifest.publisher}.${manifest.name}`, 'automation-platform-tools.automation-platform');
    assert.equal(manifest.engines.vscode, '^1.105.0');
    assert.equal(manifest.devDependencies['@types/vscode'], '1.105.0');
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    assert.deepEqual(manifest.activationEvents, ['onStartupFinished', 'onUri']);
    assert.equal(virtualWorkspaces, true);
    assert.equal(untrustedWorkspaces.supported, 'limited');
    assert.deepEqual(untrustedWorkspaces.restrictedConfigurations, ['automationPlatform.deployments']);
    assert.deepEqual(
      [manifest.enabledApiProposals, manifest.extensionDependencies, manifest.extensionPack],
      [undefined, undefined, undefined],
    );
  });
});

describe('the source', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const using = (pattern: RegExp) => files.filter((name) => pattern.test(readFileSync(join('src', name), 'utf8')));

  it('sends no telemetry: it has no package for it but undici, and does not use that of VS Code', () => {
    assert.deepEqual(Object.keys(manifest.dependencies), ['undici']);
    assert.deepEqual(using(/TelemetryLogger|isTelemetryEnabled/), []);
  });

  it('has VS Code sync nothing of what it remembers', () => assert.deepEqual(using(/setKeysForSync/), []));
});
