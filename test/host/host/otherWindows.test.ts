import { strict as assert } from 'node:assert';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryState } from '../../support/memoryState.js';
import { randomFrom } from '../../support/random.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { TabSecrets } from '../../support/window/memory.js';
import { notificationsOf, rejectionOf, settle } from '../../support/window/windowRecorder.js';

const baseUrl = 'https://host.example/api/v1';
const acme = { name: 'Acme', baseUrl, token: 'tok-1234' };
const second = { name: 'Second', baseUrl, token: 'tok-5678' };

describe('sign-ins', () => {
  let storage: Map<string, string>;
  let globalState: MemoryState;
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = { info: write, warn: write, warnOnce: write, error: write };
  let one: Tab;
  let two: Tab;

  type Tab = Awaited<ReturnType<typeof openTab>>;

  interface Opening {
    /** Those of a tab that is loaded already, and whose extension host starts again. */
    readonly secrets?: TabSecrets;
    readonly isInBrowser?: boolean;
  }

  /** A tab of the browser, with its keyring as it was when the tab was loaded, and what a test looks at. */
  async function openTab(opening: Opening = {}) {
    const { secrets = new TabSecrets(storage), isInBrowser = true } = opening;
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
    tab.onDidChange(() => {
      tab.changes += 1;
    });
    return tab;
  }

  /** The IDs of the sign-ins in the storage of the browser. */
  const stored = () => [...storage.keys()].map((key) => key.replace('organization.', ''));
  const storedToken = (id: string) => JSON.parse(storage.get(`organization.${id}`)!).token;

  beforeEach(async () => {
    storage = new Map();
    globalState = new MemoryState();
    lines.length = 0;
    one = await openTab();
  });

  describe('that another tab deleted', () => {
    let id: string;
    beforeEach(async () => {
      ({ id } = await one.signIn(acme));
      two = await openTab();
      await one.signOut(id);
    });

    it('yield no token although the keyring of the tab still has them', () => {
      assert.equal(two.secrets.values.has(`organization.${id}`), true);
      assert.equal(two.tokenOf(id), undefined);
    });

    it('are gone as soon as they are looked at', () => {
      // The tab notices when it is asked for a token.
      assert.equal(two.tokenOf(id), undefined);
      assert.deepEqual(two.names(), []);
      assert.equal(two.noCurrentReason, 'notSignedIn');
      assert.deepEqual([...two.idsNotSignedOut!], ['environment']);
      assert.equal(two.changes, 1);
    });

    for (const [when, learn] of [
      ['the tab gets the focus', () => two.catchUp()],
      ['a command needs the current one', () => two.waitForCurrent()],
      ['a command lists all', () => two.waitForSignIns()],
    ] as const) {
      it(`are gone with one change event when ${when}`, async () => {
        await learn();
        await learn();
        assert.equal(two.noCurrentReason, 'notSignedIn');
        assert.equal(two.changes, 1);
      });
    }

    it('get no other token', async () => {
      assert.match(
        await rejectionOf(two.replaceToken(id, 'tok-2')),
        /This organization is signed out\./,
      );
    });

    it('get no session token', async () => {
      const refused = /This organization is signed out\./;
      await assert.rejects(two.setSessionToken(id, 'ses-1234'), refused);
    });

    it('get a new ID when the user signs in again', async () => {
      const again = await two.signIn(acme);
      assert.notEqual(again.id, id);
    });

    it('are deleted again when written back', async () => {
      const other = await two.signIn(second);
      await settle();
      assert.deepEqual(stored(), [other.id]);
    });

    it('are deleted by a new tab when written back', async () => {
      storage.set(`organization.${id}`, JSON.stringify(acme));
      const next = await openTab();
      assert.deepEqual(next.names(), []);
      assert.deepEqual(stored(), []);
    });

    it('are not deleted by a restarted tab, which would undo a new sign-in', async () => {
      const other = await one.signIn(second);
      two = await openTab({ secrets: two.secrets });
      await settle();
      assert.deepEqual(two.names(), []);
      assert.deepEqual(stored(), [other.id]);
    });

    it('are not deleted by a restarted tab, which would undo a new token', async () => {
      const other = await one.signIn(second);
      storage.set(`organization.${id}`, JSON.stringify(acme));
      two = await openTab({ secrets: new TabSecrets(new Map(storage)) });
      const secrets = new TabSecrets(storage);
      await one.replaceToken(other.id, 'tok-9');
      await openTab({ secrets });
      await settle();
      assert.equal(storedToken(other.id), 'tok-9');
    });

    it('are not deleted on focus, which would undo a new sign-in', async () => {
      const other = await one.signIn(second);
      await two.catchUp();
      await settle();
      assert.deepEqual(stored(), [other.id]);
    });
  });

  describe('with a token that another tab replaced', () => {
    const sentence =
      'The tokens for “Acme” were changed in another window. Reload this window to use them.';
    const refused =
      /^UserError: Nothing was changed, because another window has changed sign-ins since this window/;
    let id: string;
    beforeEach(async () => {
      ({ id } = await one.signIn(acme));
      two = await openTab();
      await one.replaceToken(id, 'tok-2');
    });

    it('ask once on focus to reload the window', async () => {
      const notifications = await notificationsOf(async () => {
        await two.catchUp();
        await two.catchUp();
      });
      assert.deepEqual(notifications, [['information', sentence, 'Reload Window']]);
    });

    it('have an old token in the tab alone', async () => {
      await two.catchUp();
      assert.equal(one.hasOldToken(id), false);
      assert.equal(two.hasOldToken(id), true);
    });

    it('have the new token after a reload', async () => {
      two = await openTab();
      const notifications = await notificationsOf(() => two.catchUp());
      assert.equal(two.tokenOf(id), 'tok-2');
      assert.equal(two.hasOldToken(id), false);
      assert.deepEqual(notifications, []);
    });

    it('get no session token beside the old token', async () => {
      await assert.rejects(two.setSessionToken(id, 'ses-1234'), new RegExp(sentence));
      assert.equal(storedToken(id), 'tok-2');
    });

    it('get no token before a reload', async () => {
      await assert.rejects(two.replaceToken(id, 'tok-3'), refused);
    });

    it('are not signed out before a reload', async () => {
      await assert.rejects(two.signOut(id), refused);
    });

    it('get another token after a reload', async () => {
      two = await openTab();
      await two.replaceToken(id, 'tok-3');
      assert.equal(one.hasOldToken(id), true);
      assert.equal(two.hasOldToken(id), false);
    });

    it('offer Sign In after a restart of the extension host', async () => {
      two = await openTab({ secrets: two.secrets });
      const notifications = await notificationsOf(() => two.catchUp());
      assert.equal(two.hasOldToken(id), true);
      const stale = `${sentence} If this message comes again, sign in again.`;
      assert.deepEqual(notifications, [['information', stale, 'Reload Window', 'Sign In...']]);
    });

    it('get another token after an older version undid it', async () => {
      storage.set(`organization.${id}`, JSON.stringify({ ...acme, revision: 1 }));
      two = await openTab();
      assert.equal(two.hasOldToken(id), true);
      await two.replaceToken(id, 'tok-3');
      assert.equal(two.hasOldToken(id), false);
      assert.equal(two.tokenOf(id), 'tok-3');
    });

    it('are not old once version 0.2.0 replaced it again', async () => {
      const keyring = new TabSecrets(storage);
      two = await openTab({ secrets: keyring, isInBrowser: false });
      await one.replaceToken(id, 'tok-3');
      keyring.values.set(`organization.${id}`, JSON.stringify({ ...acme, token: 'tok-4' }));
      await two.catchUp();
      assert.equal(two.tokenOf(id), 'tok-4');
      assert.equal(two.hasOldToken(id), false);
    });

    it('ask for no reload when the keyring is unreadable', async () => {
      two.secrets.refusal = new Error('locked');
      const notifications = await notificationsOf(() => two.catchUp());
      const [text, ...others] = notifications.map(([, message]) => message);
      assert.match(text ?? '', /^VS Code’s secret storage cannot be read\./);
      assert.deepEqual(others, []);
    });

    it('are old even if version 0.2.0 saved them', async () => {
      storage.set('organization.old', JSON.stringify(second));
      one = await openTab();
      two = await openTab();
      assert.equal(two.hasOldToken('old'), false);
      await one.replaceToken('old', 'tok-9');
      assert.equal(one.hasOldToken('old'), false);
      assert.equal(two.hasOldToken('old'), true);
    });

    it('are not old when the keyring has the new token', async () => {
      two.secrets.readStorage();
      const notifications = await notificationsOf(() => two.catchUp());
      assert.equal(two.tokenOf(id), 'tok-2');
      assert.equal(two.hasOldToken(id), false);
      assert.deepEqual(notifications, []);
    });
  });

  it('are gone two seconds after the focus when a sign-out comes just after it', async () => {
    const { id } = await one.signIn(acme);
    two = await openTab();
    await two.catchUp();
    await one.signOut(id);
    assert.deepEqual(two.names(), ['Acme']);
    two.clock.pass(2000);
    await settle();
    assert.deepEqual(two.names(), []);
    assert.equal(two.clock.waiting, 0);
  });

  describe('that another tab added', () => {
    beforeEach(async () => {
      two = await openTab();
      await one.signIn(acme);
    });

    it('are missing after one change event on focus', async () => {
      await two.catchUp();
      await two.catchUp();
      assert.equal(one.lacksSignInOfOtherWindow, false);
      assert.equal(two.lacksSignInOfOtherWindow, true);
      assert.equal(two.changes, 1);
    });

    it('let the tab save nothing before a reload', async () => {
      const added = stored();
      const refused = /another window has changed sign-ins since this window was loaded/;
      await assert.rejects(two.signIn(second), refused);
      assert.deepEqual(stored(), added);
    });

    it('are kept beside a sign-in of the tab after a reload', async () => {
      const [added] = stored();
      two = await openTab();
      const { id } = await two.signIn(second);
      assert.deepEqual(stored(), [added, id]);
    });

    it('let the tab save when its keyring can read them by now', async () => {
      const [added] = stored();
      two.secrets.readStorage();
      const { id } = await two.signIn(second);
      assert.deepEqual(two.names(), ['Acme', 'Second']);
      assert.deepEqual(stored(), [added, id]);
    });

    it('let a window save when all windows share the keyring', async () => {
      two = await openTab({ secrets: new TabSecrets(new Map()), isInBrowser: false });
      await one.signIn(second);
      await two.signIn({ ...acme, name: 'Third' });
      assert.deepEqual(two.names(), ['Third']);
    });

    it('do not count as signed out in the tab', () => {
      assert.deepEqual([...two.idsNotSignedOut!], ['environment', one.current!.id]);
    });

    it('are not missing when the keyring had them before their mark came', async () => {
      const marks = globalState.get('signInMarks');
      await globalState.update('signInMarks', {});
      two = await openTab();
      storage.clear();
      two.secrets.readStorage();
      await globalState.update('signInMarks', marks);
      two.secrets.changed.fire({ key: 'organization.x' });
      await settle();
      assert.deepEqual(two.names(), []);
      assert.equal(two.lacksSignInOfOtherWindow, false);
    });

    it('are not missing after a reload', async () => {
      two = await openTab();
      assert.equal(two.lacksSignInOfOtherWindow, false);
      assert.deepEqual(two.names(), ['Acme']);
    });

    it('are not missing once the other tab has signed out', async () => {
      await two.catchUp();
      await one.signOut(one.current!.id);
      await two.catchUp();
      assert.equal(two.lacksSignInOfOtherWindow, false);
      assert.equal(two.changes, 2);
    });

    it('are not missing when the keyring has them but reported no change', async () => {
      two.secrets.readStorage();
      await two.catchUp();
      assert.equal(two.lacksSignInOfOtherWindow, false);
      assert.deepEqual(two.names(), ['Acme']);
    });

    it('are not missing in a tab opened after the keyring was emptied', async () => {
      storage.clear();
      two = await openTab();
      await two.catchUp();
      assert.equal(two.lacksSignInOfOtherWindow, false);
    });

    it('are not missing when the keyring cannot be read', async () => {
      const refusal = new Error('locked');
      two.secrets.refusal = refusal;
      two.secrets.keys = () => Promise.reject(refusal);
      await two.catchUp();
      assert.equal(two.lacksSignInOfOtherWindow, false);
    });
  });

  it('yield no token after a sign-out, after random changes in both tabs', async () => {
    two = await openTab();
    const tabs = [one, two];
    const signedOut = new Set<string>();
    const next = randomFrom(11);
    const random = (end: number) => Math.floor(next() * end);

    async function changeSomething(at: number, round: number): Promise<void> {
      const tab = tabs[at]!;
      const known = tab.list[random(tab.list.length)];
      const act = random(5);
      if (act === 0) tabs[at] = await openTab();
      else if (act === 1 || !known) await tab.signIn({ ...acme, name: `Acme ${round}` });
      else if (act === 2) await tab.replaceToken(known.id, `tok-${round}`);
      else if (act === 3) await tab.setSessionToken(known.id, `ses-${round}`);
      else {
        await tab.signOut(known.id).catch(() => undefined);
        if (!tab.get(known.id)) signedOut.add(known.id);
      }
    }

    for (let round = 0; round < 300; round++) {
      await changeSomething(random(2), round).catch(() => undefined);
      await settle();
      for (const id of signedOut)
        for (const [at, tab] of tabs.entries())
          assert.equal(tab.tokenOf(id), undefined, `tab ${at} after round ${round}`);
    }
    tabs[0] = await openTab();
    const kept = stored().filter((id) => signedOut.has(id));
    assert.deepEqual(kept, []);
    assert.ok(signedOut.size > 10, `only ${signedOut.size} sign-outs in this random run`);
  });

  it('are marked as signed out again on focus when another tab has undone the mark', async () => {
    const { id } = await one.signIn(acme);
    const before = globalState.get('signInMarks');
    await one.signOut(id);
    await globalState.update('signInMarks', before);
    await one.catchUp();
    await settle();
    assert.deepEqual(globalState.get('signInMarks'), { [id]: 'signedOut' });
  });

  it('are marked as signed out again two seconds after the focus', async () => {
    const { id } = await one.signIn(acme);
    const before = globalState.get('signInMarks');
    await one.signOut(id);
    await one.catchUp();
    await settle();
    await globalState.update('signInMarks', before);
    one.clock.pass(2000);
    await settle();
    assert.deepEqual(globalState.get('signInMarks'), { [id]: 'signedOut' });
  });

  it('are signed out after ten seconds even if VS Code has not saved the mark', async () => {
    const { id } = await one.signIn(acme);
    globalState.update = () => new Promise(() => undefined);
    let isDone = false;
    async function signOut(): Promise<void> {
      await one.signOut(id);
      isDone = true;
    }
    const signingOut = signOut();
    await settle();
    assert.equal(isDone, false);
    one.clock.pass(10_000);
    await signingOut;
    assert.match(
      lines.join('\n'),
      /could not be told of the change of a sign-in: VS Code has not answered\./,
    );
  });

  it('stay signed out when a tab replaces their token at the same moment', async () => {
    const { id } = await one.signIn(acme);
    two = await openTab();
    two.secrets.hang(/^get/);
    const replacing = two.replaceToken(id, 'tok-2');
    await settle();
    await one.signOut(id);
    two.secrets.answerAll();
    assert.match(await rejectionOf(replacing), /^This organization is signed out\./);
  });

  it('stay signed out when a tab is just storing their new token', async () => {
    const { id } = await one.signIn(second);
    two = await openTab();
    two.secrets.hang(/^store/);
    const replacing = two.replaceToken(id, 'tok-2');
    await settle();
    await one.signOut(id);
    two.secrets.answerAll();
    await replacing;
    assert.equal(two.tokenOf(id), undefined);
  });

  it('get a new ID when a tab signs in again while the other one signs out', async () => {
    const { id } = await one.signIn(acme);
    two = await openTab();
    two.secrets.hang(/^get/);
    const signingIn = two.signIn({ ...acme, token: 'tok-2' });
    await settle();
    await one.signOut(id);
    two.secrets.answerAll();
    const added = await signingIn;
    assert.notEqual(added.id, id);
    assert.equal(two.tokenOf(added.id), 'tok-2');
  });

  it('leave only the newest 100 marks', async () => {
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

  it('are saved and deleted, as the log says, when VS Code cannot save the marks', async () => {
    globalState.update = () => Promise.reject(new Error('disk full'));
    const { id } = await one.signIn(acme);
    assert.deepEqual(stored(), [id]);
    await one.signOut(id);
    await settle();
    assert.deepEqual(one.names(), []);
    assert.deepEqual(stored(), []);
    assert.match(
      lines.join('\n'),
      /Other windows could not be told of the change of a sign-in: disk full/,
    );
  });

  for (const marks of ['text', 7, ['a'], { a: null, b: 'other' }]) {
    it(`are read beside invalid marks: ${JSON.stringify(marks)}`, async () => {
      globalState = new MemoryState({ signInMarks: marks });
      one = await openTab();
      const { id } = await one.signIn(acme);
      assert.equal(one.tokenOf(id), acme.token);
      assert.equal(one.lacksSignInOfOtherWindow, false);
    });
  }
});
