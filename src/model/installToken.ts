export type InstallTokenInText =
  | { readonly kind: 'one'; readonly token: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly count: number };

/** The install token in pasted text or a link: exactly one distinct UUID in any case, made lower case. */
export function installTokenIn(text: string): InstallTokenInText {
  void text;
  return { kind: 'none' };
}
