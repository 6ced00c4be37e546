// What several UI tests do by hand, in the words of a person.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../support/service/faults.js';
import type { RequestRecord, Service } from '../support/service/service.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { type Expected, until, untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';

/** Runs one of our commands from the palette. */
export async function run(workbench: Workbench, title: string): Promise<void> {
  await workbench.commands.run(`Automation Platform: ${title}`);
}

/** Waits for a question and answers it. */
export async function answer(workbench: Workbench, question: Expected, text: string): Promise<void> {
  await workbench.quickInput.waitFor(question);
  await workbench.quickInput.answer(text);
}

/** The pair of variables that signs in without a question. */
export function environmentOf({ baseUrl, token }: Service): Record<string, string> {
  return { AUTOMATION_PLATFORM_BASE_URL: baseUrl, AUTOMATION_PLATFORM_TOKEN: token };
}

export interface SignIn {
  readonly baseUrl: string;
  readonly token: string;
  readonly name: string;
}

/** The three steps of Sign In, and its message put away. */
export async function signIn(workbench: Workbench, { baseUrl, token, name }: SignIn): Promise<void> {
  await run(workbench, 'Sign In…');
  await answer(workbench, /^The base URL of the API/, baseUrl);
  await answer(workbench, /^The access token/, token);
  await answer(workbench, /^A name for this organization/, name);
  await workbench.quickInput.waitForClosed();
  await workbench.notifications.waitFor(new RegExp(`“${name}”`));
  await workbench.notifications.clear();
}

/** The rows once they are these. Ages ("just now", "2 minutes ago") are left out: they depend on the machine's haste. */
export async function waitForOutline(view: TreeView, expected: readonly string[]): Promise<void> {
  await untilRead(
    `the rows ${JSON.stringify(expected, undefined, 1)}`,
    async () => (await view.outline()).map(withoutAge),
    (rows) => isDeepStrictEqual(rows, expected),
  );
}

function withoutAge(line: string): string {
  return line
    .replace(/Seen since .*$/, 'Seen since …')
    .replace(/(stale, read|checked) (just now|[\d,]+ [a-z]+ ago)/, '$1 …');
}

/** The labels of the selected rows, once they are these. */
export async function waitForSelection(view: TreeView, labels: readonly string[]): Promise<void> {
  await view.waitForRows(`${labels.join(', ')} selected`, (rows) =>
    isDeepStrictEqual(
      rows.filter((row) => row.selected).map(({ label }) => label),
      labels,
    ),
  );
}

export async function waitForClipboard(workbench: Workbench, text: string): Promise<void> {
  await untilRead(
    `the clipboard to hold ${text}`,
    () => workbench.clipboard(),
    (seen) => seen === text,
  );
}

/** The requests of one operation so far, oldest first. */
export function requestsOf(service: Service, operation: Operation): RequestRecord[] {
  return service.requests.filter(({ route }) => route.operation === operation);
}

/** All lines that our output channel has written to its files, oldest first. */
export async function logLines(workbench: Workbench): Promise<string[]> {
  const files = (await readdir(join(workbench.dataFolder, 'data', 'logs'), { recursive: true }))
    .filter((file) => file.endsWith('Automation Platform.log'))
    .toSorted();
  const texts = await Promise.all(
    files.map((file) => readFile(join(workbench.dataFolder, 'data', 'logs', file), 'utf8')),
  );
  return texts
    .join('')
    .split('\n')
    .filter((line) => line !== '');
}

export async function waitForLogLine(workbench: Workbench, expected: RegExp): Promise<string> {
  const lines = await untilRead(
    `the log line ${expected}`,
    () => logLines(workbench),
    (all) => all.some((line) => expected.test(line)),
  );
  return lines.find((line) => expected.test(line))!;
}

/**
 * Everything that the browser keeps for this profile: secrets (encrypted), workspace and global state and whatever else, as text.
 * On the desktop the same is kept in files and in the keyring.
 */
export async function browserStorage(workbench: Workbench): Promise<string> {
  return workbench.page.evaluate(`(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const text = (value) => {
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
      if (value instanceof Map || value instanceof Set) return text([...value]);
      if (Array.isArray(value)) return value.map(text).join(' ');
      if (value && typeof value === 'object') return Object.entries(value).map(text).join(' ');
      return String(value);
    };
    const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href];
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objectStore = database.transaction(store).objectStore(store);
        found.push(name, store, text(await done(objectStore.getAllKeys())), text(await done(objectStore.getAll())));
      }
      database.close();
    }
    return found.join('\\n');
  })()`);
}

/** From the row that says that lists of the workspace are not used. VS Code draws the page anew while one clicks on it. */
export async function trustWorkspace(workbench: Workbench, view: TreeView): Promise<void> {
  const row = 'Workspace list not used';
  const trust = workbench.page.locator('.workspace-trust-editor .monaco-button').filter({ hasText: /^Trust$/ });
  await until('the page of the workspace’s trust', async () => {
    await view.select(row);
    await trust.first().waitFor({ timeout: 2_000 });
    return true;
  });
  await until(`“${row}” to vanish`, async () => {
    const rows = await view.rows();
    if (rows.length > 0 && !rows.some(({ label }) => label === row)) return true;
    if ((await trust.count()) > 0) await trust.first().click({ timeout: 2_000 });
    return false;
  });
}

/**
 * What the server keeps of installed language packs, and the display language that somebody chose. Microsoft's packs are in no
 * registry that tests may use, so these translate nothing of VS Code itself: its own words stay English, ours must not.
 */
export async function chooseLanguage(workbench: Workbench, locale: string): Promise<void> {
  const data = join(workbench.dataFolder, 'data');
  const translations = join(data, 'no-translations.json');
  const pack = {
    hash: `empty-${locale}`,
    label: locale,
    extensions: [{ extensionIdentifier: { id: `test.language-pack-${locale}` }, version: '1.0.0' }],
    translations: { vscode: translations },
  };
  await mkdir(join(data, 'User'), { recursive: true });
  await writeFile(translations, JSON.stringify({ contents: {} }));
  await writeFile(join(data, 'languagepacks.json'), JSON.stringify({ [locale]: pack }));
  await writeFile(join(data, 'User', 'argv.json'), JSON.stringify({ locale }));
  await workbench.reload();
}
