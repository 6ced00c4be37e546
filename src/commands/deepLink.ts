import { installTokenIn } from '../model/installToken.js';

/** What a link asks for. Links are made by others: nothing in them is done before the person agreed. */
export type DeepLink =
  | { readonly kind: 'deployment'; readonly id: string; readonly label?: string }
  | { readonly kind: 'install'; readonly token: string };

/** Why a link is refused. `parameter` is one of ours, or absent: foreign text is not repeated. */
export interface RefusedLink {
  readonly kind: 'refused';
  readonly reason: 'path' | 'unknownParameter' | 'repeated' | 'tooLong' | 'missing' | 'noToken';
  readonly parameter?: Parameter;
}

type Parameter = 'id' | 'label' | 'token';

/** Longer than any id, label or link that somebody means, and short enough to be shown whole in a question. */
const longest = { id: 500, label: 200, token: 500 } as const;

/** Which parameters each path takes. VS Code adds `windowId` on its own where a window is chosen by the link. */
const paths: Readonly<Record<string, readonly Parameter[]>> = {
  '/deployment': ['id', 'label'],
  '/install': ['token'],
};
const ignored = 'windowId';

/**
 * `query` is what `vscode.Uri` holds: percent-decoded once already. A second decoding (`URLSearchParams` does one, and takes `+`
 * for a space) would turn an id into another. An `&` within an id thus looks like one more parameter, and is refused: better than
 * half an id.
 */
export function readDeepLink(path: string, query: string): DeepLink | RefusedLink {
  const allowed = Object.hasOwn(paths, path) ? paths[path] : undefined;
  if (!allowed) return { kind: 'refused', reason: 'path' };

  const values = new Map<Parameter, string>();
  for (const pair of query.split('&')) {
    const separator = pair.indexOf('=');
    const name = separator < 0 ? pair : pair.slice(0, separator);
    if (name === '' || name === ignored) continue;
    const parameter = allowed.find((candidate) => candidate === name);
    if (!parameter) return { kind: 'refused', reason: 'unknownParameter' };
    if (values.has(parameter)) return { kind: 'refused', reason: 'repeated', parameter };
    const value = separator < 0 ? '' : pair.slice(separator + 1).trim();
    if (value.length > longest[parameter]) return { kind: 'refused', reason: 'tooLong', parameter };
    values.set(parameter, value);
  }
  return path === '/install' ? installLink(values.get('token')) : deploymentLink(values.get('id'), values.get('label'));
}

function deploymentLink(id: string | undefined, label: string | undefined): DeepLink | RefusedLink {
  if (!id) return { kind: 'refused', reason: 'missing', parameter: 'id' };
  return { kind: 'deployment', id, ...(label && { label }) };
}

function installLink(text: string | undefined): DeepLink | RefusedLink {
  if (!text) return { kind: 'refused', reason: 'missing', parameter: 'token' };
  const found = installTokenIn(text);
  return found.kind === 'one' ? { kind: 'install', token: found.token } : { kind: 'refused', reason: 'noToken' };
}
