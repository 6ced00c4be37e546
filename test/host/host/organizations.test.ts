import { strict as assert } from 'node:assert';
import type { SecretStorage } from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { UserError } from '../../../src/host/actions.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryState } from '../../support/memoryState.js';
import { randomFrom } from '../../support/random.js';
import { MemorySecrets } from '../../support/window/memory.js';
import {
  recordWindow,
  rejectionOf,
  type Shown,
  settle,
} from '../../support/window/windowRecorder.js';

const baseUrl = 'https://host.example/api/v1';
const acme = { name: 'Acme', baseUrl, token: 'tok-1234' };
const second = { name: 'Second', baseUrl: 'https://other.example/api/v1', token: 'tok-5678' };
const variables = { AUTOMATION_PLATFORM_TOKEN: 'env-token', AUTOMATION_PLATFORM_BASE_URL: baseUrl };

interface Opening {
  readonly env?: NodeJS.ProcessEnv;
  readonly chosen?: string;
}

/** What the windows of one profile share. */
const globalStates = new WeakMap<SecretStorage, MemoryState>();

function globalStateOf(keyring: SecretStorage): MemoryState {
  const state = globalStates.get(keyring) ?? new MemoryState();
  globalStates.set(keyring, state);
  return state;
}

/** The organizations of one window, whose keyring others share, with the parts that a test looks at. */
function open(keyring: SecretStorage, { env = {}, chosen }: Opening = {}) {
  const workspaceState = new MemoryState(chosen === undefined ? {} : { organization: chosen });
  const known = new KnownSecrets();
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = (line: string) => lines.push(known.redact(line));
  const context = { secrets: keyring, workspaceState, globalState: globalStateOf(keyring) };
  const window = Object.assign(
    new Organizations(context, { info: log, warn: log, warnOnce: log, error: log }, known, {
      env,
      clock,
      isInBrowser: false,
    }),
    {
      workspaceState,
      known,
      clock,
      lines,
      /** How many change events there were. */
      changes: 0,
      names: () => window.list.map(({ name }) => name),
      tokens: (id: string) => ({
        access: window.target(id, 'access')?.token,
        install: window.target(id, 'install')?.token,
      }),
      /** Lets the time pass that windows give each other. */
      pass: async () => {
        await settle();
        clock.pass(60_000);
        await settle();
      },
    },
  );
  window.onDidChange(() => {
    window.changes += 1;
  });
  return window;
}

type Window = ReturnType<typeof open>;

/** @returns a function that gives the message of the error, or "done"; `undefined` while the work is pending. */
function outcomeOf(work: Promise<unknown>): () => Promise<string | undefined> {
  let outcome: string | undefined;
  async function record(): Promise<void> {
    try {
      await work;
      outcome = 'done';
    } catch (error) {
      outcome = error instanceof Error ? error.message : String(error);
    }
  }
  void record();
  return async () => {
    await settle();
    return outcome;
  };
}

describe('the sign-ins', () => {
  let keyring: MemorySecrets;
  let window: Window;
  /** The IDs of the sign-ins in the keyring. */
  const stored = () =>
    [...keyring.values.keys()].map((key) => key.replace(/^organization\./, '')).toSorted();
  const pass = async (seconds: number) => {
    await settle();
    window.clock.pass(seconds * 1000);
    await settle();
  };
  /** Opens another window, whose keyring never answers. */
  const hangAtOnce = (options?: Opening) => {
    keyring.hang();
    window = open(keyring, options);
  };
  const openWithToken = (token: string) => {
    window = open(keyring, { env: { ...variables, AUTOMATION_PLATFORM_TOKEN: token } });
  };

  beforeEach(() => {
    keyring = new MemorySecrets();
    window = open(keyring);
  });

  it('are loading until an empty keyring has been read', async () => {
    assert.equal(window.noCurrentReason, 'loading');
    await window.ready;
    assert.equal(window.noCurrentReason, 'notSignedIn');
  });

  it('change once when the keyring has been read, and once with a sign-in', async () => {
    await window.ready;
    assert.equal(window.changes, 1);
    await window.signIn(acme);
    assert.equal(window.changes, 2);
  });

  it('are kept in the keyring without the spaces and slash that were typed', async () => {
    const { id } = await window.signIn({ ...acme, name: ' Acme ', baseUrl: `${baseUrl}/` });
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(stored(), [id]);
    const secret: unknown = JSON.parse(keyring.values.get(`organization.${id}`)!);
    assert.deepEqual(secret, { ...acme, revision: 1 });
  });

  it('leave nothing in the state of the workspace but the ID', async () => {
    const { id } = await window.signIn(acme);
    assert.deepEqual([...window.workspaceState.values.values()], [JSON.stringify(id)]);
  });

  it('yield the token for a request', async () => {
    const { id } = await window.signIn(acme);
    const target = window.target(id, 'access');
    assert.deepEqual(target, { organizationId: id, baseUrl, token: acme.token });
  });

  it('make the organization of a new sign-in current', async () => {
    const { id } = await window.signIn(acme);
    const expected = { id, name: 'Acme', baseUrl, source: 'keyring', hasSessionToken: false };
    assert.deepEqual(window.current, expected);
  });

  it('have the same current organization in the next window', async () => {
    await window.signIn(acme);
    const next = open(keyring);
    await next.ready;
    assert.deepEqual(next.current, window.current);
  });

  it('get the new token when the base URL and name are known', async () => {
    const { id } = await window.signIn(acme);
    await window.signIn({ ...acme, name: 'ACME', token: 'tok-2' });
    assert.deepEqual(window.names(), ['Acme']);
    assert.equal(window.tokens(id).access, 'tok-2');
  });

  it('keep the session token when they get a new token', async () => {
    const { id } = await window.signIn(acme);
    await window.setSessionToken(id, 'ses-1234');
    await window.signIn({ ...acme, token: 'tok-2' });
    assert.deepEqual(window.tokens(id), { access: 'tok-2', install: 'ses-1234' });
    assert.equal(window.get(id)?.hasSessionToken, true);
  });

  it('look up installs with the token when there is no session token', async () => {
    const { id } = await window.signIn(acme);
    assert.equal(window.tokens(id).install, acme.token);
    await window.setSessionToken(id, 'ses-1234');
    await window.setSessionToken(id, undefined);
    assert.equal(window.tokens(id).install, acme.token);
  });

  it('refuse a session token for an organization that is not signed in', async () => {
    await assert.rejects(window.setSessionToken('gone', 'ses-2'), UserError);
  });

  for (const [what, input, reason] of [
    [
      'a known name in other case at another host',
      { ...second, name: 'aCME' },
      /“Acme” is already the name of an organization on host\.example\./,
    ],
    [
      'the name of the organization of the environment',
      { ...acme, name: 'Environment' },
      /“Environment” is reserved\./,
    ],
    ['a long name', { ...acme, name: 'x'.repeat(101) }, /Enter a shorter name\.$/],
    [
      'an insecure base URL',
      { ...acme, name: 'New', baseUrl: 'http://host.example/api/v1' },
      /insecure/,
    ],
  ] as const) {
    it(`refuse ${what}`, async () => {
      const { id } = await window.signIn(acme);
      await assert.rejects(window.signIn(input), reason);
      assert.deepEqual(stored(), [id]);
    });
  }

  for (const token of ['tok/1234', 'ses-1234', 'env-token']) {
    it(`have a token that is recognized and redacted in each window: ${token}`, async () => {
      window = open(keyring, { env: variables });
      const { id } = await window.signIn({ ...acme, token: 'tok/1234' });
      await window.setSessionToken(id, 'ses-1234');
      const next = open(keyring, { env: variables });
      await next.ready;
      const isRecognized = window.hasTokenIn(`https://host.example/${encodeURIComponent(token)}`);
      assert.equal(isRecognized, true);
      assert.equal(window.known.redact(token), '[redacted]');
      assert.equal(next.known.redact(token), '[redacted]');
    });
  }

  for (const [text, expected] of [
    ['Bearer tok/1234', true],
    ['100 %', false],
  ] as const) {
    it(`say whether a text has a token: ${text}`, async () => {
      await window.signIn({ ...acme, token: 'tok/1234' });
      assert.equal(window.hasTokenIn(text), expected);
    });
  }

  describe('of the environment', () => {
    it('are not stored in the keyring', async () => {
      window = open(keyring, { env: variables });
      await window.ready;
      assert.deepEqual(window.tokens('environment'), { access: 'env-token', install: 'env-token' });
      assert.deepEqual(stored(), []);
    });

    it('are current again when the user switches to them', async () => {
      window = open(keyring, { env: variables });
      await window.signIn(acme);
      assert.equal(window.current?.name, 'Acme');
      await window.switchTo('environment');
      assert.equal(window.current?.name, 'environment');
    });

    it('leave no organization current when their variables are gone', async () => {
      await window.signIn(acme);
      const next = open(keyring, { chosen: 'environment' });
      await next.ready;
      assert.equal(next.noCurrentReason, 'chooseOne');
    });

    it('have the token without the quotes around the variable', () => {
      openWithToken('Bearer "env-token"');
      assert.equal(window.target('environment', 'access')?.token, 'env-token');
      assert.equal(window.known.redact('Bearer "env-token"'), 'Bearer "[redacted]"');
    });

    it('are ignored, as the log says, while their token is a placeholder', async () => {
      openWithToken('$(TOKEN)');
      await window.ready;
      assert.deepEqual(window.list, []);
      const log = window.lines.join('\n');
      assert.match(log, /AUTOMATION_PLATFORM_TOKEN holds a placeholder that was not filled in\./);
    });

    it('are ignored, as the log says, while their token cannot be sent', async () => {
      openWithToken('"env-tökén"');
      await window.ready;
      assert.deepEqual(window.list, []);
      const log = window.lines.join('\n');
      assert.match(log, /: the token contains “ö” \(U\+00F6\), which no token can have\./);
    });

    it('have their token redacted even if it cannot be sent', () => {
      openWithToken('"env-tökén"');
      assert.equal(window.known.redact('env-tökén'), '[redacted]');
    });

    it('do not redact a short text that cannot be a token', () => {
      openWithToken('…');
      const log = window.lines.join('\n');
      assert.match(log, /: the token contains “…” \(U\+2026\), which no token can have\./);
    });
  });

  describe('after Sign Out', () => {
    let id: string;
    let other: { readonly id: string };
    beforeEach(async () => {
      other = await window.signIn(second);
      ({ id } = await window.signIn(acme));
      await window.signOut(id);
    });

    it('make no other organization current', () => {
      assert.equal(window.noCurrentReason, 'chosenGone');
    });

    it('have left nothing of the organization in the keyring', () => {
      assert.deepEqual(stored(), [other.id]);
    });

    it('yield no token for a request', () => {
      assert.equal(window.target(id, 'access'), undefined);
    });

    it('still redact the token in a late answer', () => {
      assert.equal(window.known.redact(acme.token), '[redacted]');
    });

    it('do not recognize the token in a text any more', () => {
      assert.equal(window.hasTokenIn(acme.token), false);
    });
  });

  describe('of version 0.2.0', () => {
    const index = '["b", "a", "gone"]';
    beforeEach(async () => {
      keyring.values.set('organizations', index);
      keyring.values.set(
        'organization.a',
        `{"name":"Acme","baseUrl":"${baseUrl}","token":"tok-1","sessionToken":"ses-1"}`,
      );
      keyring.values.set(
        'organization.b',
        `{"name":"Second","baseUrl":"${second.baseUrl}","token":"tok-2"}`,
      );
      keyring.values.set(
        'organization.c',
        `{"name":"Not in the index","baseUrl":"${baseUrl}","token":"tok-3"}`,
      );
      window = open(keyring, { chosen: 'a' });
      await window.ready;
    });

    it('are found whether its index has them or not', () => {
      assert.deepEqual(window.names(), ['Acme', 'Not in the index', 'Second']);
      assert.equal(window.current?.name, 'Acme');
      assert.deepEqual(window.tokens('a'), { access: 'tok-1', install: 'ses-1' });
    });

    it('change beside its index, which stays', async () => {
      await window.signOut('b');
      const { id } = await window.signIn({ ...acme, name: 'New' });
      await window.pass();
      assert.deepEqual(stored(), ['a', 'c', id, 'organizations'].toSorted());
      assert.equal(keyring.values.get('organizations'), index);
    });
  });

  describe('in several windows', () => {
    let a: Window;
    let b: Window;
    beforeEach(async () => {
      a = window;
      b = open(keyring);
      await Promise.all([a.ready, b.ready]);
    });

    it('include the organization to which another window has signed in', async () => {
      const signedIn = await a.signIn(acme);
      await settle();
      assert.deepEqual(b.current, signedIn);
    });

    it('have the new token after another window has replaced it', async () => {
      const { id } = await a.signIn(acme);
      await a.signIn({ ...acme, token: 'tok-2' });
      await settle();
      assert.equal(b.tokens(id).access, 'tok-2');
    });

    it('lose the organization that another window has signed out', async () => {
      const { id } = await a.signIn(acme);
      await settle();
      let idsAtChange = a.idsNotSignedOut;
      a.onDidChange(() => {
        idsAtChange = a.idsNotSignedOut;
      });
      await b.signOut(id);
      await settle();
      assert.equal(a.noCurrentReason, 'chosenGone');
      assert.equal(b.noCurrentReason, 'notSignedIn');
      assert.deepEqual([...idsAtChange!], ['environment']);
    });

    it('do not change again when a known sign-out is reported once more', async () => {
      const { id } = await a.signIn(acme);
      await settle();
      await b.signOut(id);
      await settle();
      const { changes } = a;
      keyring.changed.fire({ key: `organization.${id}` });
      await settle();
      assert.equal(a.changes, changes);
    });

    it('are both kept when two windows sign in at the same moment', async () => {
      await Promise.all([a.signIn(acme), b.signIn(second)]);
      await settle();
      assert.deepEqual(a.names(), ['Acme', 'Second']);
      assert.deepEqual(b.names(), ['Acme', 'Second']);
    });

    it('have a current organization for each window', async () => {
      const [one, two] = await Promise.all([a.signIn(acme), b.signIn(second)]);
      await settle();
      assert.equal(a.current?.id, one.id);
      assert.equal(b.current?.id, two.id);
    });

    it('let a window switch to the organization of another one', async () => {
      const { id } = await b.signIn(second);
      await settle();
      await a.signIn(acme);
      await a.switchTo(id);
      assert.equal(a.current?.id, id);
    });

    it('refuse to switch to an organization that is not signed in', async () => {
      await assert.rejects(a.switchTo('gone'), UserError);
    });

    it('are the same in each window after random changes at the same moment', async () => {
      const windows = [a, b, open(keyring)] as const;
      const ids: string[] = [];
      const next = randomFrom(7);
      const random = (end: number) => Math.floor(next() * end);

      async function changeSomething(inWindow: Window, round: number): Promise<void> {
        for (let turns = random(12); turns > 0; turns--)
          await new Promise((resolve) => setImmediate(resolve));
        const id = ids.length > 0 ? ids[random(ids.length)]! : undefined;
        const act = random(4);
        if (act === 0 || id === undefined)
          ids.push((await inWindow.signIn({ ...acme, name: `Acme ${round}` })).id);
        else if (act === 1)
          await inWindow.setSessionToken(id, `ses-${round}`).catch(() => undefined);
        else await inWindow.signOut(id);
      }

      for (let round = 0; round < 300; round++) {
        await Promise.all(windows.map((one) => changeSomething(one, round)));
        for (const one of windows) await one.pass();
        const kept = stored();
        for (const [at, { list }] of windows.entries()) {
          const listed = list.map(({ id }) => id).toSorted();
          assert.deepEqual(listed, kept, `window ${at} after round ${round}`);
        }
        ids.splice(0, ids.length, ...kept);
      }
    }).timeout(60_000);
  });

  it('have a current organization although the workspace cannot remember it', async () => {
    window.workspaceState.update = () => Promise.reject(new Error('disk full'));
    await window.signIn(acme);
    assert.equal(window.current?.name, 'Acme');
    assert.match(window.lines.join('\n'), /disk full/);
  });

  describe('in a keyring that cannot be read', () => {
    beforeEach(async () => {
      await window.signIn(acme);
      keyring.refusal = new Error('Keyring is locked');
      window = open(keyring);
      await window.ready;
    });

    it('are unreadable, rather than none', () => {
      assert.equal(window.noCurrentReason, 'unreadable');
      assert.equal(window.idsNotSignedOut, undefined);
      assert.equal(window.changes, 1);
    });

    it('are logged with the reason', () => {
      assert.match(window.lines.join('\n'), /could not be read: Keyring is locked/);
    });

    it('are read again every 15 seconds', async () => {
      for (let tries = 1; tries < 5; tries++) {
        assert.equal(window.clock.waiting, 1, `a timer after ${tries} tries`);
        await pass(15);
      }
      assert.equal(window.noCurrentReason, 'unreadable');
      keyring.refusal = undefined;
      await pass(15);
      assert.equal(window.current?.name, 'Acme');
    });

    it('are read again at once for a command', async () => {
      keyring.refusal = undefined;
      await window.ready;
      assert.equal(window.current?.name, 'Acme');
      await window.pass();
      assert.equal(window.clock.waiting, 0);
    });

    it('stay known when the keyring cannot be read later on', async () => {
      keyring.refusal = undefined;
      await window.ready;
      keyring.refusal = new Error('locked again');
      keyring.changed.fire({ key: 'organization.x' });
      await window.pass();
      assert.equal(window.current?.name, 'Acme');
    });
  });

  describe('in a keyring that cannot list its secrets', () => {
    let id: string;
    beforeEach(async () => {
      ({ id } = await window.signIn(acme));
      await window.signIn(second);
      keyring.keys = () => Promise.reject(new Error('not supported'));
      window = open(keyring, { chosen: id });
      await window.ready;
    });

    it('are the one that the workspace chose', () => {
      assert.deepEqual(window.names(), ['Acme']);
      assert.equal(window.current?.id, id);
    });

    it('do not count as signed out when not found', () => {
      assert.equal(window.idsNotSignedOut, undefined);
    });

    it('are logged with the reason', () => {
      const log = window.lines.join('\n');
      assert.match(log, /^The sign-ins in the keyring could not be listed: not supported/);
    });

    it('include a new sign-in beside the chosen one', async () => {
      await window.signIn({ ...acme, name: 'Third' });
      await settle();
      assert.deepEqual(window.names(), ['Acme', 'Third']);
    });

    it('are none in a workspace that has chosen none', async () => {
      const other = open(keyring);
      await other.ready;
      assert.equal(other.noCurrentReason, 'notSignedIn');
    });
  });

  it('do not change when the keyring refuses to store one, which is quoted without the token', async () => {
    await window.ready;
    keyring.store = () => Promise.reject(new Error(`Keyring is locked (${acme.token})`));
    const expected = /^UserError: .* Keyring is locked \(\[redacted\]\)/;
    await assert.rejects(window.signIn(acme), expected);
    assert.deepEqual(stored(), []);
    assert.equal(window.noCurrentReason, 'notSignedIn');
    assert.doesNotMatch(window.lines.join('\n'), new RegExp(acme.token));
  });

  describe('with a damaged secret', () => {
    const damaged = '{"name":"Acme","token":"tok-1234"';
    beforeEach(async () => {
      keyring.values.set('organization.a', damaged);
      window = open(keyring, { chosen: 'a' });
      await window.ready;
    });

    it('have no current organization, which does not count as signed out', () => {
      assert.equal(window.noCurrentReason, 'chosenGone');
      assert.equal(window.idsNotSignedOut?.has('a'), true);
    });

    it('are logged without the text of the secret', () => {
      const log = window.lines.join('\n');
      assert.match(log, /^The sign-in a in the keyring is damaged/);
      assert.doesNotMatch(log, /tok-1234/);
    });

    it('leave the damaged secret alone when the user signs in again', async () => {
      await window.signIn(acme);
      assert.equal(window.current?.name, 'Acme');
      assert.equal(keyring.values.get('organization.a'), damaged);
    });
  });

  describe('in a hanging keyring', () => {
    let shown: Shown;
    const id = 'a';
    const noAnswer = /^Nothing was changed, because VS Code’s secret storage has not answered/;
    beforeEach(() => {
      shown = recordWindow();
      // One that no other window asks.
      keyring = new MemorySecrets();
      keyring.values.set(`organization.${id}`, JSON.stringify(acme));
    });

    it('are loading, then waiting after 10 seconds', async () => {
      hangAtOnce();
      await pass(9.999);
      assert.equal(window.noCurrentReason, 'loading');
      assert.equal(window.changes, 0);
      await pass(0.001);
      assert.equal(window.noCurrentReason, 'waiting');
      assert.equal(window.changes, 1);
    });

    it('are asked for only once while the keyring hangs', async () => {
      hangAtOnce();
      await pass(10);
      await window.ready;
      await pass(600);
      assert.deepEqual(keyring.unanswered, ['keys']);
      assert.equal(window.changes, 1);
    });

    it('are read when the keyring answers after all', async () => {
      hangAtOnce();
      await pass(610);
      keyring.answerAll();
      await settle();
      assert.equal(window.current?.name, 'Acme');
      assert.equal(window.changes, 2);
    });

    it('are logged once when they wait, and once when the keyring answers', async () => {
      hangAtOnce();
      await pass(610);
      keyring.answerAll();
      await settle();
      assert.deepEqual(window.lines, [
        'The keyring has not answered for 10 s.',
        'The keyring answered after 610 s.',
      ]);
    });

    it('are waited for at most 10 seconds', async () => {
      hangAtOnce();
      const outcome = outcomeOf(window.ready);
      await pass(9.999);
      assert.equal(await outcome(), undefined);
      await pass(0.001);
      assert.equal(await outcome(), 'done');
    });

    it('are waited for at most 10 seconds after an unreadable keyring', async () => {
      keyring.refusal = new Error('Keyring is locked');
      window = open(keyring);
      await window.ready;
      assert.equal(window.noCurrentReason, 'unreadable');

      keyring.hang();
      const outcome = outcomeOf(window.ready);
      await pass(10);
      assert.equal(await outcome(), 'done');
      assert.equal(window.noCurrentReason, 'waiting');

      keyring.refusal = undefined;
      keyring.answerAll();
      await settle();
      assert.equal(window.noCurrentReason, undefined);
      assert.equal(window.current?.name, 'Acme');
    });

    it('are read once for all changes in other windows meanwhile', async () => {
      let readings = 0;
      const keys = keyring.keys.bind(keyring);
      keyring.keys = () => {
        readings += 1;
        return keys();
      };
      hangAtOnce();
      await pass(10);
      for (let change = 0; change < 5; change++)
        keyring.changed.fire({ key: `organization.${id}` });
      await pass(60);
      assert.equal(readings, 1);
      keyring.answerAll();
      await settle();
      assert.equal(readings, 2);
      assert.equal(window.current?.name, 'Acme');
    });

    describe('that was read before', () => {
      beforeEach(async () => {
        window = open(keyring);
        await window.ready;
        keyring.hang();
        keyring.changed.fire({ key: `organization.${id}` });
        await pass(10);
      });

      it('stay known', () => {
        assert.equal(window.current?.name, 'Acme');
      });

      it('are not changed before the keyring answers', async () => {
        assert.match(
          await rejectionOf(window.ensureKeyringAnswers()),
          /has not answered for 10 seconds/,
        );
        assert.match(await rejectionOf(window.signIn(second)), /^Nothing was changed, because/);
      });

      it('can be changed once the keyring answers', async () => {
        keyring.answerAll();
        await settle();
        await window.ensureKeyringAnswers();
        assert.equal(window.current?.name, 'Acme');
      });
    });

    it('have the environment’s organization at once', async () => {
      hangAtOnce({ env: variables });
      await window.currentReady;
      assert.equal(window.current?.name, 'environment');
      await pass(10);
      assert.equal(window.current?.name, 'environment');
    });

    it('do not have the environment’s organization when another was chosen', async () => {
      hangAtOnce({ env: variables, chosen: id });
      await settle();
      assert.equal(window.noCurrentReason, 'loading');
      await pass(10);
      assert.equal(window.noCurrentReason, 'waiting');
    });

    for (const [what, change] of [
      ['a sign-in', () => window.signIn(second)],
      ['another token', () => window.replaceToken(id, 'tok-2')],
      ['a session token', () => window.setSessionToken(id, 'ses-1')],
      ['a sign-out', () => window.signOut(id)],
    ] as const) {
      it(`drop a change that waited 10 seconds for the first reading: ${what}`, async () => {
        hangAtOnce();
        const outcome = outcomeOf(change());
        await pass(10);
        assert.match((await outcome()) ?? '', noAnswer);
        keyring.answerAll();
        await settle();
        assert.deepEqual(window.names(), ['Acme']);
        assert.deepEqual(window.tokens(id), { access: acme.token, install: acme.token });
        assert.deepEqual(stored(), [id]);
        assert.deepEqual(shown.messages, []);
      });
    }

    it('keep the token when the reading before a change takes too long', async () => {
      window = open(keyring);
      await window.ready;
      keyring.hang(/^get/);
      const outcome = outcomeOf(window.replaceToken(id, 'tok-2'));
      await pass(10);
      assert.match((await outcome()) ?? '', noAnswer);
      keyring.answerAll();
      await settle();
      assert.equal(window.tokens(id).access, acme.token);
      assert.equal(keyring.values.get(`organization.${id}`), JSON.stringify(acme));
    });

    const withSessionToken =
      '{"name":"Acme","baseUrl":"https://host.example/api/v1","token":"tok-1234","sessionToken":"ses-1"}';
    for (const [change, act, message, isDone, ...buttons] of [
      [
        'a sign-in',
        () => window.signIn(second),
        'The sign-in to “Second” was saved after all.',
        () => window.names().join() === 'Acme,Second' && window.noCurrentReason === 'chooseOne',
        'Sign Out...',
        'Switch Organization...',
      ],
      [
        'another token',
        () => window.replaceToken(id, 'tok-2'),
        'The token for “Acme” was replaced after all.',
        () => window.tokens(id).access === 'tok-2',
      ],
      [
        'a sign-in with another token',
        () => window.signIn({ ...acme, token: 'tok-2' }),
        'The token for “Acme” was replaced after all.',
        () => window.tokens(id).access === 'tok-2',
      ],
      [
        'a session token',
        () => window.setSessionToken(id, 'ses-2'),
        'The user session token for “Acme” was saved after all.',
        () => window.tokens(id).install === 'ses-2',
      ],
      [
        'removing a session token',
        () => window.setSessionToken(id, undefined),
        'The user session token for “Acme” was removed after all.',
        () => window.get(id)?.hasSessionToken === false,
      ],
      [
        'a sign-out',
        () => window.signOut(id),
        'You were signed out of “Acme” after all.',
        () => window.list.length === 0 && stored().length === 0,
      ],
    ] as const) {
      describe(`after ${change} that ends late`, () => {
        let outcome: ReturnType<typeof outcomeOf>;
        beforeEach(async () => {
          keyring.values.set(`organization.${id}`, withSessionToken);
          window = open(keyring);
          await window.ready;
          keyring.hang(/^(store|delete)/);
          outcome = outcomeOf(act());
          await pass(10);
        });

        it('say that it may still take effect', async () => {
          assert.match(
            (await outcome()) ?? '',
            /has not confirmed the change for “\w+” .* It may still take effect/,
          );
          assert.equal(isDone(), false);
          assert.deepEqual(shown.messages, []);
        });

        it('notify once of its success', async () => {
          await pass(60);
          keyring.answerAll();
          await pass(60);
          assert.equal(isDone(), true);
          assert.deepEqual(shown.messages, [['information', message, ...buttons]]);
        });

        it('notify once of its failure', async () => {
          keyring.refusal = new Error('Keyring is locked (ses-2).');
          keyring.answerAll();
          await pass(60);
          const [notification, ...others] = shown.messages;
          assert.equal(notification?.[0], 'error');
          assert.match(
            notification?.[1] ?? '',
            /^Nothing was changed for “\w+” after all, because the keyring reported: Keyring is locked/,
          );
          assert.deepEqual(others, []);
        });

        it('stay as they were if it fails', async () => {
          const { list } = window;
          const storedBefore = stored();
          const tokens = window.tokens(id);
          keyring.refusal = new Error('Keyring is locked (ses-2).');
          keyring.answerAll();
          await pass(60);
          assert.deepEqual(window.list, list);
          assert.deepEqual(stored(), storedBefore);
          assert.deepEqual(window.tokens(id), tokens);
        });
      });
    }

    it('make a late sign-in current when there is no other', async () => {
      keyring.values.clear();
      window = open(keyring);
      await window.ready;
      keyring.hang(/^store/);
      const outcome = outcomeOf(window.signIn(acme));
      await pass(10);
      assert.match((await outcome()) ?? '', /may still take effect/);
      keyring.answerAll();
      await settle();
      assert.equal(window.current?.name, 'Acme');
      assert.deepEqual([...window.workspaceState.values], []);
    });

    it('show a progress when a command waits for a second', async () => {
      hangAtOnce();
      const outcome = outcomeOf(window.waitForSignIns());
      await pass(0.9);
      assert.deepEqual(shown.progress, []);
      await pass(0.1);
      assert.deepEqual(shown.progress, ['Waiting for VS Code’s secret storage']);
      keyring.answerAll();
      assert.equal(await outcome(), 'done');
    });

    it('are not logged when a command waited less than 10 seconds', async () => {
      hangAtOnce();
      const outcome = outcomeOf(window.waitForSignIns());
      await pass(1);
      keyring.answerAll();
      assert.equal(await outcome(), 'done');
      await pass(10);
      assert.equal(window.current?.name, 'Acme');
      assert.deepEqual(window.lines, []);
    });
  });
});
