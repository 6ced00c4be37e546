import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Target } from '../../../src/api/call.js';
import { outcomeWords, sendRevocation } from '../../../src/commands/revokeApiKey.js';
import type { Organization } from '../../../src/host/organizations/organization.js';
import { DEFAULT_TOKEN, healthy } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { page } from '../../support/platform/onTheWay.js';
import { openAnotherTab, startWorld, type World } from '../../support/window/graph.js';
import {
  notificationsOf,
  recordWindow,
  rejectionOf,
  replace,
} from '../../support/window/windowRecorder.js';

const keyId = 'key_0123456789abcdef';

describe('a confirmed revocation', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let signIn: World['signIn'];
  let organization: Organization;
  let target: Target;

  beforeEach(async () => {
    ({ platform, graph, signIn } = await startWorld());
    platform.data.apiKeys.add(keyId);
    await signIn();
    const { organizations } = graph.services;
    organization = organizations.current!;
    target = organizations.target(organization.id, 'access')!;
  });

  const send = () => sendRevocation(graph.services, organization, target, keyId);
  const sentRequests = () => platform.requests.map(({ method, route }) => `${method} ${route.id}`);
  /** Sends the revocation. Returns the kind, the sentence, and the buttons of the notification. */
  const notificationOfSend = async () => {
    const [[kind = '', message = '', ...buttons] = []] = await notificationsOf(send);
    return { kind, message, buttons };
  };
  /** What the log says of the outcome. */
  const loggedOutcomes = () => {
    const start = 'Revocation of API key key_…cdef in organization "Acme": ';
    return graph.lines
      .filter((line) => line.startsWith(start))
      .map((line) => line.slice(start.length));
  };

  describe('after a 403 of a web filter', () => {
    beforeEach(() => platform.fault('all', page(403, 'Blocked')));

    it('says that the request was refused on the way', async () => {
      const { message } = await notificationOfSend();

      assert.match(
        message,
        /^API key key_0123456789abcdef in Acme was probably not revoked: the request was refused, probably on the way\. Not from the platform \(403\)\./,
      );
    });

    it('logs that the request was refused on the way', async () => {
      await send();

      assert.match(
        loggedOutcomes().join('\n'),
        /^refused, probably on the way \(403 notFromPlatform\)/,
      );
    });

    it('says the same when all deployments get this page', async () => {
      for (const id of ['dep_1', 'dep_2']) platform.putDeployment(id, healthy());
      platform.clearFaults();
      await graph.read('dep_1', 'dep_2');
      platform.fault('all', page(403, 'Blocked'));
      await graph.services.store.refresh();

      const { message } = await notificationOfSend();

      assert.match(message, /probably on the way\. Not from the platform \(403\)\./);
    });
  });

  it('offers to switch organizations after a 403 of the platform', async () => {
    platform.fault('all', faults.status(403));

    const { kind, message, buttons } = await notificationOfSend();

    assert.equal(kind, 'error');
    assert.match(
      message,
      /Sign in with a token that has this permission, or switch organizations\.$/,
    );
    assert.deepEqual(buttons, ['Switch Organization...', 'Show Log']);
  });

  it('has an unknown outcome after a web page with 200', async () => {
    platform.fault('all', page(200, 'Sign in'));

    const { message } = await notificationOfSend();

    assert.match(
      message,
      /^Outcome unknown: .* Not from the platform \(200\)\. Look for the key in the dashboard/,
    );
  });

  const key = `API key ${keyId} in Acme`;
  const unknown = `Outcome unknown: ${key} may have been revoked.`;
  const nextStep = 'Look for the key in the dashboard, or revoke it again.';
  for (const { when, answer, notification, outcome } of [
    {
      when: 'when the platform revokes the key',
      answer: () => {},
      notification: ['information', `Revoked ${key}.`, 'Revoke Another...', 'Show Log'],
      outcome: 'revoked (204)',
    },
    {
      when: 'when the platform does not know the key',
      answer: () => platform.data.apiKeys.clear(),
      notification: [
        'error',
        `${key} was not revoked. Not found (404). The key ID is probably unknown, or the key is already revoked. Check the key ID in the dashboard.`,
        'Show Log',
      ],
      outcome:
        'refused (404 notFound). Response: “{"error":{"code":"http_404","message":"Not Found"}}”',
    },
    {
      when: 'after a 202',
      answer: () => platform.fault('all', faults.status(202)),
      notification: [
        'error',
        `${unknown} The platform responded with 202. ${nextStep}`,
        'Show Log',
      ],
      outcome: 'outcome unknown (202)',
    },
    {
      when: 'after a 503',
      answer: () =>
        platform.fault(
          'all',
          faults.text(503, `The key ${keyId} of ${DEFAULT_TOKEN}\nis managed by SCIM.`),
        ),
      notification: ['error', `${unknown} Server error (503). ${nextStep}`, 'Show Log'],
      outcome:
        'outcome unknown (503 serverError). Response: “The key [redacted] of [redacted] is managed by SCIM.”',
    },
    {
      when: 'after a lost connection',
      answer: () => platform.fault('all', faults.reset()),
      notification: ['error', `${unknown} Connection lost. ${nextStep}`, 'Show Log'],
      outcome: 'outcome unknown (connectionLost)',
    },
  ]) {
    it(`names the whole key ID and the outcome in its notification ${when}`, async () => {
      answer();

      const messages = await notificationsOf(send);

      assert.deepEqual(messages, [notification]);
    });

    it(`logs the outcome with a shortened key ID ${when}`, async () => {
      answer();

      await send();

      assert.deepEqual(loggedOutcomes(), [outcome]);
    });

    it(`sends one request ${when}`, async () => {
      answer();

      await send();

      assert.deepEqual(sentRequests(), [`DELETE ${keyId}`]);
    });
  }

  it('revokes the key on the platform', async () => {
    await send();

    assert.deepEqual([...platform.data.apiKeys], []);
  });

  it('has a sentence for a cancelled request', () => {
    const { sentence } = outcomeWords(
      { kind: 'notSent', failure: { kind: 'cancelled' } },
      keyId,
      organization,
    );

    assert.equal(sentence, `${key} was not revoked. Nothing was sent. Cancelled.`);
  });

  it('is not sent when its organization has changed', async () => {
    await signIn('Acme', 'another-token');

    assert.match(await rejectionOf(send()), /Nothing was sent/);
    assert.deepEqual(sentRequests(), []);
  });

  it('is not sent after a sign-out in another tab of the browser', async () => {
    const anotherTab = await openAnotherTab(graph);
    await anotherTab.signOut(organization.id);

    assert.match(await rejectionOf(send()), /^Nothing was sent, because “Acme” is signed out\.$/);
    assert.deepEqual(sentRequests(), []);
  });

  it('is not sent when another tab signs out while this tab catches up', async () => {
    const { organizations } = graph.services;
    const anotherTab = await openAnotherTab(graph);
    void organizations.catchUp();
    const sending = send();

    await anotherTab.signOut(organization.id);

    assert.match(await rejectionOf(sending), /^Nothing was sent, because “Acme” is signed out\.$/);
    assert.deepEqual(sentRequests(), []);
  });

  it('is logged before its progress has closed', async () => {
    recordWindow();
    const { withProgress } = vscode.window;
    let linesAtEndOfProgress: string[] = [];
    replace(vscode.window, {
      withProgress: async (
        options: vscode.ProgressOptions,
        task: Parameters<typeof withProgress>[1],
      ) => {
        await withProgress(options, task);
        linesAtEndOfProgress = loggedOutcomes();
      },
    });
    platform.fault('all', { ...faults.status(403), latency: 700 });

    await send();

    assert.match(linesAtEndOfProgress.join('\n'), /^refused \(403 .*$/);
  });

  it('notifies of its outcome when VS Code cannot show its progress', async () => {
    platform.fault('all', { ...faults.status(204), latency: 700 });

    const [notification] = await notificationsOf(async () => {
      replace(vscode.window, {
        withProgress: () => {
          throw new Error('no window');
        },
      });
      await send();
    });

    assert.match(notification![1]!, /^Revoked API key/);
  });

  describe('with a token that another tab replaced', () => {
    const sentence =
      'Nothing was sent, because the tokens for “Acme” were changed in another window. Reload this window to use them.';
    beforeEach(async () => {
      const anotherTab = await openAnotherTab(graph);
      await anotherTab.replaceToken(organization.id, 'another-token');
    });

    it('is not sent', async () => {
      await assert.rejects(send(), new RegExp(sentence));
      assert.deepEqual(sentRequests(), []);
    });

    it('offers to reload the window', async () => {
      const messages = await notificationsOf(() => graph.app.run('revokeApiKey', [keyId]));

      assert.deepEqual(messages, [['error', sentence, 'Reload Window']]);
      assert.deepEqual(sentRequests(), []);
    });
  });
});
