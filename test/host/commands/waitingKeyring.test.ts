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
  type Shown,
  settle,
} from '../../support/window/windowRecorder.js';

const sentence =
  /^UserError: VS Code’s secret storage has not answered for 10 seconds\. If a prompt asks/;
const never = new vscode.CancellationTokenSource().token;

const needy = [
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

describe('while the keyring does not answer,', () => {
  let platform: Platform;
  let graph: Graph;
  let clock: ManualClock;
  let shown: Shown;
  let answers: Answer[];

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
  /** Questions and notifications. */
  const asked = () => [
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

  for (const command of needy) {
    it(`${command} says so after 10 s, and does nothing later`, async () => {
      const outcomes: string[] = [];
      const run = () =>
        graph
          .run(command, 'dep_1')
          .then(String, (error: UserError) => outcomes.push(String(error)));
      void run();
      await pass(9.999);
      assert.deepEqual([outcomes, shown.progress], [[], ['Waiting for VS Code’s secret storage']]);
      await pass(0.001);
      assert.match(outcomes.join(), sentence);
      // Once it is known to be waiting, at once.
      await run();
      assert.match(outcomes[1] ?? '', sentence);
      await keyringAnswers();
      assert.equal(graph.services.organizations.current?.name, 'Acme');
      assert.deepEqual([asked(), outcomes.length, platform.requests.length], [[], 2, 0]);
    });
  }

  it('a command that waits runs when the keyring answers within 10 s', async () => {
    const checking = graph.run('checkConnection');
    await pass(9);
    await keyringAnswers();
    await checking;
    assert.equal(shown.messages.flat()[1], 'Connection OK.');
  });

  it('the error offers to reload the window and shows the log', async () => {
    await pass(10);
    const error: unknown = await graph.run('checkConnection').catch((one: unknown) => one);
    assert.ok(error instanceof UserError);
    const titles = error.actions.map(({ title }) => title);
    assert.deepEqual(titles, ['Reload Window', 'Show Log']);
  });

  it('Add Deployment asks, since it needs no keyring', async () => {
    await pass(10);
    await graph.run('addDeployment');
    assert.match(shown.inputs[0] ?? '', /^Deployment ID, .* Will be read when you sign in\.$/);
  });

  it('a tool says so', async () => {
    const tool = graph.app.tools[toolNames.listProblems];
    const answering = async () => {
      await tool.prepareInvocation?.({ input: {} }, never);
      const result = await tool.invoke({ input: {}, toolInvocationToken: undefined }, never);
      return JSON.stringify(result?.content);
    };
    const answer = answering();
    await pass(10);
    assert.match(await answer, /VS Code’s secret storage has not answered for 10 seconds/);
    await keyringAnswers();
    assert.match(await answering(), /deployments/);
  });

  it('the Accounts menu lists what is known after 10 s, and the rest when it answers', async () => {
    const menu = new AccountsMenu(graph.services.organizations, () => assert.fail());
    atEndOfTest(() => menu.dispose());
    const added: string[] = [];
    menu.onDidChangeSessions((change) => added.push(...(change.added ?? []).map(({ id }) => id)));
    const sessions = menu.getSessions([], {});
    await pass(10);
    assert.deepEqual([await sessions, added], [[], []]);
    await keyringAnswers();
    assert.deepEqual(added, ['a']);
  });

  it('Sign Out of a late sign-in asks about that one', async () => {
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
    await assert.rejects(
      graph.run('signOut', { organizationId: 'gone' }),
      /^UserError: This organization is signed out/,
    );
  });

  describe('with the organization of the environment,', () => {
    beforeEach(() => open(platform.env));

    it('Check Connection checks at once', async () => {
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
      const tool = graph.app.tools[toolNames.listProblems];
      await tool.prepareInvocation?.({ input: {} }, never);
      const result = await tool.invoke({ input: {}, toolInvocationToken: undefined }, never);
      assert.match(JSON.stringify(result?.content), /deployments/);
    });

    it('Look Up Install asks at once', async () => {
      await graph.run('lookUpInstall');
      assert.match(shown.inputs.join('\n'), /^Install link or token, /);
    });

    for (const command of ['revokeApiKey', 'addDeployment'] as const) {
      it(`${command} waits 10 s for tokens that are no IDs, and then asks`, async () => {
        const running = graph.run(command);
        await pass(9.999);
        assert.deepEqual(shown.inputs, []);
        await pass(0.001);
        await running;
        assert.equal(shown.inputs.length, 1);
      });
    }

    it('Set User Session Token says at once that it is read-only', async () => {
      await assert.rejects(
        graph.run('setSessionToken'),
        /^UserError: The organization “environment” is read-only\./,
      );
    });

    it('Sign In and Sign Out say so before any question', async () => {
      await pass(10);
      for (const command of ['signIn', 'signOut'] as const)
        await assert.rejects(graph.run(command), sentence);
      assert.deepEqual(asked(), []);
    });

    it('Switch Organization lists it and says that sign-ins are missing', async () => {
      await pass(10);
      await graph.run('switchOrganization');
      assert.equal(
        shown.picks.at(-1)?.detail,
        'Sign-ins are missing until VS Code’s secret storage can be read.',
      );
      assert.deepEqual(
        shown.picks.map(({ label }) => label),
        ['environment (from environment variables)', 'Sign In...'],
      );
    });
  });
});
