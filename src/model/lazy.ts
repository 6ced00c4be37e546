/** Makes when first needed, and gives the same from then on. */
export function lazy<T extends {}>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
