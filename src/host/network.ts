import * as vscode from 'vscode';
import { proxyCredentials, type RouteSettings } from '../api/network/route.js';
import type { KnownSecrets } from '../api/secrets.js';

export interface NetworkSettings extends vscode.Disposable {
  readonly onDidChange: vscode.Event<void>;
  readonly route: RouteSettings;
  /** The editor's own `fetch`, which knows PAC files, system proxies and integrated authentication. */
  readonly editorFetch: typeof globalThis.fetch;
}

export function createNetworkSettings(
  secrets: Pick<KnownSecrets, 'add'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): NetworkSettings {
  const changed = new vscode.EventEmitter<void>();
  let route: RouteSettings | undefined;
  const listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration('http')) return;
    route = undefined;
    changed.fire();
  });
  return {
    onDidChange: changed.event,
    get route() {
      route ??= withSecretsKnown(readRoute(env), secrets);
      return route;
    },
    // Looked up at each call: VS Code puts its own in place, perhaps after we were loaded.
    editorFetch: (...request) => globalThis.fetch(...request),
    dispose() {
      listener.dispose();
      changed.dispose();
    },
  };
}

/** Credentials of a proxy are redacted wherever an error or a debug page repeats them. A good answer may hold the same word. */
function withSecretsKnown(route: RouteSettings, secrets: Pick<KnownSecrets, 'add'>): RouteSettings {
  for (const secret of proxyCredentials(route)) secrets.add(secret, 'texts');
  return route;
}

function readRoute(env: Readonly<Record<string, string | undefined>>): RouteSettings {
  const variable = (name: string) => env[name]?.trim() || env[name.toLowerCase()]?.trim() || undefined;
  const httpsProxy = variable('HTTPS_PROXY');
  const httpProxy = variable('HTTP_PROXY');
  const noProxy = variable('NO_PROXY');
  const proxyAuthorization = text('proxyAuthorization');
  return {
    proxySupport: proxySupports.find((known) => known === setting('proxySupport')) ?? 'override',
    proxy: text('proxy'),
    noProxy: texts(setting('noProxy')),
    ...(proxyAuthorization && { proxyAuthorization }),
    systemCertificates: setting('systemCertificates') !== false,
    environment: { ...(httpsProxy && { httpsProxy }), ...(httpProxy && { httpProxy }), ...(noProxy && { noProxy }) },
    proxyStrictSSL: setting('proxyStrictSSL') !== false,
  };
}

const proxySupports: readonly RouteSettings['proxySupport'][] = ['off', 'on', 'fallback', 'override'];

/**
 * All of them are settings of the user or the machine, and VS Code hides a workspace's. Read the same way all the same: what a
 * workspace says must never lead a token through its proxy.
 */
function setting(key: string): unknown {
  const values = vscode.workspace.getConfiguration('http', null).inspect<unknown>(key);
  return values?.globalValue ?? values?.defaultValue;
}

function text(key: string): string {
  const value = setting(key);
  return typeof value === 'string' ? value.trim() : '';
}

function texts(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry: unknown): entry is string => typeof entry === 'string' && entry.trim() !== '');
}

/** A window that nobody used for so long may wake up in another network: a VPN came or went. */
const awayFor = 5 * 60_000;

/** Has routes decided anew when the settings that decide them change, and when the window wakes up. */
export function forgetRoutes(
  network: Pick<NetworkSettings, 'onDidChange'>,
  forget: () => void,
  now: () => number,
  window: Pick<typeof vscode.window, 'onDidChangeWindowState'> = vscode.window,
): vscode.Disposable {
  let leftAt: number | undefined;
  return vscode.Disposable.from(
    network.onDidChange(forget),
    window.onDidChangeWindowState(({ focused }) => {
      if (!focused) {
        leftAt ??= now();
        return;
      }
      // After the clock was set back nobody knows how long it was.
      const isLong = leftAt !== undefined && (now() - leftAt >= awayFor || now() < leftAt);
      leftAt = undefined;
      if (isLong) forget();
    }),
  );
}
