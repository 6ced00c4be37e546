import { strict as assert } from 'node:assert';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { UserError } from '../../../src/host/actions.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { MemorySecrets, MemoryState, SecretStore } from './memory.js';

const baseUrl = 'https://host.example/api/v1';
const other = 'https://other.example/api/v1';
const variables = { AUTOMATION_PLATFORM_TOKEN: 'env-token', AUTOMATION_PLATFORM_BASE_URL: baseUrl };

/** One window, with the timers of `SignIns` in the test's hand. */
class Window {
  readonly secrets: MemorySecrets;
  readonly known = new KnownSecrets();
  readonly workspaceState = new MemoryState();
  readonly lines: string[] = [];
  readonly organizations: Organizations;
  changes = 0;
  losses = 0;
  /** For how long each timer was set. */
  readonly delays: number[] = [];
  private timers: (() => void)[] = [];

  constructor(
    store: SecretStore,
    options: { env?: NodeJS.ProcessEnv; chosen?: string; globalState?: MemoryState; refusal?: Error } = {},
  ) {
    this.secrets = new MemorySecrets(store);
    this.secrets.refusal = options.refusal;
    if (options.chosen !== undefined) this.workspaceState.values.set('organization', JSON.stringify(options.chosen));
    const write = (line: string) => this.lines.push(this.known.redact(line));
    this.organizations = new Organizations(
      {
        secrets: this.secrets,
        workspaceState: this.workspaceState,
        globalState: options.globalState ?? new MemoryState(),
      },
      { warn: write, error: write },
      this.known,
      options.env ?? {},
      (callback, milliseconds) => {
        this.timers.push(callback);
        this.delays.push(milliseconds);
        return { dispose: () => (this.timers = this.timers.filter((timer) => timer !== callback)) };
      },
    );
    this.organizations.onDidChange(() => this.changes++);
    this.organizations.onDidLoseSignIn(() => this.losses++);
    windows.push(this);
  }

  get names(): string[] {
    return this.organizations.list.map(({ name }) => name);
  }

  /** The time that windows give each other has passed. */
  async settle(): Promise<void> {
    await quiet();
    for (const timer of this.timers.splice(0)) timer();
    await quiet();
  }
}

let windows: Window[] = [];

/** Everything that was started has ended: no answer takes longer than a few turns of the loop. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** What `a` does between the look of `b` into the secret and its write. */
function meanwhile(b: Window, id: string, act: () => Promise<unknown>): void {
  b.secrets.afterGet = async (key) => {
    if (key !== `organization.${id}`) return;
    b.secrets.afterGet = undefined;
    await act();
  };
}

async function settleAll(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    for (const window of windows) await window.settle();
  }
}

describe('organizations', () => {
  let store: SecretStore;
  beforeEach(() => {
    store = new SecretStore();
  });
  afterEach(() => {
    for (const { organizations } of windows) organizations.dispose();
    windows = [];
  });

  describe('of a fresh machine', () => {
    it('are none: first not known, then not signed in', async () => {
      const { organizations } = new Window(store);
      assert.equal(organizations.missing, 'loading');
      await organizations.ready;
      assert.equal(organizations.missing, 'notSignedIn');
      assert.deepEqual(organizations.list, []);
    });
  });

  describe('after Sign In', () => {
    it('are in the keyring and nowhere else', async () => {
      const window = new Window(store);
      const { id } = await window.organizations.signIn({ name: ' Acme ', baseUrl: `${baseUrl}/`, token: 'tok-1' });
      assert.deepEqual(window.organizations.current, {
        id,
        name: 'Acme',
        baseUrl,
        source: 'keyring',
        hasSessionToken: false,
      });
      assert.deepEqual(window.organizations.target(id, 'access'), { organizationId: id, baseUrl, token: 'tok-1' });
      assert.deepEqual(JSON.parse(store.values.get(`organization.${id}`)!), { name: 'Acme', baseUrl, token: 'tok-1' });
      assert.deepEqual(JSON.parse(store.values.get('organizations')!), [id]);
      assert.deepEqual([...window.workspaceState.values.values()], [JSON.stringify(id)]);
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.equal(window.changes, 2, 'once for the empty keyring, once for the sign-in');
    });

    it('are there in the next window', async () => {
      const first = new Window(store);
      const acme = await first.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      const next = new Window(store);
      await next.organizations.ready;
      assert.deepEqual(next.organizations.current, acme);
    });

    it('with a known base URL and name have the new token, and keep the session token', async () => {
      const { organizations } = new Window(store);
      const acme = await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      await organizations.setSessionToken(acme.id, 'ses-1');
      const again = await organizations.signIn({ name: 'ACME', baseUrl, token: 'tok-2' });
      assert.equal(again.id, acme.id);
      assert.equal(organizations.list.length, 1);
      assert.equal(organizations.target(acme.id, 'access')?.token, 'tok-2');
      assert.equal(organizations.target(acme.id, 'install')?.token, 'ses-1');
    });

    it('have unique names regardless of case, and none is called environment', async () => {
      const { organizations } = new Window(store);
      await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      const refused = [
        { name: 'aCME', baseUrl: other, token: 'tok-2' },
        { name: 'Environment', baseUrl, token: 'tok-2' },
        { name: ' ', baseUrl, token: 'tok-2' },
        { name: 'New', baseUrl: 'http://host.example/api/v1', token: 'tok-2' },
      ];
      for (const input of refused) await assert.rejects(organizations.signIn(input), UserError);
      assert.equal(store.values.size, 2);
    });

    it('have two slots', async () => {
      const { organizations } = new Window(store);
      const { id } = await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      assert.equal(organizations.target(id, 'install')?.token, 'tok-1');
      await organizations.setSessionToken(id, 'ses-1');
      assert.equal(organizations.target(id, 'install')?.token, 'ses-1');
      assert.equal(organizations.target(id, 'access')?.token, 'tok-1');
      assert.equal(organizations.get(id)?.hasSessionToken, true);
      await organizations.setSessionToken(id, undefined);
      assert.equal(organizations.target(id, 'install')?.token, 'tok-1');
      await assert.rejects(organizations.setSessionToken('gone', 'ses-2'), UserError);
      assert.equal(organizations.target('gone', 'access'), undefined);
    });

    it('have tokens that are recognized and redacted', async () => {
      const window = new Window(store, { env: variables });
      const { id } = await window.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1234' });
      await window.organizations.setSessionToken(id, 'ses-1234');
      for (const token of ['tok-1234', 'ses-1234', 'env-token']) {
        assert.ok(window.organizations.holdsToken(`Bearer ${token}`), token);
        assert.ok(!window.known.redact(`echo ${token}`).includes(token), token);
      }
      assert.ok(!window.organizations.holdsToken('key_1'));
      const next = new Window(store);
      await next.organizations.ready;
      assert.ok(!next.known.redact('tok-1234 ses-1234').includes('1234'));
    });
  });

  describe('after Sign Out', () => {
    it('leave nothing behind, and no other becomes current', async () => {
      const { organizations } = new Window(store);
      await organizations.signIn({ name: 'Other', baseUrl: other, token: 'tok-2' });
      const { id } = await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      const done = organizations.signOut(id);
      await done;
      assert.equal(organizations.current, undefined);
      assert.equal(organizations.missing, 'chooseOne');
      assert.equal(organizations.target(id, 'access'), undefined);
      assert.ok(![...store.values.values()].join().includes('tok-1'));
      assert.equal(JSON.parse(store.values.get('organizations')!).length, 1);
    });

    it('still have their token redacted: a late answer may repeat it', async () => {
      const window = new Window(store);
      const { id } = await window.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1234' });
      await window.organizations.signOut(id);
      assert.ok(!window.known.redact('tok-1234').includes('1234'));
      assert.ok(!window.organizations.holdsToken('tok-1234'));
    });

    it('let go of tokens that are long past, and of no other', async () => {
      const window = new Window(store, { env: variables });
      const { organizations, known } = window;
      await organizations.signIn({ name: 'Held', baseUrl, token: 'held-token' });
      for (let count = 100; count < 160; count++) {
        await organizations.signIn({ name: 'Acme', baseUrl, token: `token-${count}` });
      }
      // What is data in an answer is no longer searched for them.
      assert.equal(known.redactData('token-100'), 'token-100');
      for (const token of ['held-token', 'env-token', 'token-159']) assert.equal(known.redactData(token), '[redacted]');
    });
  });

  describe('of the environment', () => {
    it('are read-only, first in the list, and current if none was chosen', async () => {
      const window = new Window(store, { env: variables });
      const { organizations } = window;
      assert.equal(organizations.current?.name, 'environment');
      await organizations.ready;
      assert.deepEqual(organizations.target('environment', 'install'), {
        organizationId: 'environment',
        baseUrl,
        token: 'env-token',
      });
      const both = /AUTOMATION_PLATFORM_TOKEN.*AUTOMATION_PLATFORM_BASE_URL/;
      await assert.rejects(organizations.signOut('environment'), both);
      await assert.rejects(organizations.setSessionToken('environment', 'ses'), both);
      assert.equal(store.values.size, 0);
      await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      assert.deepEqual(window.names, ['environment', 'Acme']);
      assert.equal(organizations.current?.name, 'Acme');
      await organizations.use('environment');
      assert.equal(organizations.current?.name, 'environment');
    });

    it('leave none current when the variables are gone from a workspace that chose it', async () => {
      await new Window(store).organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      const window = new Window(store, { chosen: 'environment' });
      await window.organizations.ready;
      assert.equal(window.organizations.missing, 'chooseOne');
      await window.settle();
      assert.equal(window.losses, 0);
    });
  });

  describe('in several windows', () => {
    it('are taken over without a reload', async () => {
      const a = new Window(store);
      const b = new Window(store);
      const acme = await a.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      await quiet();
      assert.deepEqual(b.organizations.current, acme);
      await a.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-2' });
      await quiet();
      assert.equal(b.organizations.target(acme.id, 'access')?.token, 'tok-2');
      let told = a.organizations.notSignedOut;
      a.organizations.onDidChange(() => (told = a.organizations.notSignedOut));
      await b.organizations.signOut(acme.id);
      await quiet();
      assert.equal(a.organizations.missing, 'notSignedIn');
      assert.deepEqual([...(told ?? [])], ['environment'], 'no loss, also once the index is written');
      await settleAll();
      assert.equal(a.losses + b.losses, 0);
    });

    it('each keep the one they chose', async () => {
      const a = new Window(store);
      const b = new Window(store);
      const acme = await a.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      const second = await b.organizations.signIn({ name: 'Second', baseUrl: other, token: 'tok-2' });
      await quiet();
      assert.equal(a.organizations.current?.id, acme.id);
      assert.equal(b.organizations.current?.id, second.id);
      await a.organizations.use(second.id);
      assert.equal(a.organizations.current?.id, second.id);
      await assert.rejects(a.organizations.use('gone'), UserError);
    });

    it('lose no sign-in to two at the same moment', async () => {
      const a = new Window(store);
      const b = new Window(store);
      await Promise.all([a.organizations.ready, b.organizations.ready]);
      await Promise.all([
        a.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' }),
        b.organizations.signIn({ name: 'Second', baseUrl: other, token: 'tok-2' }),
      ]);
      await settleAll();
      for (const window of windows) assert.deepEqual(window.names, ['Acme', 'Second']);
      assert.equal(JSON.parse(store.values.get('organizations')!).length, 2);
    });

    it('put an index right that another window overwrote', async () => {
      const a = new Window(store);
      await a.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      store.values.set('organizations', '[]');
      store.changed.fire({ key: 'organizations' });
      await a.settle();
      assert.deepEqual(a.names, ['Acme']);
      assert.equal(JSON.parse(store.values.get('organizations')!).length, 1);
      assert.equal(a.losses, 0);
    });

    it('take out what another window brought back into the index after Sign Out, and call it no loss', async () => {
      const a = new Window(store);
      const { id } = await a.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      await a.organizations.signOut(id);
      store.values.set('organizations', JSON.stringify([id]));
      store.changed.fire({ key: 'organizations' });
      await a.settle();
      assert.equal(store.values.get('organizations'), '[]');
      assert.equal(a.losses, 0);
    });
  });

  describe('changed while another window changes them', () => {
    it('do not come back after Sign Out with a session token', async () => {
      const a = new Window(store);
      const b = new Window(store);
      const { id } = await a.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      await quiet();
      meanwhile(b, id, () => a.organizations.signOut(id));
      const setting = b.organizations.setSessionToken(id, 'ses-1').then(
        () => 'set',
        (error: unknown) => error,
      );
      assert.ok((await setting) instanceof UserError);
      await settleAll();
      assert.equal(store.values.has(`organization.${id}`), false);
      for (const window of windows) assert.deepEqual(window.names, []);
    });

    it('keep the token that the other one replaced', async () => {
      const a = new Window(store);
      const b = new Window(store);
      const acme = { name: 'Acme', baseUrl, token: 'tok-1' };
      const { id } = await a.organizations.signIn(acme);
      await quiet();
      meanwhile(b, id, () => a.organizations.signIn({ ...acme, token: 'tok-2' }));
      await b.organizations.setSessionToken(id, 'ses-1');
      await settleAll();
      for (const { organizations } of windows) {
        assert.equal(organizations.target(id, 'access')?.token, 'tok-2');
        assert.equal(organizations.target(id, 'install')?.token, 'ses-1');
      }
    });
  });

  describe('in a keyring that fails', () => {
    it('have the new token once it is stored, whatever fails after that', async () => {
      const window = new Window(store);
      const { organizations, secrets, workspaceState } = window;
      const acme = { name: 'Acme', baseUrl, token: 'tok-1' };
      const { id } = await organizations.signIn(acme);
      secrets.beforeStore = async () => {
        secrets.refusal = new Error('locked');
      };
      await organizations.signIn({ ...acme, token: 'tok-2' });
      assert.equal(organizations.target(id, 'access')?.token, 'tok-2');
      secrets.refusal = undefined;
      // Neither listed nor taken back: it is there, and gets listed when the keyring works again.
      const second = await organizations.signIn({ ...acme, name: 'Second' });
      assert.deepEqual(window.names, ['Acme', 'Second']);
      secrets.refusal = undefined;
      secrets.beforeStore = undefined;
      await window.settle();
      assert.deepEqual(JSON.parse(store.values.get('organizations')!), [id, second.id]);
      workspaceState.refusal = new Error('disk full');
      assert.equal((await organizations.signIn(acme)).id, id);
      assert.match(window.lines.join('\n'), /disk full/);
    });

    it('are not known, instead of none, until it can be read: it is tried again, less and less often', async () => {
      await new Window(store).organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      const window = new Window(store, { refusal: new Error('Keyring is locked') });
      await window.organizations.ready;
      assert.equal(window.organizations.missing, 'unreadable');
      assert.match(window.lines.join('\n'), /could not be read: Keyring is locked/);
      assert.equal(window.changes, 1);
      for (let again = 0; again < 8; again++) await window.settle();
      assert.equal(window.organizations.missing, 'unreadable');
      assert.deepEqual(
        window.delays,
        [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000),
      );
      window.secrets.refusal = undefined;
      await window.settle();
      assert.equal(window.organizations.current?.name, 'Acme');
      assert.equal(window.losses, 0);
      assert.equal(window.delays.length, 9);
    });

    it('are read at once for somebody who asks again', async () => {
      await new Window(store).organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      const window = new Window(store, { refusal: new Error('Keyring is locked') });
      await window.organizations.ready;
      window.secrets.refusal = undefined;
      await window.organizations.ready;
      assert.equal(window.organizations.current?.name, 'Acme');
    });

    it('say what it said if it refuses to store, without the token, and nothing is changed', async () => {
      const window = new Window(store);
      await window.organizations.ready;
      window.secrets.refusal = new Error('Keyring is locked (tok-1234)');
      await assert.rejects(window.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1234' }), (error) => {
        assert.ok(error instanceof UserError);
        assert.match(error.message, /Keyring is locked \(\[redacted\]\)/);
        return true;
      });
      assert.equal(window.organizations.missing, 'notSignedIn');
      assert.equal(store.values.size, 0);
      assert.ok(!window.lines.join().includes('tok-1234'));
    });

    it('leave no secret behind that no index lists', async () => {
      const window = new Window(store);
      await window.organizations.ready;
      window.secrets.beforeStore = async (key) => {
        if (key === 'organizations') throw new Error('full');
      };
      await assert.rejects(window.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' }), /full/);
      assert.equal(store.values.size, 0);
      assert.equal(window.organizations.current, undefined);
    });

    it('stay signed in while it cannot be read', async () => {
      const window = new Window(store);
      await window.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      window.secrets.refusal = new Error('locked');
      store.changed.fire({ key: 'organizations' });
      await window.settle();
      assert.equal(window.organizations.current?.name, 'Acme');
      assert.equal(window.losses, 0);
    });

    it('say once that a sign-in was lost, in one window, and none is current', async () => {
      const globalState = new MemoryState();
      const first = new Window(store, { globalState });
      const { id } = await first.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      await first.organizations.signIn({ name: 'Other', baseUrl: other, token: 'tok-2' });
      store.values.delete(`organization.${id}`);
      const second = new Window(store, { globalState, chosen: id });
      await second.organizations.ready;
      assert.equal(second.organizations.missing, 'chooseOne');
      await second.settle();
      assert.equal(second.losses, 1);
      await second.settle();
      const third = new Window(store, { globalState, chosen: id });
      await third.settle();
      assert.equal(second.losses, 1);
      assert.equal(third.losses, 0);
      assert.ok(JSON.parse(store.values.get('organizations')!).includes(id), 'the keyring may find it again');
      await third.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-3' });
      assert.ok(!JSON.parse(store.values.get('organizations')!).includes(id));
      assert.equal(globalState.get<string[]>('lostSignIns')?.length, 0);
    });

    it('say that a sign-in was lost if the keyring forgot everything', async () => {
      const window = new Window(store, { chosen: 'some-id' });
      await window.organizations.ready;
      assert.equal(window.organizations.missing, 'notSignedIn');
      await window.settle();
      assert.equal(window.losses, 1);
    });

    it('count as lost if their secret is damaged, which the log says without its text', async () => {
      store.values.set('organizations', '["a"]');
      store.values.set('organization.a', '{"name":"Acme","token":"tok-1234"');
      const window = new Window(store);
      await window.settle();
      assert.equal(window.losses, 1);
      assert.equal(window.organizations.missing, 'notSignedIn');
      assert.match(window.lines.join('\n'), /^The sign-in a in the keyring is damaged/);
      assert.ok(!window.lines.join().includes('tok-1234'));
      await window.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      assert.equal(store.values.has('organization.a'), false);
    });

    it('are found again if the index is damaged but this workspace chose one', async () => {
      const first = new Window(store);
      const { id } = await first.organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
      store.values.set('organizations', 'garbage');
      const window = new Window(store, { chosen: id });
      await window.settle();
      assert.equal(window.organizations.current?.name, 'Acme');
      assert.deepEqual(JSON.parse(store.values.get('organizations')!), [id]);
    });
  });
});
