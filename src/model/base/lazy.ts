/**
 * Returns a function that makes a value when it is first called, and returns the same value from
 * then on.
 */
export function lazy<T extends {}>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
