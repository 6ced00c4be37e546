import * as vscode from 'vscode';

/** `http.proxySupport`. Only `off` matters to us: then no proxy is used at all. */
export type ProxySupport = 'off' | 'on' | 'fallback' | 'override';

/**
 * What decides the way to a base URL, as the extension host sees it. Facts only; which way is taken is `api`'s decision.
 * Proxy addresses and `proxyAuthorization` may hold credentials: they are shown and logged nowhere.
 */
export interface RouteSettings {
  readonly proxySupport: ProxySupport;
  /** `http.proxy`; empty: none. */
  readonly proxy: string;
  /** `http.noProxy`. */
  readonly noProxy: readonly string[];
  /** `http.proxyAuthorization`: the value of a `Proxy-Authorization` header. */
  readonly proxyAuthorization?: string;
  /** `http.systemCertificates`. */
  readonly systemCertificates: boolean;
  /** The proxy variables of the extension host's environment, in upper or lower case. */
  readonly environment: {
    readonly httpsProxy?: string;
    readonly httpProxy?: string;
    /** As it stands: a list with commas. */
    readonly noProxy?: string;
  };
  /** `env.remoteName`, for example `ssh-remote`; absent if the extension host runs beside the window. */
  readonly remoteName?: string;
  /** `http.useLocalProxyConfiguration`: in a remote, whether the settings above are those of the machine with the window. */
  readonly useLocalProxyConfiguration: boolean;
}

export interface NetworkSettings extends vscode.Disposable {
  readonly onDidChange: vscode.Event<void>;
  readonly route: RouteSettings;
  /** The editor's own `fetch`, which knows PAC files, system proxies and integrated authentication. */
  readonly editorFetch: typeof globalThis.fetch;
}

export function createNetworkSettings(
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
      route ??= readRoute(env);
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

function readRoute(env: Readonly<Record<string, string | undefined>>): RouteSettings {
  const variable = (name: string) => env[name]?.trim() || env[name.toLowerCase()]?.trim() || undefined;
  const httpsProxy = variable('HTTPS_PROXY');
  const httpProxy = variable('HTTP_PROXY');
  const noProxy = variable('NO_PROXY');
  const proxyAuthorization = text('proxyAuthorization');
  const { remoteName } = vscode.env;
  return {
    proxySupport: proxySupports.find((known) => known === setting('proxySupport')) ?? 'override',
    proxy: text('proxy'),
    noProxy: texts(setting('noProxy')),
    ...(proxyAuthorization && { proxyAuthorization }),
    systemCertificates: setting('systemCertificates') !== false,
    environment: { ...(httpsProxy && { httpsProxy }), ...(httpProxy && { httpProxy }), ...(noProxy && { noProxy }) },
    ...(remoteName !== undefined && { remoteName }),
    useLocalProxyConfiguration: setting('useLocalProxyConfiguration') !== false,
  };
}

const proxySupports: readonly ProxySupport[] = ['off', 'on', 'fallback', 'override'];

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
