import * as vscode from 'vscode';
import { proxyCredentials, type RouteSettings } from '../api/network/route.js';
import type { KnownSecrets } from '../api/secrets.js';
import { DisposableOwner } from '../model/disposableOwner.js';

/** A window that was away for so long may be in another network when it comes back: a VPN came or went. */
const maxAwayMs = 5 * 60_000;

export class Network extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  /** Also when the window wakes up: what was learned of the routes may be wrong. */
  readonly onDidChange = this.changed.event;
  private leftAt: number | undefined;
  route: RouteSettings;

  constructor(
    private readonly secrets: Pick<KnownSecrets, 'add'>,
    private readonly env: Readonly<Record<string, string | undefined>>,
    private readonly now: () => number,
    window: Pick<typeof vscode.window, 'onDidChangeWindowState'>,
  ) {
    super();
    this.route = this.read();
    this.own(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('http')) return;
        this.route = this.read();
        this.changed.fire();
      }),
    );
    this.own(window.onDidChangeWindowState(({ focused }) => this.focusChanged(focused)));
  }

  /** Looked up at each call, since VS Code may put its own in place after this extension was loaded. */
  readonly editorFetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request);

  private focusChanged(focused: boolean): void {
    const { leftAt, now } = this;
    this.leftAt = focused ? undefined : (leftAt ?? now());
    // The wall clock, because the other one stands still while the machine sleeps. It may have been set back.
    if (focused && leftAt !== undefined && Math.abs(now() - leftAt) >= maxAwayMs) this.changed.fire();
  }

  private read(): RouteSettings {
    const variable = (name: string) => this.env[name]?.trim() || this.env[name.toLowerCase()]?.trim() || '';
    const proxies: RouteSettings['proxies'] = [
      { from: 'http.proxy', address: httpText('proxy') },
      { from: 'HTTPS_PROXY', address: variable('HTTPS_PROXY') },
      { from: 'HTTP_PROXY', address: variable('HTTP_PROXY') },
    ];
    const route: RouteSettings = {
      proxySupportOff: httpSetting('proxySupport') === 'off',
      proxies: proxies.filter(({ address }) => address !== ''),
      noProxy: [...texts(httpSetting('noProxy')), ...variable('NO_PROXY').split(/[\s,;]+/)],
      proxyAuthorization: httpText('proxyAuthorization'),
      proxyStrictSSL: httpSetting('proxyStrictSSL') !== false,
      systemCertificates: httpSetting('systemCertificates') !== false,
    };
    // In texts only, since a good answer may contain the same word by chance.
    for (const secret of proxyCredentials(route)) this.secrets.add(secret, 'texts');
    return route;
  }
}

/**
 * Reads only values of the user or the machine: a workspace must never lead a token through its own
 * proxy. A remote machine's values count, because requests start there.
 */
function httpSetting(key: string): unknown {
  const values = vscode.workspace.getConfiguration('http', null).inspect<unknown>(key);
  return values?.globalValue ?? values?.defaultValue;
}

function httpText(key: string): string {
  const value = httpSetting(key);
  return typeof value === 'string' ? value.trim() : '';
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry: unknown) => typeof entry === 'string') : [];
}
