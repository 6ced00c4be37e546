import { installTokenIn } from './tokens.js';

type DeepLink =
  | { readonly kind: 'deployment'; readonly id: string; readonly label?: string }
  | { readonly kind: 'install'; readonly token: string };

/** Why a link is refused. `parameter` is one of ours, or absent: foreign text is not repeated. */
export interface RefusedLink {
  readonly kind: 'refused';
  readonly reason: 'path' | 'unknownParameter' | 'repeated' | 'tooLong' | 'missing' | 'noToken';
  readonly parameter?: Parameter;
}

type Parameter = 'id' | 'label' | 'token';

/** Longer than real ids, labels and links, and short enough to be shown whole in a question. */
const maxParameterChars = { id: 500, label: 200, token: 500 } as const;

/** Which parameters each path takes, the required one first. VS Code adds `windowId` on its own where a window is chosen by the link. */
const paths = new Map<string, readonly [Parameter, ...Parameter[]]>([
  ['/deployment', ['id', 'label']],
  ['/install', ['token']],
]);
const ignored = 'windowId';

/** What `readDeepLink` reads as this deployment, without a label that it would refuse; `undefined` for an ID that no link can hold. */
export function deploymentLink(id: string, label: string): string | undefined {
  if (id === '' || !fits('id', id)) return undefined;
  return `/deployment?id=${encoded(id)}${label && fits('label', label) ? `&label=${encoded(label)}` : ''}`;
}

function fits(parameter: Parameter, value: string): boolean {
  return value.trim() === value && value.length <= maxParameterChars[parameter] && !/\p{Surrogate}/u.test(value);
}

/** VS Code decodes a link before the extension gets it, so an `&`, and what would be read as one, is encoded once more. */
function encoded(value: string): string {
  return encodeURIComponent(value.replaceAll(/%(?=2[56])/g, '%25').replaceAll('&', '%26'));
}

/**
 * `query` is what `vscode.Uri` holds, which has been percent-decoded once. A second decoding of more than an `&` would turn an id
 * into another. An `&` that was encoded once looks like one more parameter and is refused, which is better than half an id.
 */
export function readDeepLink(path: string, query: string): DeepLink | RefusedLink {
  const allowed = paths.get(path);
  if (!allowed) return { kind: 'refused', reason: 'path' };

  const values = new Map<Parameter, string>();
  for (const pair of query.split('&')) {
    const [name = '', ...rest] = pair.split('=');
    if (name === '' || name === ignored) continue;
    const parameter = allowed.find((candidate) => candidate === name);
    if (!parameter) return { kind: 'refused', reason: 'unknownParameter' };
    if (values.has(parameter)) return { kind: 'refused', reason: 'repeated', parameter };
    const value = rest
      .join('=')
      .replaceAll(/%2[56]/g, (mark) => (mark === '%26' ? '&' : '%'))
      .trim();
    if (value.length > maxParameterChars[parameter]) return { kind: 'refused', reason: 'tooLong', parameter };
    values.set(parameter, value);
  }
  const [required] = allowed;
  const text = values.get(required);
  if (!text) return { kind: 'refused', reason: 'missing', parameter: required };
  if (required === 'token') {
    const found = installTokenIn(text);
    return found.kind === 'one' ? { kind: 'install', token: found.token } : { kind: 'refused', reason: 'noToken' };
  }
  const label = values.get('label');
  return { kind: 'deployment', id: text, ...(label && { label }) };
}
