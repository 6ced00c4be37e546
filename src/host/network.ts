import * as vscode from 'vscode';
import { withoutQuotes } from '../api/entered/pastedText.js';
import { proxyCredentials, proxyVariables, type RouteSettings } from '../api/network/route.js';
import type { KnownSecrets } from '../api/secrets.js';
import { DisposableOwner } from '../model/base/disposableOwner.js';
import type { Log } from './log.js';
import { type Editor, unusedSettingLine, userSetting } from './userSetting.js';

/** A window that was away for so long may be in another network when it comes back: a VPN came or went. */
const maxAwayMs = 5 * 60_000;

interface NetworkSurroundings {
  readonly secrets: Pick<KnownSecrets, 'add'>;
  readonly log: Pick<Log, 'warnOnce'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly window: Pick<typeof vscode.window, 'onDidChangeWindowState'>;
  /** Default: this one. */
  readonly editor?: Editor;
}

/**
 * What settings and environment say about the way to the platform, for the router. Owns the events
 * after which a route is decided anew.
 */
export class Network extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  /** Also when the window wakes up: what was learned of the routes may be wrong. */
  readonly onDidChange = this.changed.event;
  private leftAt: number | undefined;
  routeSettings: RouteSettings;

  constructor(private readonly surroundings: NetworkSurroundings) {
    super();
    const { window } = surroundings;
    this.routeSettings = this.read();
    this.own(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('http')) return;
        this.routeSettings = this.read();
        this.changed.fire();
      }),
    );
    this.own(window.onDidChangeWindowState(({ focused }) => this.focusChanged(focused)));
  }

  /** Looked up at each call, since VS Code may put its own in place after this extension was loaded. */
  readonly editorFetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request);

  private focusChanged(focused: boolean): void {
    const { leftAt } = this;
    const { now } = this.surroundings;
    this.leftAt = focused ? undefined : (leftAt ?? now());
    // The wall clock, because the other one stands still while the machine sleeps. It may have been set back.
    if (focused && leftAt !== undefined && Math.abs(now() - leftAt) >= maxAwayMs)
      this.changed.fire();
  }

  private read(): RouteSettings {
    const { env, secrets } = this.surroundings;
    const variable = (name: string) => env[name]?.trim() ?? '';
    const proxies: RouteSettings['proxies'] = [
      { from: 'http.proxy', address: this.text('proxy') },
      ...proxyVariables.map((name) => ({ from: name, address: variable(name) })),
    ];
    const exceptions = variable('NO_PROXY') || variable('no_proxy');
    const route: RouteSettings = {
      proxySupportOff: this.setting('proxySupport') === 'off',
      proxies: proxies.filter(({ address }) => withoutQuotes(address) !== ''),
      noProxy: [...texts(this.setting('noProxy')), ...exceptions.split(/[\s,;]+/)],
      proxyAuthorization: this.text('proxyAuthorization'),
      proxyStrictSSL: this.setting('proxyStrictSSL') !== false,
      systemCertificates: this.setting('systemCertificates') !== false,
    };
    // In texts only, since a good answer may contain the same word by chance.
    for (const secret of proxyCredentials(route)) secrets.add(secret, 'texts');
    return route;
  }

  /**
   * Returns the user's own value, else the default: neither a workspace nor the settings of a remote
   * machine, which a repository's dev container writes, may lead a token through their proxy.
   */
  private setting(key: string): unknown {
    const { log, editor = { remoteName: vscode.env.remoteName, version: vscode.version } } =
      this.surroundings;
    const inspected = vscode.workspace.getConfiguration('http', null).inspect<unknown>(key);
    const { value, isOwn } = userSetting(inspected, editor);
    if (value === undefined) return inspected?.defaultValue;
    if (isOwn) return value;
    log.warnOnce(unusedSettingLine(`http.${key}`));
    return inspected?.defaultValue;
  }

  private text(key: string): string {
    const value = this.setting(key);
    return typeof value === 'string' ? value.trim() : '';
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry: unknown) => typeof entry === 'string') : [];
}
