import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Target } from '../../../src/api/call.js';
import { outcomeWords, sendRevocation } from '../../../src/commands/revokeApiKey.js';
import type { Organization } from '../../../src/host/organizations/organization.js';
import { DEFAULT_TOKEN, healthy } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { page } from '../../support/platform/onTheWay.js';
import { openAnotherTab, startWorld, type World } from '../../support/window/graph.js';
import { notificationsOf, recordWindow, replace } from '../../support/window/windowRecorder.js';

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
  const methods = () => platform.requests.map(({ method, route }) => `${method} ${route.id}`);

  it('that a web filter refuses is probably refused on the way, in notification and log', async () => {
    platform.fault('all', page(403, 'Blocked'));
    const [said] = await notificationsOf(send);
    const words =
      'was probably not revoked: the request was refused, probably on the way. Not from the platform (403).';
    assert.ok(said![1]!.startsWith(`API key ${keyId} in Acme ${words}`), said![1]);
    assert.match(
      graph.lines.join('\n'),
      /in organization "Acme": refused, probably on the way \(403 notFromPlatform\)/,
    );
  });

  it('that is not permitted offers to switch organizations, as its message says', async () => {
    platform.fault('all', faults.status(403));
    const [[kind, message, ...buttons] = []] = await notificationsOf(send);
    assert.match(
      message!,
      /Sign in with a token that has this permission, or switch organizations\.$/,
    );
    assert.deepEqual([kind, buttons], ['error', ['Switch Organization...', 'Show Log']]);
  });

  it('that is refused with the page that all deployments get is refused on the way, too', async () => {
    for (const id of ['dep_1', 'dep_2']) platform.putDeployment(id, healthy());
    await graph.read('dep_1', 'dep_2');
    platform.fault('all', page(403, 'Blocked'));
    await graph.services.store.refresh();
    const [said] = await notificationsOf(send);
    assert.match(said![1]!, /probably on the way\. Not from the platform \(403\)\./);
  });

  it('that is answered with a web page has an unknown outcome', async () => {
    platform.fault('all', page(200, 'Sign in'));
    const [said] = await notificationsOf(send);
    assert.match(
      said![1]!,
      /^Outcome unknown: .* Not from the platform \(200\)\. Look for the key in the dashboard/,
    );
  });

  it('is sent once; a notification with a button names the whole key ID and the outcome, the log a shortened one', async () => {
    const said = await notificationsOf(async () => {
      const managed = faults.text(503, `The key ${keyId} of ${DEFAULT_TOKEN}\nis managed by SCIM.`);
      for (const fault of [undefined, undefined, faults.status(202), managed, faults.reset()]) {
        platform.clearFaults();
        if (fault) platform.fault('all', fault);
        await send();
      }
    });
    const key = `API key ${keyId} in Acme`;
    const may = `Outcome unknown: ${key} may have been revoked.`;
    const look = 'Look for the key in the dashboard, or revoke it again.';
    assert.deepEqual(said, [
      ['information', `Revoked ${key}.`, 'Revoke Another...', 'Show Log'],
      [
        'error',
        `${key} was not revoked. Not found (404). The key ID is probably unknown, or the key is already revoked. Check the key ID in the dashboard.`,
        'Show Log',
      ],
      ['error', `${may} The platform responded with 202. ${look}`, 'Show Log'],
      ['error', `${may} Server error (503). ${look}`, 'Show Log'],
      ['error', `${may} Connection lost. ${look}`, 'Show Log'],
    ]);
    assert.deepEqual(methods(), Array(5).fill(`DELETE ${keyId}`));
    assert.equal(platform.data.apiKeys.size, 0);
    const logged = 'Revocation of API key key_…cdef in organization "Acme": ';
    const outcomes = graph.lines
      .filter((line) => line.startsWith(logged))
      .map((line) => line.slice(logged.length));
    assert.deepEqual(outcomes, [
      'revoked (204)',
      'refused (404 notFound). Response: “{"error":{"code":"http_404","message":"Not Found"}}”',
      'outcome unknown (202)',
      'outcome unknown (503 serverError). Response: “The key [redacted] of [redacted] is managed by SCIM.”',
      'outcome unknown (connectionLost)',
    ]);
    const { sentence } = outcomeWords(
      { kind: 'notSent', failure: { kind: 'cancelled' } },
      keyId,
      organization,
    );
    assert.equal(sentence, `${key} was not revoked. Nothing was sent. Cancelled.`);
  });

  it('is not sent if its organization changed', async () => {
    await signIn('Acme', 'another-token');
    await assert.rejects(send(), /Nothing was sent/);
    assert.deepEqual(methods(), []);
  });

  it('is not sent after a sign-out in another tab of the browser', async () => {
    await (await openAnotherTab(graph)).signOut(organization.id);
    await assert.rejects(send(), /^UserError: Nothing was sent, because “Acme” is signed out\.$/);
    assert.deepEqual(methods(), []);
  });

  it('is not sent after a sign-out in another tab of which this one learns only after it got the focus', async () => {
    const { organizations } = graph.services;
    const another = await openAnotherTab(graph);
    void organizations.catchUp();
    const sending = send();
    await another.signOut(organization.id);
    await assert.rejects(sending, /^UserError: Nothing was sent, because “Acme” is signed out\.$/);
    assert.deepEqual(methods(), []);
  });

  it('is in the log with its outcome before its progress has closed', async () => {
    recordWindow();
    const { withProgress } = vscode.window;
    let logged: string[] = [];
    replace(vscode.window, {
      withProgress: async (
        options: vscode.ProgressOptions,
        task: Parameters<typeof withProgress>[1],
      ) => {
        await withProgress(options, task);
        logged = graph.lines.filter((line) => line.includes('Revocation of API key'));
      },
    });
    platform.fault('all', { ...faults.status(403), latency: 700 });
    await send();
    assert.equal(logged.length, 1);
  });

  it('keeps its outcome where VS Code cannot show its progress', async () => {
    platform.fault('all', { ...faults.status(204), latency: 700 });
    const said = await notificationsOf(async () => {
      replace(vscode.window, {
        withProgress: () => {
          throw new Error('no window');
        },
      });
      await send();
    });
    assert.match(said[0]![1]!, /^Revoked API key/);
  });

  it('is not sent after its token was replaced in another tab of the browser, which a reload helps', async () => {
    await (await openAnotherTab(graph)).replaceToken(organization.id, 'another-token');
    const said = await notificationsOf(() => graph.app.run('revokeApiKey', [keyId]));
    const sentence =
      'Nothing was sent, because the tokens for “Acme” were changed in another window. Reload this window to use them.';
    assert.deepEqual(said, [['error', sentence, 'Reload Window']]);
    await assert.rejects(send(), new RegExp(sentence));
    assert.deepEqual(methods(), []);
  });
});
