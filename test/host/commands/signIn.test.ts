import { strict as assert } from 'node:assert';
import { signInAction, UserError } from '../../../src/host/actions.js';
import { firstRows } from '../../../src/model/tree/roots.js';
import { DEFAULT_TOKEN } from '../../support/platform/data.js';
import { type Fault, faults } from '../../support/platform/faults.js';
import { onTheWay, page } from '../../support/platform/onTheWay.js';
import type { Platform } from '../../support/platform/platform.js';
import { startPlain } from '../../support/platform/tlsPeers.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { createGraph, type Graph, platformOfTest } from '../../support/window/graph.js';
import {
  type Answer,
  enter,
  recordWindow,
  rejectionOf,
  type Shown,
  settle,
} from '../../support/window/windowRecorder.js';

const token = 'new-token-4f1c77ab';
const wrong = 'wrong-token-0815';

describe('Sign In', () => {
  let platform: Platform;
  let graph: Graph;
  let shown: Shown;
  let answers: Answer[];
  /** How many requests were sent before each question. */
  let requestsBeforeQuestions: number[];

  beforeEach(async () => {
    platform = await platformOfTest();
    platform.putToken(token);
    graph = createGraph();
    answers = [];
    requestsBeforeQuestions = [];
    shown = recordWindow(() => {
      requestsBeforeQuestions.push(platform.requests.length);
      return answers.shift();
    });
  });
  /** Signs in with these answers, and dismisses the questions after them. Returns the ID of the organization. */
  const signIn = (...given: Answer[]) => {
    answers = given;
    return graph.run('signIn');
  };
  /** Asserts that a box has said this sentence. */
  const assertSaid = (sentence: string) => {
    const sentences = shown.inputs.filter((text) => text === sentence);
    assert.deepEqual(
      [...new Set(sentences)],
      [sentence],
      `What was said:\n${shown.inputs.join('\n')}`,
    );
  };
  const labels = () => shown.picks.map(({ label }) => label);
  /** The reason in the list after a failed try. */
  const shownReason = () => shown.picks.find(({ label }) => label === 'Try Again')?.detail;
  const savedNames = () => graph.services.organizations.list.map(({ name }) => name);
  const savedToken = (id?: string | void) =>
    graph.services.organizations.target(id!, 'access')?.token;

  it('makes the new organization the current one', async () => {
    const id = await signIn(platform.baseUrl, token, 'Acme');

    assert.equal(id, graph.services.organizations.current?.id);
  });

  it('tries the token before it asks for a name', async () => {
    await signIn(platform.baseUrl, token, 'Acme');

    assert.deepEqual(requestsBeforeQuestions, [0, 0, 1]);
  });

  it('tries the token with one GET for a made-up ID', async () => {
    await signIn(platform.baseUrl, token, 'Acme');

    const requests = platform.requests.map(
      ({ method, path, headers }) => `${method} ${path} ${headers.authorization}`,
    );
    assert.deepEqual(requests, [
      `GET /api/v1/deployments/connection-check/authorization Bearer ${token}`,
    ]);
  });

  it('says in the status bar that the token was not rejected', async () => {
    await signIn(platform.baseUrl, token, 'Acme');

    const { host } = new URL(platform.baseUrl);
    assert.deepEqual(shown.statusMessages, [
      `Signed in to “Acme”. ${host} did not reject the token.`,
    ]);
    assert.deepEqual(shown.messages, []);
  });

  it('logs its request', async () => {
    await signIn(platform.baseUrl, token, 'Acme');

    assert.match(graph.lines.join('\n'), /GET .* 404/);
  });

  for (const status of [403, 429, 503]) {
    it(`saves the token after a ${status}`, async () => {
      platform.fault('all', faults.status(status));

      const id = await signIn(platform.baseUrl, token, 'Acme');

      assert.equal(savedToken(id), token);
    });

    it(`does not repeat its request after a ${status}`, async () => {
      platform.fault('all', faults.status(status));

      await signIn(platform.baseUrl, token, 'Acme');

      assert.equal(platform.requests.length, 1);
    });

    it(`does not pause the organization after a ${status}`, async () => {
      platform.fault('all', faults.status(status));

      await signIn(platform.baseUrl, token, 'Acme');

      assert.notEqual(graph.services.store.cause?.kind, 'paused');
    });
  }

  it('reads only listed deployments that were not read meanwhile', async () => {
    const { store } = graph.services;
    store.setListed([{ id: 'dep_1' }, { id: 'dep_2' }]);
    // The first automatic refresh may be done before the sign-in is remembered.
    graph.context.workspaceState.update = () => store.refresh(['dep_1']);
    await signIn(platform.baseUrl, token, 'Acme');
    await platform.waitForRequests(3);

    assert.deepEqual(
      platform.requests.map(({ route }) => route.id),
      ['connection-check', 'dep_1', 'dep_2'],
    );
  });

  describe('with a rejected token', () => {
    const rejected = 'Token rejected (401). Paste another token, or press Enter for more options.';

    it('asks for another token', async () => {
      const id = await signIn(platform.baseUrl, wrong);

      assert.equal(id, undefined);
      assertSaid(rejected);
    });

    it('keeps the rejected token in its box', async () => {
      await signIn(platform.baseUrl, wrong);

      assert.deepEqual(shown.offered, ['', '', wrong]);
    });

    it('saves nothing', async () => {
      await signIn(platform.baseUrl, wrong);

      assert.deepEqual(savedNames(), []);
      assert.deepEqual([...graph.context.secrets.values.keys()], []);
    });

    it('does not log the token', async () => {
      await signIn(platform.baseUrl, wrong);

      assert.doesNotMatch(graph.lines.join('\n'), new RegExp(wrong));
    });

    it('saves another token', async () => {
      const id = await signIn(platform.baseUrl, wrong, token, 'Acme');

      assert.equal(savedToken(id), token);
    });

    it('offers more options when Enter is pressed again', async () => {
      await signIn(platform.baseUrl, wrong, enter);

      assert.equal(shown.titles.at(-1), 'Sign In · Token rejected (401)');
      assert.deepEqual(labels(), ['Try Again', 'Change Token', 'Change Base URL', 'Save Anyway']);
    });

    it('does not send the token again when Enter is pressed again', async () => {
      await signIn(platform.baseUrl, wrong, enter, 'Save Anyway', 'Acme');

      assert.equal(platform.requests.length, 1);
    });

    it('saves the token after Save Anyway', async () => {
      const id = await signIn(platform.baseUrl, wrong, enter, 'Save Anyway', 'Acme');

      assert.equal(savedToken(id), wrong);
      assert.deepEqual(shown.statusMessages, [
        'Saved the token for “Acme” without a successful check.',
      ]);
    });
  });

  for (const [failure, reason, fault] of [
    [
      'Redirected (302) to other.example',
      'Redirected (302) to other.example.',
      faults.redirect('https://other.example/'),
    ],
    [
      'Proxy authentication required (407)',
      'Proxy authentication required (407).',
      faults.status(407),
    ],
    ['Connection lost', 'Connection lost.', faults.reset()],
    ['Invalid response (304)', 'Invalid response (304).', faults.noBody(304)],
    ['Invalid response (302)', 'Invalid response (302).', faults.noBody(302)],
    [
      'Not from the platform (403)',
      'Not from the platform (403). A web filter or gateway probably sent',
      page(403, 'Blocked'),
    ],
    [
      'Not from the platform (200)',
      'Not from the platform (200). A sign-in page, a web filter, or another website',
      page(200, 'App'),
    ],
  ] as const) {
    describe(`after “${failure}”`, () => {
      beforeEach(() => platform.fault('all', { ...fault, times: 1 }));

      it('leads back to the base URL with the reason', async () => {
        await signIn(platform.baseUrl, token, undefined);

        const sentence = shown.inputs.find((text) => text.startsWith(reason)) ?? '';
        assert.match(sentence, / Check the base URL\.$/, shown.inputs.join('\n'));
      });

      it('keeps the base URL and the token in its boxes', async () => {
        await signIn(platform.baseUrl, token, undefined, enter, enter);

        assert.deepEqual(shown.offered.slice(2, 4), [platform.baseUrl, token]);
      });

      it('has the reason in the title of its options', async () => {
        await signIn(platform.baseUrl, token);

        assert.equal(shown.titles[0], `Sign In · ${failure}`);
      });

      it('sends the token a second time after Try Again', async () => {
        await signIn(platform.baseUrl, token, undefined, enter, enter, 'Try Again', enter, 'Acme');

        assert.equal(platform.requests.length, 2);
        assert.deepEqual(savedNames(), ['Acme']);
      });
    });
  }

  // A healthy platform may send such a page for a made-up ID.
  it('saves the token after a web page with 400', async () => {
    platform.fault('all', page(400, 'HTTP Status 400'));

    const id = await signIn(platform.baseUrl, token, 'Acme');

    assert.equal(savedToken(id), token);
  });

  it('does not ask about a fixed base URL after a web page with 404', async () => {
    const known = { name: 'Acme', baseUrl: platform.baseUrl };
    const { id } = await graph.services.organizations.signIn({ ...known, token: DEFAULT_TOKEN });
    platform.fault('all', page(404, 'Error'));
    answers = [token];
    assert.equal(await graph.run('signIn', known), id);
    assert.deepEqual(shown.placeholders, []);
  });

  describe('after a web page with 404', () => {
    beforeEach(() => platform.fault('all', page(404, 'Error')));

    it('asks whether the base URL is right', async () => {
      await signIn(platform.baseUrl, token);

      assert.equal(shown.titles.at(-1), 'Sign In · Is the base URL right?');
      assert.equal(shownReason(), 'For a made-up ID, a web page (“Error”) was the answer (404).');
    });

    it('offers Save Anyway first', async () => {
      await signIn(platform.baseUrl, token);

      assert.deepEqual(labels(), ['Save Anyway', 'Change Base URL', 'Change Token', 'Try Again']);
    });

    it('saves the token after Save Anyway', async () => {
      const id = await signIn(platform.baseUrl, token, 'Save Anyway', 'Acme');

      assert.equal(savedToken(id), token);
    });
  });

  it('offers another base URL first when there is no TLS on the port', async () => {
    const peer = await startPlain();
    atEndOfTest(() => peer.stop());
    await signIn(`https://127.0.0.1:${peer.port}/api/v1`, token, 'Save Anyway', 'Acme');

    assert.equal(shown.titles.at(-1), 'Sign In · Unreachable (TLS)');
    assert.match(
      shownReason() ?? '',
      /^127\.0\.0\.1:\d+: no TLS on this port \(ERR_SSL_WRONG_VERSION_NUMBER\)\.$/,
    );
    assert.deepEqual(labels(), ['Change Base URL', 'Try Again', 'Change Token', 'Save Anyway']);
  });

  // VS Code shortens the placeholder of a list, but no detail of an entry.
  it('shows a long reason in the entry Try Again', async () => {
    const host = `${'long-name-of-a-host.'.repeat(5)}invalid`;
    await signIn(`https://${host}/api/v1`, token, 'Save Anyway', 'Acme');

    const [firstSentence] = (shownReason() ?? '').split('. ');
    assert.equal(firstSentence, `${host}: name not found (ENOTFOUND)`);
    assert.deepEqual(shown.placeholders, ['Select what to do next']);
  });

  it('advises to change the base URL when the host is not found', async () => {
    await signIn('https://platform.invalid/api/v1', token, 'Change Base URL', undefined);

    const reason =
      'platform.invalid: name not found (ENOTFOUND). Connect the VPN, or change the base URL.';
    assert.equal(shownReason(), reason);
    assert.equal(shown.inputs.at(-1), `Unreachable (DNS). ${reason}`);
  });

  it('advises to check the port when the port is closed', async () => {
    await platform.stop();

    await signIn(platform.baseUrl, token, 'Save Anyway', 'Acme');

    assert.match(
      shownReason() ?? '',
      /is probably not running\. Check the port in the base URL\.$/,
    );
  });

  it('does not advise to change a fixed base URL when the host is not found', async () => {
    const known = { name: 'Nowhere', baseUrl: 'https://platform.invalid/api/v1' };
    const { id } = await graph.services.organizations.signIn({ ...known, token: DEFAULT_TOKEN });
    answers = [token];
    await graph.run('signIn', { organizationId: id });

    assert.equal(shownReason(), 'platform.invalid: name not found (ENOTFOUND). Connect the VPN.');
  });

  it('offers to change the base URL when a gateway may have rejected the token', async () => {
    platform.fault('all', onTheWay['a gateway with Basic (401)'].fault);
    await signIn(platform.baseUrl, token, enter, 'Save Anyway', 'Acme');

    assert.match(shownReason() ?? '', /^If the token is right, a gateway .*Restricted/);
    assert.deepEqual(labels(), ['Change Token', 'Change Base URL', 'Save Anyway', 'Try Again']);
  });

  for (const [what, before, after] of [
    ['quotes', '"', '"'],
    ['invisible characters', '\u200b', '\u2060 '],
  ] as const) {
    it(`saves the base URL without the ${what} around it`, async () => {
      const id = await signIn(`${before}${platform.baseUrl}${after}`, token, enter);

      assert.equal(graph.services.organizations.target(id!, 'access')?.baseUrl, platform.baseUrl);
    });

    it(`proposes the host as the name when the base URL has ${what} around it`, async () => {
      await signIn(`${before}${platform.baseUrl}${after}`, token, enter);

      const { host } = new URL(platform.baseUrl);
      assert.equal(shown.offered.at(-1), host);
      assert.deepEqual(savedNames(), [host]);
    });

    it(`says to which host the token is sent when the base URL has ${what} around it`, async () => {
      await signIn(`${before}${platform.baseUrl}${after}`, token, enter);

      const { host } = new URL(platform.baseUrl);
      assert.match(shown.inputs.join('\n'), new RegExp(`sent only to ${host}\\.`));
    });
  }

  for (const [what, baseUrl, sentence] of [
    [
      'an invisible character',
      'https://host.example/api\u200b/v1',
      'A base URL cannot contain U+200B. Remove or replace it.',
    ],
    [
      'a backslash',
      'https:\\\\host.example',
      'A base URL cannot contain “\\” (U+005C). Remove or replace it.',
    ],
    [
      'two schemes',
      'https://https://host.example/api/v1',
      'Start the URL with https:// only once.',
    ],
    [
      'a host that is not written in full',
      'http://127.1/api/v1',
      'This host is not written in full. Write it out.',
    ],
    ['“..” in its path', 'https://host.example/x/../api/v1', 'Remove “.” and “..” from the path.'],
    [
      'a placeholder',
      '$(BASE_URL)',
      'This is a placeholder that was not filled in. Enter a full URL, for example https://host.example/api/v1.',
    ],
  ] as const) {
    it(`says what to correct when the base URL has ${what}`, async () => {
      const id = await signIn(baseUrl);

      assert.equal(id, undefined);
      assertSaid(sentence);
      assert.deepEqual(platform.requests, []);
    });
  }

  it('sends the token only until the request is answered', async () => {
    platform.fault('all', { ...faults.reset(), times: 2 });
    await signIn(
      platform.baseUrl,
      token,
      'Try Again',
      enter,
      'Change Token',
      enter,
      'Try Again',
      enter,
      'Acme',
    );

    assert.equal(platform.requests.length, 3);
    assert.deepEqual(savedNames(), ['Acme']);
  });

  describe('with a placeholder for a token', () => {
    const placeholder = '$(PLATFORM_TOKEN)';
    const sentence = 'This looks like a placeholder that was not filled in. Use it anyway?';
    const question = ['warning', sentence, 'Use Anyway'];

    it('asks whether to use the placeholder', async () => {
      await signIn(platform.baseUrl, placeholder);

      assert.deepEqual(shown.messages, [question]);
    });

    it('sends and saves nothing after a no', async () => {
      const id = await signIn(platform.baseUrl, placeholder);

      assert.equal(id, undefined);
      assert.deepEqual(platform.requests, []);
      assert.deepEqual(savedNames(), []);
    });

    it('keeps the placeholder in its box after a no', async () => {
      await signIn(platform.baseUrl, ` ${placeholder}`, undefined, token, 'Acme');

      assert.deepEqual(shown.offered.slice(0, 3), ['', '', ` ${placeholder}`]);
      assert.equal(platform.requests.length, 1);
      assert.deepEqual(savedNames(), ['Acme']);
    });

    it('sends the placeholder after a yes', async () => {
      await signIn(platform.baseUrl, placeholder, enter);

      assert.equal(platform.requests[0]?.headers.authorization, `Bearer ${placeholder}`);
    });

    it('does not ask a second time about the same placeholder', async () => {
      platform.fault('all', { ...faults.reset(), times: 2 });
      const furtherAnswers = [enter, 'Try Again', enter, 'Save Anyway', 'Acme'] as const;

      const id = await signIn(platform.baseUrl, placeholder, ...furtherAnswers);

      assert.deepEqual(shown.messages, [question]);
      assert.equal(savedToken(id), placeholder);
    });

    it('refuses a placeholder with spaces without a question', async () => {
      await signIn(platform.baseUrl, '<your token>');

      assertSaid('This is a placeholder that was not filled in. Paste the token itself.');
      assert.deepEqual(shown.messages, []);
      assert.deepEqual(platform.requests, []);
    });
  });

  describe('with text around the token', () => {
    const pasted = `Bearer "${token}"\u200b`;

    it('says that only the token is used', async () => {
      await signIn(platform.baseUrl, pasted, 'Acme');

      assertSaid('Only the token is used, without the text around it.');
    });

    it('sends only the token', async () => {
      await signIn(platform.baseUrl, pasted, 'Acme');

      assert.equal(platform.requests[0]?.headers.authorization, `Bearer ${token}`);
    });

    it('saves only the token', async () => {
      const id = await signIn(platform.baseUrl, pasted, 'Acme');

      assert.equal(savedToken(id), token);
    });
  });

  for (const [what, pasted, sentence] of [
    ['a letter outside of ASCII', 'tökén', 'A token cannot contain “ö” (U+00F6). Copy it again.'],
    ['an invisible character', 'tok\u200ben', 'A token cannot contain U+200B. Copy it again.'],
    ['a space', 'tok en', 'A token has no spaces or line breaks. Paste only the token.'],
  ] as const) {
    it(`refuses a token with ${what}`, async () => {
      await signIn(platform.baseUrl, pasted);

      assertSaid(sentence);
      assert.deepEqual(platform.requests, []);
    });
  }

  it('keeps the typed base URL without the token when it is dismissed', async () => {
    await signIn('https://typed.exam');
    await signIn(platform.baseUrl);
    await signIn(enter, token, 'Acme');

    const { host } = new URL(platform.baseUrl);
    assert.deepEqual(shown.offered, ['', 'https://typed.exam', '', platform.baseUrl, '', host]);
  });

  it('starts with an empty base URL after a sign-in', async () => {
    await signIn('https://typed.exam');
    await signIn(platform.baseUrl, token, 'Acme');

    await signIn();

    assert.equal(shown.offered.at(-1), '');
  });

  const redirectOnce = () =>
    platform.fault('all', { ...faults.redirect('https://other.example/'), times: 1 });

  describe('for a known organization', () => {
    let known: { name: string; baseUrl: string };
    let knownId: string;
    /** Signs in to the known organization with these answers. Returns the ID of the organization. */
    const signInAgain = (...given: Answer[]) => {
      answers = given;
      return graph.run('signIn', known);
    };
    beforeEach(async () => {
      known = { name: 'Acme', baseUrl: platform.baseUrl };
      const organization = { ...known, token: DEFAULT_TOKEN };
      ({ id: knownId } = await graph.services.organizations.signIn(organization));
    });

    it('asks only for the new token', async () => {
      await signInAgain(token);

      assert.deepEqual(shown.offered, ['']);
      assert.match(
        shown.inputs[0]!,
        /^The new access token for “Acme”\. .* sent only to 127\.0\.0\.1:\d+\.$/,
      );
    });

    it('replaces the token', async () => {
      const id = await signInAgain(token);

      assert.equal(id, knownId);
      assert.equal(savedToken(id), token);
    });

    it('says in the status bar that the token was replaced', async () => {
      await signInAgain(token);

      assert.match(
        shown.statusMessages.join('\n'),
        /^Replaced the token for “Acme”\. .* did not reject the token\.$/,
      );
    });

    it('keeps the typed token in its box after a failure', async () => {
      redirectOnce();

      const id = await signInAgain(token, undefined, wrong, token);

      assert.deepEqual(shown.offered, ['', token, wrong]);
      assert.equal(savedToken(id), token);
    });

    it('does not offer to change the base URL after a redirect', async () => {
      redirectOnce();

      await signInAgain(token);

      assert.deepEqual(labels(), ['Try Again', 'Change Token', 'Save Anyway']);
    });

    it('names the redirect without doubt about the base URL', async () => {
      redirectOnce();

      await signInAgain(token, undefined, undefined);

      const sentences = shown.inputs.join('\n');
      assert.match(
        sentences,
        /^Redirected \(302\) to other\.example\. .* Press Enter for more options\.$/m,
      );
      assert.doesNotMatch(sentences, /Check the base URL/);
    });
  });

  // Two windows can make them at the same moment.
  describe('with two equal names', () => {
    const first = '6c45';
    const second = 'ed7a';
    beforeEach(async () => {
      const { secrets } = graph.context;
      const { organizations } = graph.services;
      for (const id of [first, second]) {
        const stored = { name: 'Acme', baseUrl: platform.baseUrl, token: `${wrong}-${id}` };
        secrets.values.set(`organization.${id}`, JSON.stringify(stored));
      }
      await organizations.ready;
      secrets.changed.fire({ key: `organization.${first}` });
      await settle();
      await organizations.switchTo(second);
    });
    const savedTokens = () => [savedToken(first), savedToken(second)];

    it('replaces the token of the organization whose row is pressed', async () => {
      await graph.read('dep_1');
      const [row] = graph.items();
      answers = [token];
      await graph.run('signIn', ...(row?.command?.arguments ?? []));

      assert.deepEqual(savedTokens(), [`${wrong}-${first}`, token]);
    });

    it('replaces the token of the organization that its button names', async () => {
      const [argument] = signInAction(graph.services.organizations.get(second)).arguments ?? [];
      await graph.services.organizations.switchTo(first);
      answers = [token];
      await graph.run('signIn', argument);

      assert.deepEqual(savedTokens(), [`${wrong}-${first}`, token]);
    });

    it('replaces the token of the current organization when the name is typed', async () => {
      await signIn(platform.baseUrl, token, 'Acme');

      assert.deepEqual(savedTokens(), [`${wrong}-${first}`, token]);
    });

    it('replaces no token when the organization is signed out meanwhile', async () => {
      const { organizations } = graph.services;
      const [argument] = signInAction(organizations.get(second)).arguments ?? [];
      platform.fault('all', faults.hold());
      answers = [token];
      const signingIn = graph.run('signIn', argument);
      await platform.waitForRequests(1);
      await organizations.signOut(second);
      platform.release();

      assert.match(await rejectionOf(signingIn), /^This organization is signed out\./);
      assert.deepEqual(savedTokens(), [`${wrong}-${first}`, undefined]);
    });
  });

  /** Has the platform answer like this, refreshes, and presses Sign In in the first row. */
  const pressFirstRowAfter = async (fault: Fault) => {
    await graph.services.organizations.signIn({ name: 'Acme', baseUrl: platform.baseUrl, token });
    platform.fault('all', fault);
    await graph.read('dep_1');
    const [row] = firstRows(graph.services.store.cause, {}, true);
    await graph.run('signIn', row);
  };

  describe('from the button of the first row', () => {
    it('asks for another token when the token is rejected', async () => {
      await pressFirstRowAfter(faults.status(401));

      assert.match(shown.inputs.at(-1)!, /^The new access token for “Acme”\./);
    });

    it('offers the new base URL when the platform has moved', async () => {
      await pressFirstRowAfter(
        faults.redirect('https://new.example/api/v1/deployments/dep_1/authorization', 308),
      );
      assert.deepEqual(shown.offered, ['https://new.example/api/v1']);
    });
  });

  it('asks for a base URL when it is run from the title of the view', async () => {
    await graph.services.organizations.signIn({ name: 'Acme', baseUrl: platform.baseUrl, token });
    await graph.read('dep_1');
    await graph.run('signInFromTitle', graph.row('dep_1'), [graph.row('dep_1')]);
    assert.match(shown.inputs[0]!, /^The base URL of the API\./);
  });

  it('succeeds when VS Code cannot move the focus', async () => {
    graph.view.reveal = () => Promise.reject(new Error('Element is gone'));
    await graph.read('dep_1');

    const id = await signIn(platform.baseUrl, token, 'Acme');

    assert.equal(id, graph.services.organizations.current?.id);
    assert.deepEqual(savedNames(), ['Acme']);
  });

  it('moves the focus to the view when it is run from Switch Organization', async () => {
    await graph.services.organizations.signIn({
      name: 'Acme',
      baseUrl: platform.baseUrl,
      token: wrong,
    });
    await graph.read('dep_1');
    answers = ['Sign In...', platform.baseUrl, token, 'Second'];
    await graph.run('switchOrganization');

    assert.deepEqual(savedNames(), ['Acme', 'Second']);
    assert.equal(graph.view.revealed.length, 1);
  });

  it('ignores another base URL than the one of the organization with the ID', async () => {
    const known = await graph.services.organizations.signIn({
      name: 'Acme',
      baseUrl: platform.baseUrl,
      token: wrong,
    });
    answers = [token];
    await graph.run('signIn', {
      organizationId: known.id,
      baseUrl: 'https://other.example/api/v1',
      name: 'Other',
    });

    assert.equal(platform.requests[0]?.headers.authorization, `Bearer ${token}`);
  });
});

describe('a workspace whose organization is signed out', () => {
  let graph: Graph;
  let shown: Shown;
  beforeEach(async () => {
    const { baseUrl } = await platformOfTest();
    graph = createGraph();
    shown = recordWindow();
    const { organizations } = graph.services;
    await organizations.signIn({ name: 'Acme', baseUrl, token });
    const second = await organizations.signIn({ name: 'Second', baseUrl, token });
    await graph.run('switchOrganization');
    await organizations.signOut(second.id);
  });

  it('has Choose Organization instead of Switch Organization', async () => {
    await graph.run('switchOrganization');

    assert.deepEqual(shown.titles, ['Switch Organization', 'Choose Organization']);
  });

  it('offers Choose Organization in the error of a command', async () => {
    const error: unknown = await graph.run('setSessionToken').catch((reason: unknown) => reason);

    assert.ok(error instanceof UserError, `not refused: ${String(error)}`);
    const buttons = error.actions.map(({ title }) => title);
    assert.deepEqual(buttons, ['Sign In...', 'Choose Organization...']);
  });
});
