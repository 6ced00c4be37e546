import * as vscode from 'vscode';
import { withoutQuotes } from '../api/entered/pastedText.js';
import { proxyCredentials, proxyVariables, type RouteSettings } from '../api/network/route.js';
import type { KnownSecrets } from '../api/secrets.js';
import { DisposableOwner } from '../model/base/disposableOwner.js';
import type { Log } from './log.js';
import { type Editor, unusedSettingLine, userSetting } from './userSetting.js';

/** After so long without focus, the window may be in another network: a VPN came or went. */
const maxUnfocusedMs = 5 * 60_000;

interface NetworkOptions {
  readonly secrets: Pick<KnownSecrets, 'add'>;
  readonly log: Pick<Log, 'warnOnce'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly window: Pick<typeof vscode.window, 'onDidChangeWindowState'>;
  /** Default: the editor that runs the extension. */
  readonly editor?: Editor;
}

/**
 * Reads from settings and environment how to reach the platform: proxies, exceptions, certificates.
 * The router asks it for these settings, and decides its routes anew after each change event.
 */
export class Network extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  /**
   * Fires also when the focus comes back after a long time, since known routes may be wrong then.
   */
  readonly onDidChange = this.changed.event;
  /** Epoch ms at which the window lost the focus; `undefined` while it has the focus. */
  private focusLostAt: number | undefined;
  routeSettings: RouteSettings;

  constructor(private readonly options: NetworkOptions) {
    super();
    const { window } = options;
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

  /**
   * Calls the `fetch` that is global at that moment, since VS Code may replace it after this
   * extension was loaded.
   */
  readonly editorFetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request);

  private focusChanged(focused: boolean): void {
    const { now } = this.options;
    if (!focused) {
      this.focusLostAt ??= now();
      return;
    }
    const lostAt = this.focusLostAt;
    this.focusLostAt = undefined;
    if (lostAt === undefined) return;
    // The wall clock, because `performance.now()` stands still while the machine sleeps. The wall
    // clock may have been set back.
    const unfocusedMs = Math.abs(now() - lostAt);
    if (unfocusedMs >= maxUnfocusedMs) this.changed.fire();
  }

  private read(): RouteSettings {
    const { env, secrets } = this.options;
    const variable = (name: string) => env[name]?.trim() ?? '';
    const proxies: RouteSettings['proxies'] = [
      { source: 'http.proxy', address: this.text('proxy') },
      ...proxyVariables.map((name) => ({ source: name, address: variable(name) })),
    ];
    const exceptions = variable('NO_PROXY') || variable('no_proxy');
    const route: RouteSettings = {
      proxySupportOff: this.setting('proxySupport') === 'off',
      proxies: proxies.filter(({ address }) => withoutQuotes(address) !== ''),
      noProxy: [...textsIn(this.setting('noProxy')), ...exceptions.split(/[\s,;]+/)],
      proxyAuthorization: this.text('proxyAuthorization'),
      proxyStrictSSL: this.setting('proxyStrictSSL') !== false,
      systemCertificates: this.setting('systemCertificates') !== false,
    };
    // Redacted in texts only, since a good answer may contain the same word by chance.
    for (const secret of proxyCredentials(route)) secrets.add(secret, 'texts');
    return route;
  }

  /**
   * Returns the user's own value, else the default. A token must not go through a proxy that a
   * workspace names, or the settings of a remote machine, which a repository's dev container
   * writes; their value is ignored, and noted in the log.
   */
  private setting(key: string): unknown {
    const { log } = this.options;
    const editor = this.options.editor ?? {
      remoteName: vscode.env.remoteName,
      version: vscode.version,
    };
    const inspected = vscode.workspace.getConfiguration('http', null).inspect<unknown>(key);
    const { value, isUsersOwn } = userSetting(inspected, editor);
    if (value === undefined) return inspected?.defaultValue;
    if (isUsersOwn) return value;
    log.warnOnce(unusedSettingLine(`http.${key}`));
    return inspected?.defaultValue;
  }

  /** Returns an empty text for a value of another type. */
  private text(key: string): string {
    const value = this.setting(key);
    return typeof value === 'string' ? value.trim() : '';
  }
}

/** Returns the texts of a list, and no texts for a value of another type. */
function textsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry: unknown) => typeof entry === 'string');
}
