/** js-yaml brings no types. */
declare module 'js-yaml' {
  /** Throws if the text is no YAML. */
  export function load(text: string): unknown;
}
