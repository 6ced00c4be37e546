import type { Page } from 'playwright-core';
import { until } from './until.js';

/**
 * Waits until the window has written its state. In a browser the workbench does so a moment after each change, and not when the
 * page goes away; a desktop window writes the rest while it closes.
 */
export async function writtenState(page: Page): Promise<void> {
  let last: string | undefined;
  await until('the state to be written', async () => {
    const now = await page.evaluate<string>(readState);
    const settled = now === last;
    last = now;
    return settled;
  });
}

// Two reads, further apart than the delay after which the workbench writes, see the same.
const readState = `(async () => {
  await new Promise((resolve) => setTimeout(resolve, 250));
  const promise = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const names = (await indexedDB.databases()).map(({ name }) => name).filter((name) => name.startsWith('vscode-web-state-db'));
  const all = await Promise.all(names.toSorted().map(async (name) => {
    const database = await promise(indexedDB.open(name));
    const stores = [...database.objectStoreNames];
    const contents = await Promise.all(stores.map(async (store) => {
      const objects = database.transaction(store).objectStore(store);
      return Promise.all([promise(objects.getAllKeys()), promise(objects.getAll())]);
    }));
    database.close();
    return [name, contents];
  }));
  return JSON.stringify(all);
})()`;
