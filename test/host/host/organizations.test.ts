import { strict as assert } from 'node:assert';
import type { SecretStorage } from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { UserError } from '../../../src/host/actions.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryState } from '../../support/memoryState.js';
import { randomFrom } from '../../support/random.js';
import { MemorySecrets } from '../../support/window/memory.js';
import { recordWindow, type Shown, settle } from '../../support/window/windowRecorder.js';

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

/** The organizations of one window, whose keyring others share, with what a test looks at. */
function open(keyring: SecretStorage, { env = {}, chosen }: Opening = {}) {
  const workspaceState = new MemoryState(chosen === undefined ? {} : { organization: chosen });
  const [known, clock] = [new KnownSecrets(), new ManualClock()];
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
      changes: 0,
      names: () => window.list.map(({ name }) => name),
      /** The access token, and the one that looks up installs. */
      tokens: (id: string) =>
        (['access', 'install'] as const).map((slot) => window.target(id, slot)?.token),
      /** The time that windows give each other has passed. */
      pass: async () => {
        await settle();
        clock.pass(60_000);
        await settle();
      },
    },
  );
  window.onDidChange(() => window.changes++);
  return window;
}

type Window = ReturnType<typeof open>;

/** The message of its error, or "done"; `undefined` while it is pending. */
function outcomeOf(work: Promise<unknown>): () => Promise<string | undefined> {
  let outcome: string | undefined;
  work.then(
    () => (outcome = 'done'),
    (error: Error) => (outcome = error.message),
  );
  return async () => {
    await settle();
    return outcome;
  };
}

describe('organizations', () => {
  let keyring: MemorySecrets;
  let window: Window;
  /** Ids of the secrets in the keyring. */
  const stored = () =>
    [...keyring.values.keys()].map((key) => key.replace(/^organization\./, '')).toSorted();
  const pass = async (seconds: number) => {
    await settle();
    window.clock.pass(seconds * 1000);
    await settle();
  };
  /** Another window, whose keyring never answers. */
  const hangAtOnce = (options?: Parameters<typeof open>[1]) => {
    keyring.hang();
    window = open(keyring, options);
  };
  beforeEach(() => {
    keyring = new MemorySecrets();
    window = open(keyring);
  });

  it('are in the keyring and nowhere else, and there in the next window', async () => {
    assert.equal(window.noCurrentReason, 'loading');
    await window.ready;
    assert.equal(window.noCurrentReason, 'notSignedIn');
    const { id } = await window.signIn({ ...acme, name: ' Acme ', baseUrl: `${baseUrl}/` });
    assert.equal(window.changes, 2, 'once for the empty keyring, once for the sign-in');
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(window.target(id, 'access'), {
      organizationId: id,
      baseUrl,
      token: acme.token,
    });
    assert.deepEqual(JSON.parse(keyring.values.get(`organization.${id}`)!), {
      ...acme,
      revision: 1,
    });
    assert.deepEqual(
      [stored(), [...window.workspaceState.values.values()]],
      [[id], [JSON.stringify(id)]],
    );
    const next = open(keyring);
    await next.ready;
    for (const { current } of [window, next]) {
      assert.deepEqual(current, {
        id,
        name: 'Acme',
        baseUrl,
        source: 'keyring',
        hasSessionToken: false,
      });
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
      [
        { ...second, name: 'aCME' },
        /“Acme” is already the name of an organization on host\.example\./,
      ],
      [{ ...acme, name: 'Environment' }, /“Environment” is reserved\./],
      [{ ...acme, name: 'x'.repeat(101) }, /Enter a shorter name\.$/],
      [{ ...acme, name: 'New', baseUrl: 'http://host.example/api/v1' }, /insecure/],
    ] as const) {
      await assert.rejects(window.signIn(input), reason);
    }
    assert.equal(keyring.values.size, 1);
  });

  it('have tokens that are recognized and redacted, also in the next window', async () => {
    window = open(keyring, { env: variables });
    const { id } = await window.signIn({ ...acme, token: 'tok/1234' });
    await window.setSessionToken(id, 'ses-1234');
    const next = open(keyring, { env: variables });
    await next.ready;
    for (const token of ['tok/1234', 'ses-1234', 'env-token']) {
      assert.ok(window.hasTokenIn(`https://host.example/${encodeURIComponent(token)}`), token);
      for (const { known } of [window, next]) assert.equal(known.redact(token), '[redacted]');
    }
    assert.ok(window.hasTokenIn('Bearer tok/1234') && !window.hasTokenIn('100 %'));
  });

  it('of the environment have the token without what was copied with it, which is redacted', async () => {
    const raw = 'Bearer "env-token"';
    window = open(keyring, { env: { ...variables, AUTOMATION_PLATFORM_TOKEN: raw } });
    assert.equal(window.target('environment', 'access')?.token, 'env-token');
    assert.equal(window.known.redact(raw), 'Bearer "[redacted]"');
  });

  it('of the environment are none while their token is a placeholder, and the log says so', async () => {
    window = open(keyring, { env: { ...variables, AUTOMATION_PLATFORM_TOKEN: '$(TOKEN)' } });
    await window.ready;
    assert.deepEqual(window.list, []);
    assert.match(
      window.lines.join('\n'),
      /AUTOMATION_PLATFORM_TOKEN holds a placeholder that was not filled in\./,
    );
  });

  it('of the environment are none with a token that cannot be sent, which is redacted all the same', async () => {
    window = open(keyring, { env: { ...variables, AUTOMATION_PLATFORM_TOKEN: '"env-tökén"' } });
    await window.ready;
    assert.deepEqual(window.list, []);
    assert.match(
      window.lines.join('\n'),
      /: the token contains “ö” \(U\+00F6\), which no token can have\./,
    );
    assert.equal(window.known.redact('env-tökén'), '[redacted]');
  });

  it('of the environment do not redact a short text that cannot be a token', () => {
    window = open(keyring, { env: { ...variables, AUTOMATION_PLATFORM_TOKEN: '…' } });
    assert.match(
      window.lines.join('\n'),
      /: the token contains “…” \(U\+2026\), which no token can have\./,
    );
  });

  it('leave nothing behind after Sign Out but the redaction of a late answer, and no other becomes current', async () => {
    const other = await window.signIn(second);
    const { id } = await window.signIn(acme);
    await window.signOut(id);
    assert.deepEqual(
      [window.noCurrentReason, window.target(id, 'access')],
      ['chosenGone', undefined],
    );
    assert.deepEqual([stored(), window.known.redact(acme.token)], [[other.id], '[redacted]']);
    assert.ok(!window.hasTokenIn(acme.token));
  });

  it('of the environment are not in the keyring, and current again if chosen, but not once their variables are gone', async () => {
    window = open(keyring, { env: variables });
    await window.ready;
    assert.deepEqual(window.tokens('environment'), ['env-token', 'env-token']);
    assert.equal(keyring.values.size, 0);
    await window.signIn(acme);
    assert.equal(window.current?.name, 'Acme');
    await window.switchTo('environment');
    assert.equal(window.current?.name, 'environment');
    const next = open(keyring, { chosen: 'environment' });
    await next.ready;
    assert.equal(next.noCurrentReason, 'chooseOne');
  });

  it('that version 0.2.0 stored are found, and its index is left as it is', async () => {
    const index = '["b", "a", "gone"]';
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
    assert.deepEqual(window.names(), ['Acme', 'Not in the index', 'Second']);
    assert.deepEqual([window.current?.name, ...window.tokens('a')], ['Acme', 'tok-1', 'ses-1']);
    await window.signOut('b');
    const { id } = await window.signIn({ ...acme, name: 'New' });
    await window.pass();
    assert.deepEqual(stored(), ['a', 'c', id, 'organizations'].toSorted());
    assert.equal(keyring.values.get('organizations'), index);
  });

  describe('in several windows', () => {
    let a: Window;
    let b: Window;
    beforeEach(async () => {
      a = window;
      b = open(keyring);
      await Promise.all([a.ready, b.ready]);
    });
    it('are taken over without a reload', async () => {
      const signedIn = await a.signIn(acme);
      await settle();
      assert.deepEqual(b.current, signedIn);
      await a.signIn({ ...acme, token: 'tok-2' });
      await settle();
      assert.equal(b.tokens(signedIn.id)[0], 'tok-2');
      let kept = a.idsNotSignedOut;
      a.onDidChange(() => (kept = a.idsNotSignedOut));
      await b.signOut(signedIn.id);
      await settle();
      assert.deepEqual(
        [a.noCurrentReason, b.noCurrentReason, ...(kept ?? [])],
        ['chosenGone', 'notSignedIn', 'environment'],
      );
      const { changes } = a;
      keyring.changed.fire({ key: `organization.${signedIn.id}` });
      await settle();
      assert.equal(a.changes, changes);
    });

    it('each keep the one they chose, and lose none to two at the same moment', async () => {
      const [one, two] = await Promise.all([a.signIn(acme), b.signIn(second)]);
      await settle();
      assert.deepEqual([a.current?.id, b.current?.id], [one.id, two.id]);
      for (const each of [a, b]) assert.deepEqual(each.names(), ['Acme', 'Second']);
      await a.switchTo(two.id);
      assert.equal(a.current?.id, two.id);
      await assert.rejects(a.switchTo('gone'), UserError);
    });

    it('are the same in three windows after whatever they did at the same moment', async () => {
      const windows = [a, b, open(keyring)] as const;
      const ids: string[] = [];
      const next = randomFrom(7);
      const random = (end: number) => Math.floor(next() * end);
      for (let round = 0; round < 300; round++) {
        const acts = windows.map(async (one) => {
          for (let turns = random(12); turns > 0; turns--)
            await new Promise((resolve) => setImmediate(resolve));
          const id = ids.length > 0 ? ids[random(ids.length)]! : undefined;
          const act = random(4);
          if (act === 0 || id === undefined)
            ids.push((await one.signIn({ ...acme, name: `Acme ${round}` })).id);
          else if (act === 1) await one.setSessionToken(id, `ses-${round}`).catch(() => undefined);
          else await one.signOut(id);
        });
        await Promise.all(acts);
        for (const one of windows) await one.pass();
        const kept = stored();
        for (const one of windows) assert.deepEqual(one.list.map(({ id }) => id).toSorted(), kept);
        ids.splice(0, ids.length, ...kept);
      }
    }).timeout(60_000);
  });

  describe('in a keyring that fails', () => {
    it('become current although this workspace can not remember it', async () => {
      window.workspaceState.update = () => Promise.reject(new Error('disk full'));
      await window.signIn(acme);
      assert.equal(window.current?.name, 'Acme');
      assert.match(window.lines.join('\n'), /disk full/);
    });

    it('are not known, instead of none, until it can be read: it is tried again every quarter of a minute', async () => {
      await window.signIn(acme);
      keyring.refusal = new Error('Keyring is locked');
      window = open(keyring);
      const { clock, lines } = window;
      await window.ready;
      assert.deepEqual(
        [window.noCurrentReason, window.changes, window.idsNotSignedOut],
        ['unreadable', 1, undefined],
      );
      assert.match(lines.join('\n'), /could not be read: Keyring is locked/);
      for (let tried = 1; tried < 5; tried++) {
        assert.equal(clock.waiting, 1, `tried ${tried} times`);
        clock.pass(15_000);
        await settle();
      }
      assert.equal(window.noCurrentReason, 'unreadable');
      keyring.refusal = undefined;
      // At once for a command.
      await window.ready;
      assert.equal(window.current?.name, 'Acme');
      await window.pass();
      assert.equal(clock.waiting, 0);
      keyring.refusal = new Error('locked again');
      keyring.changed.fire({ key: 'organization.x' });
      await window.pass();
      assert.equal(window.current?.name, 'Acme');
    });

    it('that can not list its secrets are only the one that this workspace chose', async () => {
      const { id } = await window.signIn(acme);
      await window.signIn(second);
      keyring.keys = () => Promise.reject(new Error('not supported'));
      const [next, other] = [open(keyring, { chosen: id }), open(keyring)];
      await Promise.all([next.ready, other.ready]);
      assert.deepEqual(
        [next.names(), next.current?.id, next.idsNotSignedOut],
        [['Acme'], id, undefined],
      );
      await next.signIn({ ...acme, name: 'Third' });
      await settle();
      assert.deepEqual(next.names(), ['Acme', 'Third']);
      assert.equal(other.noCurrentReason, 'notSignedIn');
      assert.match(
        next.lines.join('\n'),
        /^The sign-ins in the keyring could not be listed: not supported/,
      );
    });

    it('say what it said if it refuses to store, without the token, and nothing is changed', async () => {
      await window.ready;
      keyring.store = () => Promise.reject(new Error(`Keyring is locked (${acme.token})`));
      await assert.rejects(
        window.signIn(acme),
        /^UserError: .* Keyring is locked \(\[redacted\]\)/,
      );
      assert.deepEqual([keyring.values.size, window.noCurrentReason], [0, 'notSignedIn']);
      assert.ok(!window.lines.join().includes(acme.token));
    });

    it('are left alone where their secret is damaged, which the log says without its text', async () => {
      keyring.values.set('organization.a', '{"name":"Acme","token":"tok-1234"');
      window = open(keyring, { chosen: 'a' });
      await window.ready;
      assert.deepEqual(
        [window.noCurrentReason, window.idsNotSignedOut?.has('a')],
        ['chosenGone', true],
      );
      assert.match(window.lines.join('\n'), /^The sign-in a in the keyring is damaged/);
      assert.ok(!window.lines.join().includes('tok-1234'));
      await window.signIn(acme);
      assert.equal(window.current?.name, 'Acme');
      assert.ok(keyring.values.has('organization.a'));
    });
  });

  describe('in a hanging keyring', () => {
    let shown: Shown;
    const id = 'a';
    beforeEach(() => {
      shown = recordWindow();
      // One that no other window asks.
      keyring = new MemorySecrets();
      keyring.values.set(`organization.${id}`, JSON.stringify(acme));
    });

    it('are waiting after 10 s and read when it answers, which the log says once each', async () => {
      hangAtOnce();
      await pass(9.999);
      assert.deepEqual([window.noCurrentReason, window.changes], ['loading', 0]);
      await pass(0.001);
      assert.deepEqual([window.noCurrentReason, window.changes], ['waiting', 1]);
      await window.ready;
      await pass(600);
      assert.deepEqual([keyring.unanswered, window.changes], [['keys'], 1], 'asked once');
      keyring.answerAll();
      await settle();
      assert.deepEqual([window.current?.name, window.changes], ['Acme', 2]);
      assert.deepEqual(window.lines, [
        'The keyring has not answered for 10 s.',
        'The keyring answered after 610 s.',
      ]);
    });

    it('are ready after 10 s at most, also when an unreadable keyring is read again', async () => {
      hangAtOnce();
      const first = outcomeOf(window.ready);
      await pass(9.999);
      assert.equal(await first(), undefined);
      await pass(0.001);
      assert.equal(await first(), 'done');
      keyring.refusal = new Error('Keyring is locked');
      keyring.answerAll();
      await settle();
      assert.equal(window.noCurrentReason, 'unreadable');
      keyring.hang();
      const again = outcomeOf(window.ready);
      await pass(10);
      assert.deepEqual([await again(), window.noCurrentReason], ['done', 'waiting']);
      keyring.refusal = undefined;
      keyring.answerAll();
      await settle();
      assert.deepEqual([window.noCurrentReason, window.current?.name], [undefined, 'Acme']);
    });

    it('are read once for all that changed in other windows meanwhile', async () => {
      let readings = 0;
      const keys = keyring.keys.bind(keyring);
      keyring.keys = () => {
        readings++;
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
      assert.deepEqual([window.current?.name, readings], ['Acme', 2]);
    });

    it('stay known if they were read before, and none is changed before it answers', async () => {
      window = open(keyring);
      await window.ready;
      keyring.hang();
      keyring.changed.fire({ key: `organization.${id}` });
      await pass(10);
      assert.equal(window.current?.name, 'Acme');
      await assert.rejects(window.ensureKeyringAnswers(), /has not answered for 10 seconds/);
      await assert.rejects(window.signIn(second), /^UserError: Nothing was changed, because/);
      keyring.answerAll();
      await settle();
      await window.ensureKeyringAnswers();
      assert.equal(window.current?.name, 'Acme');
    });

    it('of the environment are current at once, unless another one was chosen', async () => {
      hangAtOnce({ env: variables });
      await window.currentReady;
      assert.equal(window.current?.name, 'environment');
      await pass(10);
      assert.equal(window.current?.name, 'environment');
      const other = open(keyring, { env: variables, chosen: id });
      await settle();
      assert.equal(other.noCurrentReason, 'loading');
      other.clock.pass(10_000);
      assert.equal(other.noCurrentReason, 'waiting');
    });

    it('are neither saved nor changed by what waited for the first reading', async () => {
      hangAtOnce();
      const changes = [
        window.signIn(second),
        window.replaceToken(id, 'tok-2'),
        window.setSessionToken(id, 'ses-1'),
        window.signOut(id),
      ].map(outcomeOf);
      await pass(10);
      for (const change of changes) {
        assert.match(
          (await change()) ?? '',
          /^Nothing was changed, because VS Code’s secret storage has not answered/,
        );
      }
      keyring.answerAll();
      await settle();
      assert.deepEqual([window.names(), window.tokens(id)], [['Acme'], [acme.token, acme.token]]);
      assert.deepEqual(stored(), [id]);
      assert.deepEqual(shown.messages, []);
    });

    it('are not saved if it answers late when it is read for that', async () => {
      window = open(keyring);
      await window.ready;
      keyring.hang(/^get/);
      const saving = outcomeOf(window.replaceToken(id, 'tok-2'));
      await pass(10);
      assert.match(
        (await saving()) ?? '',
        /^Nothing was changed, because VS Code’s secret storage has not answered/,
      );
      keyring.answerAll();
      await settle();
      assert.deepEqual(
        [window.tokens(id)[0], keyring.values.get(`organization.${id}`)],
        [acme.token, JSON.stringify(acme)],
      );
    });

    const withSessionToken =
      '{"name":"Acme","baseUrl":"https://host.example/api/v1","token":"tok-1234","sessionToken":"ses-1"}';
    for (const [change, act, told, isDone, ...buttons] of [
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
        () => window.tokens(id)[0] === 'tok-2',
      ],
      [
        'another token by base URL and name',
        () => window.signIn({ ...acme, token: 'tok-2' }),
        'The token for “Acme” was replaced after all.',
        () => window.tokens(id)[0] === 'tok-2',
      ],
      [
        'a session token',
        () => window.setSessionToken(id, 'ses-2'),
        'The user session token for “Acme” was saved after all.',
        () => window.tokens(id)[1] === 'ses-2',
      ],
      [
        'the end of a session token',
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
      describe(`after ${change} that it confirms late,`, () => {
        let outcome: ReturnType<typeof outcomeOf>;
        beforeEach(async () => {
          keyring.values.set(`organization.${id}`, withSessionToken);
          window = open(keyring);
          await window.ready;
          keyring.hang(/^(store|delete)/);
          outcome = outcomeOf(act());
          await pass(10);
        });

        it('say that it may still take effect, and once that it did', async () => {
          assert.match(
            (await outcome()) ?? '',
            /has not confirmed the change for “\w+” .* It may still take effect/,
          );
          assert.deepEqual([shown.messages, isDone()], [[], false]);
          await pass(60);
          keyring.answerAll();
          await pass(60);
          assert.deepEqual(shown.messages, [['information', told, ...buttons]]);
          assert.ok(isDone());
        });

        it('say once what it reported, and change nothing', async () => {
          const before = [window.list, stored(), window.tokens(id)];
          keyring.refusal = new Error('Keyring is locked (ses-2).');
          keyring.answerAll();
          await pass(60);
          assert.equal(shown.messages.length, 1);
          const [kind, text] = shown.messages[0]!;
          assert.equal(kind, 'error');
          assert.match(
            text!,
            /^Nothing was changed for “\w+” after all, because the keyring reported: Keyring is locked/,
          );
          assert.deepEqual([window.list, stored(), window.tokens(id)], before);
        });
      });
    }

    it('are current after a late sign-in only if there is no other', async () => {
      keyring.values.clear();
      window = open(keyring);
      await window.ready;
      keyring.hang(/^store/);
      const signingIn = outcomeOf(window.signIn(acme));
      await pass(10);
      assert.match((await signingIn()) ?? '', /may still take effect/);
      keyring.answerAll();
      await settle();
      assert.equal(window.current?.name, 'Acme');
      assert.deepEqual([...window.workspaceState.values], []);
    });

    it('show that a command waits for them after a moment', async () => {
      hangAtOnce();
      const waiting = outcomeOf(window.waitForSignIns());
      await pass(0.9);
      assert.deepEqual(shown.progress, []);
      await pass(0.1);
      assert.deepEqual(shown.progress, ['Waiting for VS Code’s secret storage']);
      keyring.answerAll();
      assert.equal(await waiting(), 'done');
      await pass(10);
      assert.deepEqual([window.current?.name, window.lines], ['Acme', []]);
    });
  });
});
