/** Makes a value when it is first needed, and gives the same one from then on. */
export function lazy<T extends {}>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
