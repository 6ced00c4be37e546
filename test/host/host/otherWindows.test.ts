import { strict as assert } from 'node:assert';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryState } from '../../support/memoryState.js';
import { randomFrom } from '../../support/random.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { TabSecrets } from '../../support/window/memory.js';
import { notificationsOf, settle } from '../../support/window/windowRecorder.js';

const baseUrl = 'https://host.example/api/v1';
const acme = { name: 'Acme', baseUrl, token: 'tok-1234' };
const second = { name: 'Second', baseUrl, token: 'tok-5678' };

describe('sign-ins in two tabs of a browser', () => {
  let storage: Map<string, string>;
  let globalState: MemoryState;
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = { info: write, warn: write, warnOnce: write, error: write };
  let one: Tab;
  let two: Tab;

  type Tab = Awaited<ReturnType<typeof openTab>>;

  /** `secrets`: of a tab that is loaded already, and whose extension host starts again. */
  async function openTab(secrets = new TabSecrets(storage), isInBrowser = true) {
    const context = { secrets, workspaceState: new MemoryState(), globalState };
    const clock = new ManualClock();
    const tab = Object.assign(
      new Organizations(context, log, new KnownSecrets(), { env: {}, clock, isInBrowser }),
      {
        secrets,
        clock,
        changes: 0,
        names: () => tab.list.map(({ name }) => name),
        tokenOf: (id: string) => tab.target(id, 'access')?.token,
      },
    );
    atEndOfTest(() => tab.dispose());
    await tab.ready;
    await settle();
    tab.onDidChange(() => tab.changes++);
    return tab;
  }

  beforeEach(async () => {
    storage = new Map();
    globalState = new MemoryState();
    lines.length = 0;
    one = await openTab();
  });

  describe('that one of them deletes', () => {
    let id: string;
    beforeEach(async () => {
      ({ id } = await one.signIn(acme));
      two = await openTab();
      await one.signOut(id);
    });

    it('give the other no token any more, whose keyring still has it', () => {
      assert.ok(two.secrets.values.has(`organization.${id}`));
      assert.equal(two.tokenOf(id), undefined);
      assert.deepEqual([two.noCurrentReason, two.names(), two.changes], ['notSignedIn', [], 1]);
      assert.deepEqual([...two.idsNotSignedOut!], ['environment']);
    });

    for (const [what, learn] of [
      ['when it gets the focus', () => two.catchUp()],
      ['with a command that needs the current one', () => two.waitForCurrent()],
      ['with a command that lists all', () => two.waitForSignIns()],
    ] as const) {
      it(`are gone in the other ${what}, which says so once`, async () => {
        await learn();
        await learn();
        assert.deepEqual([two.noCurrentReason, two.changes], ['notSignedIn', 1]);
      });
    }

    it('get no other token in the other', async () => {
      await assert.rejects(two.replaceToken(id, 'tok-2'), /This organization is signed out\./);
      await assert.rejects(
        two.setSessionToken(id, 'ses-1234'),
        /This organization is signed out\./,
      );
      const again = await two.signIn(acme);
      assert.notEqual(again.id, id);
    });

    it('are deleted again after the other has written them back', async () => {
      const other = await two.signIn(second);
      await settle();
      assert.deepEqual([...storage.keys()], [`organization.${other.id}`]);
    });

    it('stay signed out in a new tab, which deletes what was written back', async () => {
      storage.set(`organization.${id}`, JSON.stringify(acme));
      const next = await openTab();
      assert.deepEqual([next.names(), [...storage.keys()]], [[], []]);
    });

    it('are not deleted again by a restart of the extension host, which would undo what other tabs have saved', async () => {
      const other = await one.signIn(second);
      two = await openTab(two.secrets);
      await settle();
      assert.deepEqual([two.names(), [...storage.keys()]], [[], [`organization.${other.id}`]]);
    });

    it('are not deleted again by such a restart where another tab has replaced a token', async () => {
      const other = await one.signIn(second);
      storage.set(`organization.${id}`, JSON.stringify(acme));
      two = await openTab(new TabSecrets(new Map(storage)));
      const restarted = new TabSecrets(storage);
      await one.replaceToken(other.id, 'tok-9');
      await openTab(restarted);
      await settle();
      assert.equal(JSON.parse(storage.get(`organization.${other.id}`)!).token, 'tok-9');
    });

    it('are not deleted again by the focus, which would undo what other tabs have saved', async () => {
      const other = await one.signIn(second);
      await two.catchUp();
      await settle();
      assert.deepEqual([...storage.keys()], [`organization.${other.id}`]);
    });
  });

  describe('whose token one of them replaces', () => {
    const sentence =
      'The tokens for “Acme” were changed in another window. Reload this window to use them.';
    let id: string;
    beforeEach(async () => {
      ({ id } = await one.signIn(acme));
      two = await openTab();
      await one.replaceToken(id, 'tok-2');
    });

    it('are old in the other, which says once on focus that it has to be reloaded', async () => {
      const said = await notificationsOf(() => two.catchUp().then(() => two.catchUp()));
      assert.deepEqual(said, [['information', sentence, 'Reload Window']]);
      assert.deepEqual([one.hasOldToken(id), two.hasOldToken(id)], [false, true]);
    });

    it('have the new token after a reload', async () => {
      two = await openTab();
      const said = await notificationsOf(() => two.catchUp());
      assert.deepEqual([two.tokenOf(id), two.hasOldToken(id), said], ['tok-2', false, []]);
    });

    it('get no session token in the other, which would write back the old token', async () => {
      await assert.rejects(two.setSessionToken(id, 'ses-1234'), new RegExp(sentence));
      assert.equal(JSON.parse(storage.get(`organization.${id}`)!).token, 'tok-2');
    });

    it('get no token and are not deleted in the other before it is reloaded', async () => {
      const refused =
        /^UserError: Nothing was changed, because another window has changed sign-ins since this window/;
      await assert.rejects(two.replaceToken(id, 'tok-3'), refused);
      await assert.rejects(two.signOut(id), refused);
      two = await openTab();
      await two.replaceToken(id, 'tok-3');
      assert.deepEqual([one.hasOldToken(id), two.hasOldToken(id)], [true, false]);
    });

    const stale = `${sentence} If this message comes again, sign in again.`;

    it('are old in the other also after a restart of its extension host', async () => {
      two = await openTab(two.secrets);
      const said = await notificationsOf(() => two.catchUp());
      assert.deepEqual(
        [two.hasOldToken(id), said],
        [true, [['information', stale, 'Reload Window', 'Sign In...']]],
      );
    });

    it('can be replaced where a tab with an older version has brought back the old one', async () => {
      storage.set(`organization.${id}`, JSON.stringify({ ...acme, revision: 1 }));
      two = await openTab();
      assert.equal(two.hasOldToken(id), true);
      await two.replaceToken(id, 'tok-3');
      assert.deepEqual([two.hasOldToken(id), two.tokenOf(id)], [false, 'tok-3']);
    });

    it('are not old where version 0.2.0 has replaced it since, in the keyring that all windows share', async () => {
      const keyring = new TabSecrets(storage);
      two = await openTab(keyring, false);
      await one.replaceToken(id, 'tok-3');
      keyring.values.set(`organization.${id}`, JSON.stringify({ ...acme, token: 'tok-4' }));
      await two.catchUp();
      assert.deepEqual([two.tokenOf(id), two.hasOldToken(id)], ['tok-4', false]);
    });

    it('are not said to need a reload where the keyring cannot be read', async () => {
      two.secrets.refusal = new Error('locked');
      const said = await notificationsOf(() => two.catchUp());
      assert.match(said[0]![1]!, /^VS Code’s secret storage cannot be read\./);
      assert.equal(said.length, 1);
    });

    it('are old in the other also after version 0.2.0 has saved them', async () => {
      storage.set('organization.old', JSON.stringify(second));
      [one, two] = [await openTab(), await openTab()];
      assert.equal(two.hasOldToken('old'), false);
      await one.replaceToken('old', 'tok-9');
      assert.deepEqual([one.hasOldToken('old'), two.hasOldToken('old')], [false, true]);
    });

    it('are not old where the keyring has the new one, although it has reported no change yet', async () => {
      two.secrets.readStorage();
      const said = await notificationsOf(() => two.catchUp());
      assert.deepEqual([two.tokenOf(id), two.hasOldToken(id), said], ['tok-2', false, []]);
    });
  });

  it('are gone in the other two seconds after it got the focus, if that was too early', async () => {
    const { id } = await one.signIn(acme);
    two = await openTab();
    await two.catchUp();
    await one.signOut(id);
    assert.deepEqual(two.names(), ['Acme']);
    two.clock.pass(2000);
    await settle();
    assert.deepEqual([two.names(), two.clock.waiting], [[], 0]);
  });

  describe('that one of them adds', () => {
    beforeEach(async () => {
      two = await openTab();
      await one.signIn(acme);
    });

    it('are missing in the other, which says so on focus', async () => {
      await two.catchUp();
      await two.catchUp();
      assert.deepEqual(
        [one.lacksSignInOfOtherWindow, two.lacksSignInOfOtherWindow, two.changes],
        [false, true, 1],
      );
    });

    it('let the other write nothing before it is reloaded, so that both are kept', async () => {
      const said = /another window has changed sign-ins since this window was loaded/;
      await assert.rejects(two.signIn(second), said);
      assert.equal(storage.size, 1);
      two = await openTab();
      await two.signIn(second);
      assert.equal(storage.size, 2);
    });

    it('let the other write where it can read them by now', async () => {
      two.secrets.readStorage();
      await two.signIn(second);
      assert.deepEqual([two.names(), storage.size], [['Acme', 'Second'], 2]);
    });

    it('let the other write where all windows share the keyring', async () => {
      two = await openTab(new TabSecrets(new Map()), false);
      await one.signIn(second);
      await two.signIn({ ...acme, name: 'Third' });
      assert.deepEqual(two.names(), ['Third']);
    });

    it('keep what the other remembers of them', () => {
      assert.deepEqual([...two.idsNotSignedOut!], ['environment', one.current!.id]);
    });

    it('are never missing where the keyring had them before their mark came', async () => {
      const marks = globalState.get('signInMarks');
      await globalState.update('signInMarks', {});
      two = await openTab();
      storage.clear();
      two.secrets.readStorage();
      await globalState.update('signInMarks', marks);
      two.secrets.changed.fire({ key: 'organization.x' });
      await settle();
      assert.deepEqual([two.names(), two.lacksSignInOfOtherWindow], [[], false]);
    });

    it('are missing in none after a reload', async () => {
      two = await openTab();
      assert.deepEqual([two.lacksSignInOfOtherWindow, two.names()], [false, ['Acme']]);
    });

    it('are missing in none once they are signed out', async () => {
      await two.catchUp();
      await one.signOut(one.current!.id);
      await two.catchUp();
      assert.deepEqual([two.lacksSignInOfOtherWindow, two.changes], [false, 2]);
    });

    it('are not missing where the keyring has them, although it has reported no change yet', async () => {
      two.secrets.readStorage();
      await two.catchUp();
      assert.deepEqual([two.lacksSignInOfOtherWindow, two.names()], [false, ['Acme']]);
    });

    it('are not missing in a window that was opened after the keyring was emptied', async () => {
      storage.clear();
      two = await openTab();
      await two.catchUp();
      assert.equal(two.lacksSignInOfOtherWindow, false);
    });

    it('are not missing where the keyring cannot be read', async () => {
      const keyring = new TabSecrets(storage);
      keyring.refusal = new Error('locked');
      two.secrets.refusal = keyring.refusal;
      two.secrets.keys = () => Promise.reject(keyring.refusal);
      await two.catchUp();
      assert.equal(two.lacksSignInOfOtherWindow, false);
    });
  });

  it('are used in none after one has signed out, whatever both did one after the other', async () => {
    two = await openTab();
    const tabs = [one, two];
    const signedOut = new Set<string>();
    const next = randomFrom(11);
    const random = (end: number) => Math.floor(next() * end);
    for (let round = 0; round < 300; round++) {
      const at = random(2);
      const tab = tabs[at]!;
      const known = tab.list[random(tab.list.length)];
      const act = random(5);
      if (act === 0) tabs[at] = await openTab();
      else if (act === 1 || !known)
        await tab.signIn({ ...acme, name: `Acme ${round}` }).catch(() => undefined);
      else if (act === 2) await tab.replaceToken(known.id, `tok-${round}`).catch(() => undefined);
      else if (act === 3)
        await tab.setSessionToken(known.id, `ses-${round}`).catch(() => undefined);
      else {
        await tab.signOut(known.id).catch(() => undefined);
        if (!tab.get(known.id)) signedOut.add(known.id);
      }
      await settle();
      for (const id of signedOut)
        for (const each of tabs) assert.equal(each.tokenOf(id), undefined);
    }
    tabs[0] = await openTab();
    const kept = [...storage.keys()].filter((key) =>
      signedOut.has(key.replace('organization.', '')),
    );
    assert.ok(signedOut.size > 10);
    assert.deepEqual(kept, []);
  });

  it('are told again to be signed out, on focus and two seconds later, where another tab has undone the mark', async () => {
    const { id } = await one.signIn(acme);
    const before = globalState.get('signInMarks');
    await one.signOut(id);
    for (const look of [() => one.catchUp(), async () => one.clock.pass(2000)]) {
      await globalState.update('signInMarks', before);
      await look();
      await settle();
      assert.deepEqual(globalState.get('signInMarks'), { [id]: 'signedOut' });
    }
  });

  it('are signed out once VS Code has the mark, or has not answered for ten seconds', async () => {
    const { id } = await one.signIn(acme);
    globalState.update = () => new Promise(() => undefined);
    let isDone = false;
    const signedOut = one.signOut(id).then(() => (isDone = true));
    await settle();
    assert.equal(isDone, false);
    one.clock.pass(10_000);
    await signedOut;
    assert.match(
      lines.join('\n'),
      /could not be told of the change of a sign-in: VS Code has not answered\./,
    );
  });

  it('stay signed out where one replaces a token while another signs out', async () => {
    const { id } = await one.signIn(acme);
    two = await openTab();
    two.secrets.hang(/^get/);
    const replacing = two.replaceToken(id, 'tok-2');
    await settle();
    await one.signOut(id);
    two.secrets.answerAll();
    await assert.rejects(replacing, /^UserError: This organization is signed out\./);
    const other = await one.signIn(second);
    two = await openTab();
    two.secrets.hang(/^store/);
    const late = two.replaceToken(other.id, 'tok-2');
    await settle();
    await one.signOut(other.id);
    two.secrets.answerAll();
    await late;
    assert.equal(two.tokenOf(other.id), undefined);
  });

  it('are new where one signs in again while another signs out', async () => {
    const { id } = await one.signIn(acme);
    two = await openTab();
    two.secrets.hang(/^get/);
    const again = two.signIn({ ...acme, token: 'tok-2' });
    await settle();
    await one.signOut(id);
    two.secrets.answerAll();
    const { id: added } = await again;
    assert.deepEqual([added === id, two.tokenOf(added)], [false, 'tok-2']);
  });

  it('leave at most 100 marks of opaque IDs, the newest ones', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 110; index++) {
      const { id } = await one.signIn({ ...acme, name: `Acme ${index}` });
      if (index % 2 === 0) await one.signOut(id);
      ids.push(id);
    }
    const marks = globalState.get<Record<string, unknown>>('signInMarks')!;
    assert.deepEqual(Object.keys(marks), ids.slice(-100));
    assert.deepEqual(new Set(Object.values(marks)), new Set(['signedOut', 1]));
  });

  it('are saved and deleted where VS Code cannot remember the marks, which the log says', async () => {
    globalState.update = () => Promise.reject(new Error('disk full'));
    const { id } = await one.signIn(acme);
    await one.signOut(id);
    await settle();
    assert.deepEqual([one.names(), [...storage.keys()]], [[], []]);
    assert.match(
      lines.join('\n'),
      /Other windows could not be told of the change of a sign-in: disk full/,
    );
  });

  for (const stored of ['text', 7, ['a'], { a: null, b: 'other' }]) {
    it(`are read beside marks that are no marks: ${JSON.stringify(stored)}`, async () => {
      globalState = new MemoryState({ signInMarks: stored });
      one = await openTab();
      const { id } = await one.signIn(acme);
      assert.deepEqual([one.tokenOf(id), one.lacksSignInOfOtherWindow], [acme.token, false]);
    });
  }
});
