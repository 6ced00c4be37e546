/** Runs in the page: everything that the databases whose names match hold, as text. */
export async function readDatabases(prefix: string): Promise<string> {
  function done<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
  }
  function text(value: unknown): string {
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
    if (value instanceof Map || value instanceof Set) return text([...value]);
    if (Array.isArray(value)) return value.map(text).join(' ');
    if (value && typeof value === 'object') return Object.entries(value).map(text).join(' ');
    return String(value);
  }
  const found: string[] = [];
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  for (const name of names.filter((one) => one.startsWith(prefix)).toSorted()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      found.push(name, store, text(await done(objects.getAllKeys())), text(await done(objects.getAll())));
    }
    database.close();
  }
  return found.join('\n');
}
