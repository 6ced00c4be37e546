import { strict as assert } from 'node:assert';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { UserError } from '../../../src/host/actions.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { ManualClock } from '../../unit/model/manualClock.js';
import { recordWindow, type WindowRecorder } from '../hostile/windowRecorder.js';
import { MemorySecrets, MemoryState, SecretStore } from './memory.js';

const baseUrl = 'https://host.example/api/v1';
const acme = { name: 'Acme', baseUrl, token: 'tok-1234' };
const second = { name: 'Second', baseUrl: 'https://other.example/api/v1', token: 'tok-5678' };
const variables = { AUTOMATION_PLATFORM_TOKEN: 'env-token', AUTOMATION_PLATFORM_BASE_URL: baseUrl };

/** The organizations of one window, whose keyring others share, with what a test looks at. */
function open(
  store: SecretStore,
  options: { env?: NodeJS.ProcessEnv; chosen?: string; globalState?: MemoryState; refusal?: Error } = {},
) {
  const { env = {}, chosen, globalState = new MemoryState(), refusal } = options;
  const [keyring, workspaceState] = [new MemorySecrets(store), new MemoryState()];
  const [known, clock] = [new KnownSecrets(), new ManualClock()];
  const lines: string[] = [];
  keyring.refusal = refusal;
  if (chosen !== undefined) workspaceState.values.set('organization', JSON.stringify(chosen));
  const log = (line: string) => lines.push(known.redact(line));
  const context = { secrets: keyring, workspaceState, globalState };
  const window = Object.assign(new Organizations(context, { warn: log, error: log }, known, env, clock.setTimer), {
    keyring,
    workspaceState,
    known,
    clock,
    lines,
    changes: 0,
    names: () => window.list.map(({ name }) => name),
    /** The access token, and the one that looks up installs. */
    tokens: (id: string) => (['access', 'install'] as const).map((slot) => window.target(id, slot)?.token),
    /** The time that windows give each other has passed. */
    settle: async () => {
      await quiet();
      clock.pass(60_000);
      await quiet();
    },
  });
  window.onDidChange(() => window.changes++);
  return window;
}

type Window = ReturnType<typeof open>;

/** Everything that was started has ended: no answer takes longer than a few turns of the loop. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** What another window does between the look of `b` into the secret and its write. */
function meanwhile({ keyring }: Window, id: string, act: () => Promise<unknown>): void {
  keyring.afterGet = async (key) => {
    if (key !== `organization.${id}`) return;
    keyring.afterGet = undefined;
    await act();
  };
}

describe('organizations', () => {
  let store: SecretStore;
  let window: Window;
  let recorder: WindowRecorder;
  const listed = (): unknown[] => JSON.parse(store.values.get('organizations') ?? '[]');
  const overwrite = (index: string): void => {
    store.values.set('organizations', index);
    store.changed.fire({ key: 'organizations' });
  };
  /** How often it was said that the keyring lost a sign-in. */
  const losses = () => recorder.shown.notifications.length;
  beforeEach(() => {
    store = new SecretStore();
    window = open(store);
    recorder = recordWindow();
  });
  afterEach(() => recorder.restore());

  it('are in the keyring and nowhere else, and there in the next window', async () => {
    assert.equal(window.missing, 'loading');
    await window.ready;
    assert.equal(window.missing, 'notSignedIn');
    const { id } = await window.signIn({ ...acme, name: ' Acme ', baseUrl: `${baseUrl}/` });
    assert.equal(window.changes, 2, 'once for the empty keyring, once for the sign-in');
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(window.target(id, 'access'), { organizationId: id, baseUrl, token: acme.token });
    assert.deepEqual(JSON.parse(store.values.get(`organization.${id}`)!), acme);
    assert.deepEqual([listed(), [...window.workspaceState.values.values()]], [[id], [JSON.stringify(id)]]);
    const next = open(store);
    await next.ready;
    for (const { current } of [window, next]) {
      assert.deepEqual(current, { id, name: 'Acme', baseUrl, source: 'keyring', hasSessionToken: false });
    }
  });

  it('with a known base URL and name have the new token, and keep the session token', async () => {
    const { id } = await window.signIn(acme);
    assert.deepEqual(window.tokens(id), [acme.token, acme.token]);
    await window.setSessionToken(id, 'ses-1234');
    await window.signIn({ ...acme, name: 'ACME', token: 'tok-2' });
    assert.deepEqual([window.names(), window.tokens(id)], [['Acme'], ['tok-2', 'ses-1234']]);
    assert.equal(window.get(id)?.hasSessionToken, true);
    await window.setSessionToken(id, undefined);
    assert.deepEqual(window.tokens(id), ['tok-2', 'tok-2']);
    await assert.rejects(window.setSessionToken('gone', 'ses-2'), UserError);
  });

  it('have unique names regardless of case, none is called environment, and each has a usable base URL', async () => {
    await window.signIn(acme);
    for (const [input, reason] of [
      [{ ...second, name: 'aCME' }, /“Acme” is already the name of an organization on host\.example\./],
      [{ ...acme, name: 'Environment' }, /“Environment” is reserved\./],
      [{ ...acme, name: 'x'.repeat(101) }, /Enter a shorter name\.$/],
      [{ ...acme, name: 'New', baseUrl: 'http://host.example/api/v1' }, /insecure/],
    ] as const) {
      await assert.rejects(window.signIn(input), reason);
    }
    assert.equal(store.values.size, 2);
  });

  it('have tokens that are recognized and redacted, also in the next window', async () => {
    window = open(store, { env: variables });
    const { id } = await window.signIn({ ...acme, token: 'tok/1234' });
    await window.setSessionToken(id, 'ses-1234');
    const next = open(store, { env: variables });
    await next.ready;
    for (const token of ['tok/1234', 'ses-1234', 'env-token']) {
      assert.ok(window.holdsToken(`https://host.example/${encodeURIComponent(token)}`), token);
      for (const { known } of [window, next]) assert.equal(known.redact(token), '[redacted]');
    }
    assert.ok(window.holdsToken('Bearer tok/1234') && !window.holdsToken('100 %'));
  });

  it('leave nothing behind after Sign Out but the redaction of a late answer, and no other becomes current', async () => {
    const other = await window.signIn(second);
    const { id } = await window.signIn(acme);
    await window.signOut(id);
    assert.deepEqual([window.missing, window.target(id, 'access')], ['chooseOne', undefined]);
    assert.deepEqual([...store.values.keys()].toSorted(), [`organization.${other.id}`, 'organizations']);
    assert.deepEqual([listed(), window.known.redact(acme.token)], [[other.id], '[redacted]']);
    assert.ok(!window.holdsToken(acme.token));
    for (let count = 100; count < 160; count++) await window.signIn({ ...second, token: `token-${count}` });
    // What is data in an answer is no longer searched for what is long past.
    assert.deepEqual(
      [acme.token, 'token-159'].map((token) => window.known.redactData(token)),
      [acme.token, '[redacted]'],
    );
  });

  it('of the environment are read-only, and current again if chosen, but not once their variables are gone', async () => {
    window = open(store, { env: variables });
    await window.ready;
    assert.deepEqual(window.tokens('environment'), ['env-token', 'env-token']);
    await assert.rejects(window.signOut('environment'), /_TOKEN and AUTOMATION_PLATFORM_BASE_URL/);
    assert.equal(store.values.size, 0);
    await window.signIn(acme);
    assert.equal(window.current?.name, 'Acme');
    await window.use('environment');
    assert.equal(window.current?.name, 'environment');
    const next = open(store, { chosen: 'environment' });
    await next.settle();
    assert.deepEqual([next.missing, losses()], ['chooseOne', 0]);
  });

  describe('in several windows', () => {
    let a: Window;
    let b: Window;
    beforeEach(async () => {
      a = window;
      b = open(store);
      await Promise.all([a.ready, b.ready]);
    });
    const settleAll = async (): Promise<void> => {
      for (const one of [a, b, a, b, a, b]) await one.settle();
    };

    it('are taken over without a reload', async () => {
      const signedIn = await a.signIn(acme);
      await quiet();
      assert.deepEqual(b.current, signedIn);
      await a.signIn({ ...acme, token: 'tok-2' });
      await quiet();
      assert.equal(b.tokens(signedIn.id)[0], 'tok-2');
      let told = a.notSignedOut;
      a.onDidChange(() => (told = a.notSignedOut));
      await b.signOut(signedIn.id);
      await quiet();
      assert.equal(a.missing, 'notSignedIn');
      assert.deepEqual([...(told ?? [])], ['environment'], 'no loss, also once the index is written');
      const { changes } = a;
      store.changed.fire({ key: 'organizations' });
      await settleAll();
      assert.deepEqual([losses(), a.changes], [0, changes]);
    });

    it('each keep the one they chose, and lose none to two at the same moment', async () => {
      const [one, two] = await Promise.all([a.signIn(acme), b.signIn(second)]);
      await settleAll();
      assert.deepEqual([a.current?.id, b.current?.id], [one.id, two.id]);
      assert.deepEqual(
        [a.names(), b.names()],
        [
          ['Acme', 'Second'],
          ['Acme', 'Second'],
        ],
      );
      assert.deepEqual(new Set(listed()), new Set([one.id, two.id]));
      await a.use(two.id);
      assert.equal(a.current?.id, two.id);
      await assert.rejects(a.use('gone'), UserError);
    });

    it('put an index right that another window overwrote, and call nothing of it a loss', async () => {
      const { id } = await a.signIn(acme);
      overwrite('[]');
      await a.settle();
      assert.deepEqual([a.names(), listed()], [['Acme'], [id]]);
      await a.signOut(id);
      overwrite(JSON.stringify([id]));
      await a.settle();
      assert.deepEqual([a.names(), listed(), losses()], [[], [], 0]);
    });

    it('keep what another one does while a session token is written: a new token, and Sign Out', async () => {
      const { id } = await a.signIn(acme);
      await quiet();
      meanwhile(b, id, () => a.signIn({ ...acme, token: 'tok-2' }));
      await b.setSessionToken(id, 'ses-1');
      await settleAll();
      for (const one of [a, b]) assert.deepEqual(one.tokens(id), ['tok-2', 'ses-1']);
      meanwhile(b, id, () => a.signOut(id));
      await assert.rejects(b.setSessionToken(id, 'ses-2'), UserError);
      await settleAll();
      assert.deepEqual([a.names(), b.names(), store.values.has(`organization.${id}`)], [[], [], false]);
    });
  });

  describe('in a keyring that fails', () => {
    it('have the new token once it is stored, whatever fails after that', async () => {
      const { keyring, workspaceState } = window;
      const { id } = await window.signIn(acme);
      keyring.beforeStore = async () => {
        keyring.refusal = new Error('locked');
      };
      await window.signIn({ ...acme, token: 'tok-2' });
      assert.equal(window.tokens(id)[0], 'tok-2');
      keyring.refusal = undefined;
      // Neither listed nor taken back: it is there, and gets listed when the keyring works again.
      const other = await window.signIn({ ...acme, name: 'Second' });
      assert.deepEqual(window.names(), ['Acme', 'Second']);
      keyring.refusal = undefined;
      keyring.beforeStore = undefined;
      await window.settle();
      assert.deepEqual(listed(), [id, other.id]);
      workspaceState.refusal = new Error('disk full');
      await window.signIn(acme);
      assert.match(window.lines.join('\n'), /disk full/);
    });

    it('are not known, instead of none, until it can be read: it is tried again, less and less often', async () => {
      await window.signIn(acme);
      window = open(store, { refusal: new Error('Keyring is locked') });
      const { keyring, clock, lines } = window;
      await window.ready;
      assert.deepEqual([window.missing, window.changes], ['unreadable', 1]);
      assert.match(lines.join('\n'), /could not be read: Keyring is locked/);
      for (const [tried, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
        clock.pass(seconds * 1000 - 1);
        await quiet();
        assert.equal(clock.set, tried + 1);
        clock.pass(1);
        await quiet();
      }
      assert.deepEqual([window.missing, clock.set], ['unreadable', 9]);
      keyring.refusal = undefined;
      // At once for somebody who asks again.
      await window.ready;
      assert.equal(window.current?.name, 'Acme');
      await window.settle();
      assert.equal(clock.set, 9);
      keyring.refusal = new Error('locked again');
      store.changed.fire({ key: 'organizations' });
      await window.settle();
      assert.deepEqual([window.current?.name, losses()], ['Acme', 0]);
    });

    it('say what it said if it refuses to store, without the token, and nothing is changed', async () => {
      await window.ready;
      for (const key of ['organization', 'organizations']) {
        window.keyring.beforeStore = async (stored) => {
          if (stored.startsWith(key)) throw new Error(`Keyring is locked (${acme.token})`);
        };
        await assert.rejects(window.signIn(acme), /^UserError: .* Keyring is locked \(\[redacted\]\)/);
        // No secret is left that no index lists.
        assert.deepEqual([store.values.size, window.missing], [0, 'notSignedIn']);
      }
      assert.ok(!window.lines.join().includes(acme.token));
    });

    it('say once that a sign-in was lost, in one window, with a button that signs in, and none is current', async () => {
      const globalState = new MemoryState();
      window = open(store, { globalState });
      const { id } = await window.signIn(acme);
      await window.signIn(second);
      store.values.delete(`organization.${id}`);
      const next = open(store, { globalState, chosen: id });
      await next.ready;
      assert.equal(next.missing, 'chooseOne');
      for (let round = 0; round < 2; round++) await next.settle();
      const third = open(store, { globalState, chosen: id });
      await third.settle();
      const { notifications, buttons } = recorder.shown;
      assert.deepEqual([notifications, buttons], [['The keyring lost this sign-in. Sign in again.'], ['Sign In…']]);
      assert.ok(listed().includes(id), 'the keyring may find it again');
      await third.signIn(acme);
      assert.ok(!listed().includes(id));
    });

    it('count as lost if their secret is damaged, which the log says without its text', async () => {
      store.values.set('organizations', '["a"]');
      store.values.set('organization.a', '{"name":"Acme","token":"tok-1234"');
      window = open(store);
      await window.settle();
      assert.equal(losses(), 1);
      assert.match(window.lines.join('\n'), /^The sign-in a in the keyring is damaged/);
      assert.ok(!window.lines.join().includes('tok-1234'));
      await window.signIn(acme);
      assert.equal(store.values.has('organization.a'), false);
    });

    it('are found again without an index if this workspace chose one, else lost', async () => {
      const { id } = await window.signIn(acme);
      store.values.set('organizations', 'garbage');
      window = open(store, { chosen: id });
      await window.settle();
      assert.deepEqual([window.current?.name, listed()], ['Acme', [id]]);
      store.values.clear();
      const next = open(store, { chosen: id });
      await next.settle();
      assert.deepEqual([next.missing, losses()], ['notSignedIn', 1]);
    });
  });
});
