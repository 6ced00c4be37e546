import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { UserError } from '../../../src/host/actions.js';
import { toolNames } from '../../../src/host/ids.js';
import { AccountsMenu } from '../../../src/host/organizations/accountsMenu.js';
import { ManualClock } from '../../support/manualClock.js';
import { DEFAULT_TOKEN, healthy } from '../../support/platform/data.js';
import type { Platform } from '../../support/platform/platform.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { createGraph, type Graph, platformOfTest } from '../../support/window/graph.js';
import {
  type Answer,
  recordWindow,
  rejectionOf,
  type Shown,
  settle,
} from '../../support/window/windowRecorder.js';

const keyringError =
  /^UserError: VS Code’s secret storage has not answered for 10 seconds\. If a prompt asks/;
const neverCancelled = new vscode.CancellationTokenSource().token;

const commandsWithKeyring = [
  'signIn',
  'switchOrganization',
  'setSessionToken',
  'signOut',
  'refresh',
  'refreshDeployment',
  'goToDeployment',
  'muteProblem',
  'unmuteProblem',
  'notifyWhenFixed',
  'stopNotifying',
  'openInDashboard',
  'lookUpInstall',
  'revokeApiKey',
  'checkConnection',
  'revealDeployment',
] as const;

describe('while the keyring hangs', () => {
  let platform: Platform;
  let graph: Graph;
  let clock: ManualClock;
  let shown: Shown;
  let answers: Answer[];

  /** Creates a graph with a listed deployment, whose keyring does not answer. */
  const open = (env?: NodeJS.ProcessEnv) => {
    clock = new ManualClock();
    graph = createGraph(env, { clock });
    graph.context.secrets.hang();
    graph.services.store.setListed([{ id: 'dep_1' }]);
  };
  const pass = async (seconds: number) => {
    await settle();
    clock.pass(seconds * 1000);
    await settle();
  };
  const keyringAnswers = async () => {
    graph.context.secrets.answerAll();
    await settle();
  };
  const shownQuestionsAndMessages = () => [
    ...shown.titles,
    ...shown.inputs,
    ...shown.messages,
    ...shown.statusMessages,
  ];

  beforeEach(async () => {
    platform = await platformOfTest();
    platform.putDeployment('dep_1', healthy());
    answers = [];
    shown = recordWindow(() => answers.shift());
    open();
    const stored = { name: 'Acme', baseUrl: platform.baseUrl, token: DEFAULT_TOKEN };
    graph.context.secrets.values.set('organization.a', JSON.stringify(stored));
  });

  for (const command of commandsWithKeyring) {
    /** Runs the command. The list gets an error when the command is refused. */
    const run = (errors: string[]) =>
      graph.run(command, 'dep_1').catch((error: unknown) => {
        errors.push(String(error));
      });

    describe(command, () => {
      it('shows progress before it is refused after 10 s', async () => {
        const errors: string[] = [];
        const running = run(errors);

        await pass(9.999);
        assert.deepEqual(errors, [], 'The command still waits.');
        assert.deepEqual(shown.progress, ['Waiting for VS Code’s secret storage']);
        await pass(0.001);
        await running;

        assert.match(errors.join('\n'), keyringError);
      });

      it('is refused at once after these 10 s', async () => {
        await pass(10);
        const errors: string[] = [];

        await run(errors);

        assert.match(errors.join('\n'), keyringError);
      });

      it('does nothing when the keyring answers after the refusal', async () => {
        const errors: string[] = [];
        void run(errors);
        await pass(10);
        void run(errors);
        await settle();

        await keyringAnswers();

        assert.equal(graph.services.organizations.current?.name, 'Acme');
        assert.equal(errors.length, 2, errors.join('\n'));
        assert.deepEqual(shownQuestionsAndMessages(), []);
        assert.deepEqual(platform.requests, []);
      });
    });
  }

  it('a command runs when the keyring answers within 10 s', async () => {
    const checking = graph.run('checkConnection');
    await pass(9);
    await keyringAnswers();
    await checking;

    assert.equal(shown.messages.flat()[1], 'Connection OK.');
  });

  it('the error offers Reload Window and Show Log', async () => {
    await pass(10);

    const error: unknown = await graph.run('checkConnection').catch((reason: unknown) => reason);

    assert.ok(error instanceof UserError, `not refused: ${String(error)}`);
    const titles = error.actions.map(({ title }) => title);
    assert.deepEqual(titles, ['Reload Window', 'Show Log']);
  });

  it('Add Deployment asks for an ID', async () => {
    await pass(10);

    await graph.run('addDeployment');

    assert.match(shown.inputs[0] ?? '', /^Deployment ID, .* Will be read when you sign in\.$/);
  });

  const resultOfTool = async () => {
    const tool = graph.app.tools[toolNames.listProblems];
    await tool.prepareInvocation?.({ input: {} }, neverCancelled);
    const result = await tool.invoke({ input: {}, toolInvocationToken: undefined }, neverCancelled);
    return JSON.stringify(result?.content);
  };

  it('a tool for language models answers with the error after 10 s', async () => {
    const result = resultOfTool();
    await pass(10);

    assert.match(await result, /VS Code’s secret storage has not answered for 10 seconds/);
  });

  it('a tool for language models works again when the keyring answers', async () => {
    await pass(10);
    await keyringAnswers();

    assert.match(await resultOfTool(), /deployments/);
  });

  describe('the Accounts menu', () => {
    let addedIds: string[];
    let sessions: ReturnType<AccountsMenu['getSessions']>;
    beforeEach(async () => {
      const menu = new AccountsMenu(graph.services.organizations, () => assert.fail());
      atEndOfTest(() => menu.dispose());
      addedIds = [];
      menu.onDidChangeSessions(({ added = [] }) => addedIds.push(...added.map(({ id }) => id)));
      sessions = menu.getSessions([], {});
      await pass(10);
    });

    it('is empty after 10 s', async () => {
      assert.deepEqual(await sessions, []);
      assert.deepEqual(addedIds, []);
    });

    it('adds the sign-ins when the keyring answers', async () => {
      await sessions;

      await keyringAnswers();

      assert.deepEqual(addedIds, ['a']);
    });
  });

  it('Sign Out asks about a sign-in that was saved late', async () => {
    await keyringAnswers();
    const { organizations } = graph.services;
    graph.context.secrets.hang(/^store/);
    const failed = assert.rejects(
      organizations.signIn({ name: 'Other', baseUrl: platform.baseUrl, token: DEFAULT_TOKEN }),
      /may still take effect/,
    );
    await pass(10);
    await failed;
    await keyringAnswers();
    const { id } = organizations.list.find(({ name }) => name === 'Other')!;
    await graph.run('signOut', { organizationId: id });

    assert.match(shown.messages.at(-1)?.[1] ?? '', /^Sign out of “Other”\?/);
  });

  it('Sign Out is refused for an organization that is signed out', async () => {
    await keyringAnswers();

    assert.match(
      await rejectionOf(graph.run('signOut', { organizationId: 'gone' })),
      /^This organization is signed out/,
    );
  });

  describe('with an environment token', () => {
    beforeEach(() => open(platform.env));

    it('Check Connection connects at once', async () => {
      await graph.run('checkConnection');
      assert.equal(shown.messages.flat()[1], 'Connection OK.');
    });

    it('Refresh reads at once', async () => {
      await graph.run('refresh');
      assert.deepEqual(
        platform.requests.map(({ route }) => route.id),
        ['dep_1'],
      );
      assert.equal(graph.services.store.get('dep_1')?.state, 'satisfied');
    });

    it('a tool answers at once', async () => {
      assert.match(await resultOfTool(), /deployments/);
    });

    it('Look Up Install asks at once', async () => {
      await graph.run('lookUpInstall');
      assert.match(shown.inputs.join('\n'), /^Install link or token, /);
    });

    for (const command of ['revokeApiKey', 'addDeployment'] as const) {
      // Both refuse known tokens as IDs, which are in the keyring.
      it(`${command} asks after 10 s`, async () => {
        const running = graph.run(command);
        await pass(9.999);
        assert.deepEqual(shown.inputs, [], 'The command still waits.');
        await pass(0.001);
        await running;

        assert.equal(shown.inputs.length, 1, shown.inputs.join('\n'));
      });
    }

    it('Set User Session Token is refused at once', async () => {
      assert.match(
        await rejectionOf(graph.run('setSessionToken')),
        /^The organization “environment” is read-only\./,
      );
    });

    for (const command of ['signIn', 'signOut'] as const) {
      it(`${command} is refused before any question`, async () => {
        await pass(10);

        await assert.rejects(graph.run(command), keyringError);
        assert.deepEqual(shownQuestionsAndMessages(), []);
      });
    }

    it('Switch Organization offers this organization', async () => {
      await pass(10);

      await graph.run('switchOrganization');

      assert.deepEqual(
        shown.picks.map(({ label }) => label),
        ['environment (from environment variables)', 'Sign In...'],
      );
    });

    it('Switch Organization names missing sign-ins', async () => {
      await pass(10);

      await graph.run('switchOrganization');

      assert.equal(
        shown.picks.at(-1)?.detail,
        'Sign-ins are missing until VS Code’s secret storage can be read.',
      );
    });
  });
});
