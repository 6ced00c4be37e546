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
  let sentBefore: number[];

  beforeEach(async () => {
    platform = await platformOfTest();
    platform.putToken(token);
    graph = createGraph();
    [answers, sentBefore] = [[], []];
    shown = recordWindow(() => {
      sentBefore.push(platform.requests.length);
      return answers.shift();
    });
  });
  /** The questions after these answers are dismissed. */
  const signIn = (...given: Answer[]) => {
    answers = given;
    return graph.run('signIn');
  };
  const labels = () => shown.picks.map(({ label }) => label);
  /** In the list after a try that failed. */
  const reasonShown = () => shown.picks.find(({ label }) => label === 'Try Again')?.detail;
  const saved = () => graph.services.organizations.list.map(({ name }) => name);
  const tokenOf = (id?: string | void) => graph.services.organizations.target(id!, 'access')?.token;

  it('sends one request without effects with the token, before it asks for a name, and says what was seen', async () => {
    assert.equal(
      await signIn(platform.baseUrl, token, 'Acme'),
      graph.services.organizations.current?.id,
    );
    assert.deepEqual(sentBefore, [0, 0, 1]);
    const sent = platform.requests.map(({ method, path, headers }) => [
      method,
      path,
      headers.authorization,
    ]);
    assert.deepEqual(sent, [
      ['GET', '/api/v1/deployments/connection-check/authorization', `Bearer ${token}`],
    ]);
    const { host } = new URL(platform.baseUrl);
    const said = `Signed in to “Acme”. ${host} did not reject the token.`;
    assert.deepEqual([shown.statusMessages, shown.messages], [[said], []]);
    assert.match(graph.lines.join('\n'), /GET .* 404/);
  });

  for (const status of [403, 429, 503]) {
    it(`saves after ${status}, without a repeat and without a pause`, async () => {
      platform.fault('all', faults.status(status));
      const id = await signIn(platform.baseUrl, token, 'Acme');
      assert.equal(tokenOf(id), token);
      assert.equal(platform.requests.length, 1);
      assert.notEqual(graph.services.store.cause?.kind, 'paused');
    });
  }

  it('reads what is listed, but not twice what was read since', async () => {
    const { store } = graph.services;
    store.setListed([{ id: 'dep_1' }, { id: 'dep_2' }]);
    // The first automatic round may be done before the sign-in is remembered.
    graph.context.workspaceState.update = () => store.refresh(['dep_1']);
    await signIn(platform.baseUrl, token, 'Acme');
    await platform.waitForRequests(3);
    assert.equal(
      platform.requests.map(({ route }) => route.id).join(),
      'connection-check,dep_1,dep_2',
    );
  });

  it('stays at a rejected token, which is neither saved nor logged, and has asked for no name', async () => {
    assert.equal(await signIn(platform.baseUrl, wrong), undefined);
    const said = 'Token rejected (401). Paste another token, or press Enter for more options.';
    assert.ok(shown.inputs.includes(said), shown.inputs.join('\n'));
    assert.deepEqual(shown.offered, ['', '', wrong]);
    assert.deepEqual([saved(), graph.context.secrets.values.size], [[], 0]);
    assert.ok(!graph.lines.join('\n').includes(wrong));
    assert.equal(tokenOf(await signIn(platform.baseUrl, wrong, token, 'Acme')), token);
  });

  it('offers more for the same rejected token, without sending it again', async () => {
    const id = await signIn(platform.baseUrl, wrong, enter, 'Save Anyway', 'Acme');
    assert.deepEqual([tokenOf(id), platform.requests.length], [wrong, 1]);
    assert.deepEqual(labels(), ['Try Again', 'Change Token', 'Change Base URL', 'Save Anyway']);
    assert.equal(shown.titles.at(-1), 'Sign In · Token rejected (401)');
    assert.deepEqual(shown.statusMessages, [
      'Saved the token for “Acme” without a successful check.',
    ]);
  });

  for (const [reason, fault] of [
    ['Redirected (302) to other.example.', faults.redirect('https://other.example/')],
    ['Proxy authentication required (407).', faults.status(407)],
    ['Connection lost.', faults.reset()],
    ['Invalid response (304).', faults.noBody(304)],
    ['Invalid response (302).', faults.noBody(302)],
    ['Not from the platform (403). A web filter or gateway probably sent', page(403, 'Blocked')],
    [
      'Not from the platform (200). A sign-in page, a web filter, or another website',
      page(200, 'App'),
    ],
  ] as const) {
    it(`leads back to the base URL with everything that was typed: ${reason}`, async () => {
      const [name] = reason.split('. ');
      platform.fault('all', { ...fault, times: 1 });
      await signIn(platform.baseUrl, token, undefined, enter, enter, 'Try Again', enter, 'Acme');
      assert.equal(platform.requests.length, 2);
      const said = shown.inputs.find((text) => text.startsWith(reason));
      assert.ok(said?.endsWith(' Check the base URL.'), shown.inputs.join('\n'));
      assert.ok(
        shown.titles.includes(`Sign In · ${name!.replace(/\.$/, '')}`),
        shown.titles.join('\n'),
      );
      assert.deepEqual(shown.offered.slice(2, 4), [platform.baseUrl, token]);
      assert.deepEqual(saved(), ['Acme']);
    });
  }

  it('saves after a web page with another status, as a healthy platform may send for a made-up ID', async () => {
    platform.fault('all', page(400, 'HTTP Status 400'));
    assert.equal(tokenOf(await signIn(platform.baseUrl, token, 'Acme')), token);
  });

  it('does not ask about a base URL that is fixed', async () => {
    const known = { name: 'Acme', baseUrl: platform.baseUrl };
    const { id } = await graph.services.organizations.signIn({ ...known, token: DEFAULT_TOKEN });
    platform.fault('all', page(404, 'Error'));
    answers = [token];
    assert.equal(await graph.run('signIn', known), id);
    assert.deepEqual(shown.placeholders, []);
  });

  it('asks about the base URL after a web page for a made-up ID, and saves it anyway first of all', async () => {
    platform.fault('all', page(404, 'Error'));
    const id = await signIn(platform.baseUrl, token, 'Save Anyway', 'Acme');
    assert.equal(tokenOf(id), token);
    assert.equal(shown.titles.at(-1), 'Sign In · Is the base URL right?');
    assert.equal(reasonShown(), 'For a made-up ID, a web page (“Error”) was the answer (404).');
    assert.deepEqual(labels(), ['Save Anyway', 'Change Base URL', 'Change Token', 'Try Again']);
  });

  it('offers another base URL first where there is no TLS on its port', async () => {
    const peer = await startPlain();
    atEndOfTest(() => peer.stop());
    await signIn(`https://127.0.0.1:${peer.port}/api/v1`, token, 'Save Anyway', 'Acme');
    assert.equal(shown.titles.at(-1), 'Sign In · Unreachable (TLS)');
    assert.match(
      reasonShown() ?? '',
      /^127\.0\.0\.1:\d+: no TLS on this port \(ERR_SSL_WRONG_VERSION_NUMBER\)\.$/,
    );
    assert.deepEqual(labels(), ['Change Base URL', 'Try Again', 'Change Token', 'Save Anyway']);
  });

  it('gives the whole reason with the option to try again, and not where VS Code cuts it', async () => {
    const host = `${'long-name-of-a-host.'.repeat(5)}invalid`;
    await signIn(`https://${host}/api/v1`, token, 'Save Anyway', 'Acme');
    assert.ok(reasonShown()?.startsWith(`${host}: name not found (ENOTFOUND).`), reasonShown());
    assert.deepEqual(shown.placeholders, ['Select what to do next']);
  });

  it('ends the reason with a step that the dialog has, where the host is unknown or its port is closed', async () => {
    await signIn('https://platform.invalid/api/v1', token, 'Change Base URL', undefined);
    const vpn = 'Connect the VPN, or change the base URL.';
    const unknown = `platform.invalid: name not found (ENOTFOUND). ${vpn}`;
    assert.equal(reasonShown(), unknown);
    assert.equal(shown.inputs.at(-1), `Unreachable (DNS). ${unknown}`);
    await platform.stop();
    await signIn(platform.baseUrl, token, 'Save Anyway', 'Acme');
    const reasons = shown.picks.flatMap(({ label, detail }) =>
      label === 'Try Again' ? [detail] : [],
    );
    assert.match(reasons.at(-1)!, /is probably not running\. Check the port in the base URL\.$/);
  });

  it('names no other base URL where it is fixed', async () => {
    const known = { name: 'Nowhere', baseUrl: 'https://platform.invalid/api/v1' };
    const { id } = await graph.services.organizations.signIn({ ...known, token: DEFAULT_TOKEN });
    answers = [token];
    await graph.run('signIn', { organizationId: id });
    assert.equal(reasonShown(), 'platform.invalid: name not found (ENOTFOUND). Connect the VPN.');
  });

  it('offers the base URL where a gateway may have rejected the token', async () => {
    platform.fault('all', onTheWay['a gateway with Basic (401)'].fault);
    await signIn(platform.baseUrl, token, enter, 'Save Anyway', 'Acme');
    assert.match(reasonShown() ?? '', /^If the token is right, a gateway .*Restricted/);
    assert.deepEqual(labels(), ['Change Token', 'Change Base URL', 'Save Anyway', 'Try Again']);
  });

  for (const [before, after] of [
    ['"', '"'],
    ['\u200b', '\u2060 '],
  ] as const) {
    it(`uses the base URL without what was copied with it: ${JSON.stringify([before, after])}`, async () => {
      const id = await signIn(`${before}${platform.baseUrl}${after}`, token, enter);
      const { host } = new URL(platform.baseUrl);
      assert.equal(graph.services.organizations.target(id!, 'access')?.baseUrl, platform.baseUrl);
      assert.equal(shown.offered.at(-1), host);
      assert.match(shown.inputs.join('\n'), new RegExp(`sent only to ${host}\\.`));
      assert.deepEqual(saved(), [host]);
    });
  }

  for (const [baseUrl, said] of [
    [
      'https://host.example/api\u200b/v1',
      'A base URL cannot contain U+200B. Remove or replace it.',
    ],
    ['https:\\\\host.example', 'A base URL cannot contain “\\” (U+005C). Remove or replace it.'],
    ['https://https://host.example/api/v1', 'Start the URL with https:// only once.'],
    ['http://127.1/api/v1', 'This host is not written in full. Write it out.'],
    ['https://host.example/x/../api/v1', 'Remove “.” and “..” from the path.'],
    [
      '$(BASE_URL)',
      'This is a placeholder that was not filled in. Enter a full URL, for example https://host.example/api/v1.',
    ],
  ] as const) {
    it(`says what to correct: ${said}`, async () => {
      assert.equal(await signIn(baseUrl), undefined);
      assert.ok(shown.inputs.includes(said), shown.inputs.join('\n'));
      assert.deepEqual(platform.requests, []);
    });
  }

  it('tries again what was not answered, and nothing that was', async () => {
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
    assert.deepEqual([saved(), platform.requests.length], [['Acme'], 3]);
  });

  describe('with a placeholder for a token', () => {
    const placeholder = '$(PLATFORM_TOKEN)';
    const question = 'This looks like a placeholder that was not filled in. Use it anyway?';
    const asked = ['warning', question, 'Use Anyway'];

    it('asks first, and neither sends nor saves it after a no', async () => {
      assert.equal(await signIn(platform.baseUrl, placeholder), undefined);
      assert.deepEqual(shown.messages, [asked]);
      assert.deepEqual([platform.requests.length, saved()], [0, []]);
    });

    it('stays at the token that was typed after a no', async () => {
      await signIn(platform.baseUrl, ` ${placeholder}`, undefined, token, 'Acme');
      assert.deepEqual(shown.offered.slice(0, 3), ['', '', ` ${placeholder}`]);
      assert.deepEqual([platform.requests.length, saved()], [1, ['Acme']]);
    });

    it('sends it after a yes, and asks no second time for the same one', async () => {
      platform.fault('all', { ...faults.reset(), times: 2 });
      const answered: Answer[] = [placeholder, enter, 'Try Again', enter, 'Save Anyway', 'Acme'];
      const id = await signIn(platform.baseUrl, ...answered);
      assert.deepEqual(shown.messages, [asked]);
      assert.equal(platform.requests[0]?.headers.authorization, `Bearer ${placeholder}`);
      assert.equal(tokenOf(id), placeholder);
    });

    it('refuses one with spaces without a question', async () => {
      await signIn(platform.baseUrl, '<your token>');
      const said = 'This is a placeholder that was not filled in. Paste the token itself.';
      assert.ok(shown.inputs.includes(said), shown.inputs.join('\n'));
      assert.deepEqual([shown.messages, platform.requests.length], [[], 0]);
    });
  });

  it('sends and saves a token without the quotes around it, and says so', async () => {
    const id = await signIn(platform.baseUrl, `Bearer "${token}"\u200b`, 'Acme');
    assert.ok(shown.inputs.includes('Only the token is used, without the text around it.'));
    assert.equal(platform.requests[0]?.headers.authorization, `Bearer ${token}`);
    assert.equal(tokenOf(id), token);
  });

  for (const [pasted, said] of [
    ['tökén', 'A token cannot contain “ö” (U+00F6). Copy it again.'],
    ['tok\u200ben', 'A token cannot contain U+200B. Copy it again.'],
    ['tok en', 'A token has no spaces or line breaks. Paste only the token.'],
  ] as const) {
    it(`says: ${said}`, async () => {
      await signIn(platform.baseUrl, pasted);
      assert.ok(shown.inputs.includes(said), shown.inputs.join('\n'));
      assert.equal(platform.requests.length, 0);
    });
  }

  it('keeps a base URL that was typed, and no token, when it is dismissed', async () => {
    await signIn('https://typed.exam');
    await signIn(platform.baseUrl);
    await signIn(enter, token, 'Acme');
    const { host } = new URL(platform.baseUrl);
    assert.deepEqual(shown.offered, ['', 'https://typed.exam', '', platform.baseUrl, '', host]);
    await signIn();
    assert.equal(shown.offered.at(-1), '');
  });

  it('asks for nothing but the new token of an organization that is known', async () => {
    const known = { name: 'Acme', baseUrl: platform.baseUrl };
    const { id } = await graph.services.organizations.signIn({ ...known, token: DEFAULT_TOKEN });
    platform.fault('all', { ...faults.redirect('https://other.example/'), times: 1 });
    answers = [token, undefined, wrong, token];
    assert.equal(await graph.run('signIn', known), id);
    assert.equal(tokenOf(id), token);
    assert.deepEqual(shown.offered, ['', token, wrong]);
    assert.deepEqual(labels(), ['Try Again', 'Change Token', 'Save Anyway']);
    const said = /^Redirected \(302\) to other\.example\. .* Press Enter for more options\.$/m;
    assert.match(shown.inputs.join('\n'), said);
    assert.ok(!shown.inputs.join().includes('Check the base URL'));
    assert.match(
      shown.inputs[0]!,
      /^The new access token for “Acme”\. .* sent only to 127\.0\.0\.1:\d+\.$/,
    );
    assert.match(
      shown.statusMessages.join(),
      /^Replaced the token for “Acme”\. .* did not reject the token\.$/,
    );
  });

  describe('of two organizations with one name, which two windows made at the same moment,', () => {
    const [first, second] = ['6c45', 'ed7a'] as const;
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
    const tokens = () => [tokenOf(first), tokenOf(second)];

    it('replaces the token of the one whose row it is run from', async () => {
      await graph.read('dep_1');
      const [row] = graph.items();
      answers = [token];
      await graph.run('signIn', ...(row?.command?.arguments ?? []));
      assert.deepEqual(tokens(), [`${wrong}-${first}`, token]);
    });

    it('replaces the token of the one whose button it is run from, though the other one is current', async () => {
      const [argument] = signInAction(graph.services.organizations.get(second)).arguments ?? [];
      await graph.services.organizations.switchTo(first);
      answers = [token];
      await graph.run('signIn', argument);
      assert.deepEqual(tokens(), [`${wrong}-${first}`, token]);
    });

    it('replaces the token of the current one when base URL and name are typed', async () => {
      await signIn(platform.baseUrl, token, 'Acme');
      assert.deepEqual(tokens(), [`${wrong}-${first}`, token]);
    });

    it('replaces no token when the one that it was run for is signed out meanwhile', async () => {
      const { organizations } = graph.services;
      const [argument] = signInAction(organizations.get(second)).arguments ?? [];
      platform.fault('all', faults.hold());
      answers = [token];
      const asked = graph.run('signIn', argument);
      await platform.waitForRequests(1);
      await organizations.signOut(second);
      platform.release();
      await assert.rejects(asked, /^UserError: This organization is signed out\./);
      assert.deepEqual(tokens(), [`${wrong}-${first}`, undefined]);
    });
  });

  /** The button of the first row, once everything listed is answered so. */
  const pressAfter = async (fault: Fault) => {
    await graph.services.organizations.signIn({ name: 'Acme', baseUrl: platform.baseUrl, token });
    platform.fault('all', fault);
    await graph.read('dep_1');
    const [row] = firstRows(graph.services.store.cause, {}, true);
    await graph.run('signIn', row);
  };

  describe('from the button of the first row', () => {
    it('asks for another token of the organization whose token is rejected', async () => {
      await pressAfter(faults.status(401));
      assert.match(shown.inputs.at(-1)!, /^The new access token for “Acme”\./);
    });

    it('offers the base URL to which the platform has moved', async () => {
      await pressAfter(
        faults.redirect('https://new.example/api/v1/deployments/dep_1/authorization', 308),
      );
      assert.deepEqual(shown.offered, ['https://new.example/api/v1']);
    });
  });

  it('in the view’s title asks for a base URL, whatever row has the focus', async () => {
    await graph.services.organizations.signIn({ name: 'Acme', baseUrl: platform.baseUrl, token });
    await graph.read('dep_1');
    await graph.run('signInFromTitle', graph.row('dep_1'), [graph.row('dep_1')]);
    assert.match(shown.inputs[0]!, /^The base URL of the API\./);
  });

  it('succeeds where VS Code cannot move the focus', async () => {
    graph.view.reveal = () => Promise.reject(new Error('Element is gone'));
    await graph.read('dep_1');
    assert.ok(await signIn(platform.baseUrl, token, 'Acme'));
  });

  it('in Switch Organization moves the focus to the view as well', async () => {
    await graph.services.organizations.signIn({
      name: 'Acme',
      baseUrl: platform.baseUrl,
      token: wrong,
    });
    await graph.read('dep_1');
    answers = ['Sign In...', platform.baseUrl, token, 'Second'];
    await graph.run('switchOrganization');
    assert.deepEqual([saved(), graph.view.revealed.length], [['Acme', 'Second'], 1]);
  });

  it('leaves the workspace with an organization to choose when its own is signed out', async () => {
    const { organizations } = graph.services;
    const { baseUrl } = platform;
    await organizations.signIn({ name: 'Acme', baseUrl, token });
    const second = await organizations.signIn({ name: 'Second', baseUrl, token });
    await graph.run('switchOrganization');
    await organizations.signOut(second.id);
    await graph.run('switchOrganization');
    assert.deepEqual(shown.titles, ['Switch Organization', 'Choose Organization']);
    const error: unknown = await graph.run('setSessionToken').catch((one: unknown) => one);
    assert.ok(error instanceof UserError);
    const buttons = error.actions.map(({ title }) => title);
    assert.deepEqual(buttons, ['Sign In...', 'Choose Organization...']);
  });

  it('sends the token to the base URL of the organization whose ID it is given, whatever else it is given', async () => {
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
