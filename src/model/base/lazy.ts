export function lazy<T extends {}>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
