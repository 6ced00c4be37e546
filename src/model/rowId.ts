/** One part of a row's id: percent-encoded, and a lone `%` for a value that is absent. Different values never meet. */
export function encodePart(value: string | undefined): string {
  if (value === undefined) return '%';
  if (/^[\w.-]*$/.test(value)) return value;
  // `encodeURIComponent` throws on half a surrogate pair; settings and answers can hold one.
  return value.replace(/\p{Surrogate}|[^\p{Surrogate}\w.-]/gu, (character) =>
    /\p{Surrogate}/u.test(character)
      ? `%u${character.charCodeAt(0).toString(16)}`
      : encodeURIComponent(character).replace(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`),
  );
}

/** Ids of one parent's rows: what is equal among them gets an ordinal, because equal ids make VS Code throw. */
export class SiblingIds {
  private readonly counts = new Map<string, number>();

  constructor(private readonly parentId: string) {}

  next(kind: string, ...parts: readonly (string | undefined)[]): string {
    const name = [kind, ...parts.map(encodePart)].join(':');
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return `${this.parentId}/${name}${count === 1 ? '' : `#${count}`}`;
  }
}
