import * as vscode from 'vscode';
import { proxyCredentials, type RouteSettings } from '../api/network/route.js';
import type { KnownSecrets } from '../api/secrets.js';

/** The settings of the editor and the environment that decide how the service is reached. */
export class Network implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly listener: vscode.Disposable;
  route: RouteSettings;

  constructor(
    private readonly secrets: Pick<KnownSecrets, 'add'>,
    private readonly env: Readonly<Record<string, string | undefined>> = process.env,
  ) {
    this.route = this.read();
    this.listener = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('http')) return;
      this.route = this.read();
      this.changed.fire();
    });
  }

  /**
   * The editor's own `fetch`, which knows PAC files, system proxies and integrated authentication. It is looked up at each call,
   * since VS Code may put it in place after this extension was loaded.
   */
  readonly editorFetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request);

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }

  private read(): RouteSettings {
    const variable = (name: string) => this.env[name]?.trim() || this.env[name.toLowerCase()]?.trim() || undefined;
    const httpsProxy = variable('HTTPS_PROXY');
    const httpProxy = variable('HTTP_PROXY');
    const noProxy = variable('NO_PROXY');
    const proxyAuthorization = text('proxyAuthorization');
    const route: RouteSettings = {
      proxySupport: proxySupports.find((known) => known === setting('proxySupport')) ?? 'override',
      proxy: text('proxy'),
      noProxy: noProxyList(setting('noProxy')),
      ...(proxyAuthorization && { proxyAuthorization }),
      systemCertificates: setting('systemCertificates') !== false,
      environment: { ...(httpsProxy && { httpsProxy }), ...(httpProxy && { httpProxy }), ...(noProxy && { noProxy }) },
      proxyStrictSSL: setting('proxyStrictSSL') !== false,
    };
    // In texts only, since a good answer may contain the same word by chance.
    for (const secret of proxyCredentials(route)) this.secrets.add(secret, 'texts');
    return route;
  }
}

const proxySupports: readonly RouteSettings['proxySupport'][] = ['off', 'on', 'fallback', 'override'];

/** Only values of the user or the machine are read: a workspace must never lead a token through its own proxy. */
function setting(key: string): unknown {
  const values = vscode.workspace.getConfiguration('http', null).inspect<unknown>(key);
  return values?.globalValue ?? values?.defaultValue;
}

function text(key: string): string {
  const value = setting(key);
  return typeof value === 'string' ? value.trim() : '';
}

function noProxyList(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry: unknown): entry is string => typeof entry === 'string' && entry.trim() !== '');
}

/** A window that nobody used for so long may wake up in another network: a VPN came or went. */
const awayFor = 5 * 60_000;

/** Has routes decided anew when the settings that decide them change, and when the window wakes up. */
export function forgetRoutes(
  network: Pick<Network, 'onDidChange'>,
  forget: () => void,
  now: () => number,
  window: Pick<typeof vscode.window, 'onDidChangeWindowState'>,
): vscode.Disposable {
  let leftAt: number | undefined;
  return vscode.Disposable.from(
    network.onDidChange(forget),
    window.onDidChangeWindowState(({ focused }) => {
      if (!focused) {
        leftAt ??= now();
        return;
      }
      // After the clock was set back nobody knows how long the window was left.
      const isLong = leftAt !== undefined && (now() - leftAt >= awayFor || now() < leftAt);
      leftAt = undefined;
      if (isLong) forget();
    }),
  );
}
