import { strict as assert } from 'node:assert';
import tls from 'node:tls';
import * as vscode from 'vscode';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { readTestCertificate, secretHost } from '../../support/certificatesForTests.js';
import { createAuthority } from '../../support/platform/certificates.js';
import { DEFAULT_TOKEN, healthy } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { onTheWay, page } from '../../support/platform/onTheWay.js';
import { startPlatform } from '../../support/platform/platform.js';
import { startProxy } from '../../support/platform/proxy.js';
import { startWantingCertificate } from '../../support/platform/tlsPeers.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { createGraph, startWorld, type World } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';
import { notificationsOf, replace } from '../../support/window/windowRecorder.js';

const basicGateway = onTheWay['a gateway with Basic (401)'].fault;

async function shown(uri: vscode.Uri): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri);
  return document.getText();
}

describe('Check Connection', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let signIn: World['signIn'];
  beforeEach(async () => {
    ({ platform, graph, signIn } = await startWorld());
  });

  /** The notification at the end; the text that is shown says the same, the step last. */
  const check = async (run: () => Promise<unknown> = () => graph.run('checkConnection')) => {
    const [said] = await notificationsOf(run);
    const { document, selection } = vscode.window.activeTextEditor!;
    const text = document.getText();
    const lines = text.trimEnd().split('\n');
    const verdict = lines.slice(lines.lastIndexOf('') + 1, -1);
    assert.ok(said![1]!.startsWith(verdict[0]!.split('. ')[0]!), text);
    const { line } = selection.active;
    return { said, text, verdict, atCursor: lines.slice(line, line + 2) };
  };

  const listing = (id: string): World['graph']['services'] => {
    const { services } = graph;
    const listed = { value: [{ id }] };
    const deploymentList: typeof services.deploymentList = Object.create(services.deploymentList, {
      listed,
    });
    return { ...services, deploymentList };
  };

  it('tells the way to the platform step by step, without the token', async () => {
    const { said, text, atCursor } = await check();
    assert.deepEqual(said, ['information', 'Connection OK.', 'Copy Text']);
    assert.deepEqual(atCursor, ['', 'Connection OK.']);
    assert.match(text, /^Connection to http:\/\/127\.0\.0\.1:\d+\/api\/v1$/m);
    assert.match(text, /^• Route: direct \(platform on this machine\)$/m);
    assert.match(text, /^✔ TCP connection to 127\.0\.0\.1:\d+ · [\d,.]+ ms$/m);
    assert.match(
      text,
      /^✔ GET \/deployments\/\{deploymentId\}\/authorization · responded with 404 · [\d,.]+ ms$/m,
    );
    assert.equal(text.includes(DEFAULT_TOKEN), false);
    assert.equal(platform.requests.map(({ method }) => method).join(), 'GET');
  });

  for (const [fault, sentence, button] of [
    [faults.status(401), /^Token rejected \(401\)\. /, 'Sign In...'],
    [faults.status(503), /^Server error \(503\)\. /, 'Check Again'],
    [faults.status(407), /^Proxy authentication required \(407\)\. /, 'Open Setting'],
    [faults.status(400), /^Request refused \(400\)\. /, 'Show Log'],
    [page(403, 'Blocked'), /^Not from the platform \(403\)\. .*“Blocked”/, 'Check Again'],
    [
      page(404, 'nginx'),
      /^Is the base URL right\? For a made-up ID, a web page \(“nginx”\)/,
      'Sign In...',
    ],
    [
      page(405, 'nginx'),
      /^Not from the platform \(405\)\. .* base URL is probably wrong/,
      'Sign In...',
    ],
    [page(200, 'App'), /^Not from the platform \(200\)\. /, 'Check Again'],
    [
      faults.redirect('https://sso.example/start'),
      /^Redirected \(302\) to .*sso\.example/,
      'Check Again',
    ],
    [
      faults.redirect('/login'),
      /^Redirected \(302\) to .*login.* token has probably expired/,
      'Sign In...',
    ],
  ] as const) {
    it(`has a button that helps against ${sentence.source}`, async () => {
      platform.fault('all', fault);
      const { said, text, atCursor } = await check();
      assert.match(atCursor[0]!, /^✖ GET/);
      const [kind, verdict, ...buttons] = said!;
      assert.match(verdict!, sentence);
      assert.deepEqual([kind, buttons], ['error', [button, 'Copy Text']]);
      assert.match(text, /^✖ GET .* · responded with \d+/m);
    });
  }

  const steps: readonly [
    what: string,
    fault: Parameters<typeof platform.fault>[1],
    step: RegExp,
  ][] = [
    [
      'a rejected token',
      faults.status(401),
      /^Set a valid token in AUTOMATION_PLATFORM_TOKEN and restart VS Code, or sign in\.$/,
    ],
    ['an error of the platform', faults.status(503), /^Try again later\.$/],
    ['a proxy that wants credentials', faults.status(407), /http\.proxyAuthorization\.$/],
    [
      'a web filter',
      page(403, 'Blocked'),
      /^Ask your network administrator to let requests with a token through /,
    ],
    [
      'a web page for a made-up ID',
      page(404, 'nginx'),
      /^If the base URL is wrong, sign in with the right one\.$/,
    ],
    [
      'a lost connection',
      faults.reset(),
      /^Check again\. If it happens again, ask your network administrator\.$/,
    ],
  ];
  for (const [what, fault, step] of steps) {
    it(`ends with what to do, in the message too, before the line about the token: ${what}`, async () => {
      platform.fault('all', fault);
      const { said, verdict } = await check();
      assert.match(verdict.at(-1)!, step);
      assert.ok(said![1]!.includes(verdict.at(-1)!), said![1]);
    });
  }

  it('ends with the VPN and the base URL where the name of the platform is not found', async () => {
    const baseUrl = 'https://platform.invalid/api/v1';
    await graph.services.organizations.signIn({ name: 'Nowhere', baseUrl, token: DEFAULT_TOKEN });
    const { said, verdict } = await check();
    assert.equal(verdict.at(-1), 'Connect the VPN, or sign in with the correct base URL.');
    assert.ok(said![1]!.endsWith(verdict.at(-1)!), said![1]);
  });

  it('says of a listed deployment that is not permitted what to do, on a good connection', async () => {
    platform.fault('all', faults.status(403));
    const { said, verdict } = await check(() => checkConnection(listing('dep_1')));
    assert.equal(said![1], 'Connection OK.');
    const step =
      'Ask an administrator for the permission, or switch to an organization that has it.';
    assert.deepEqual([verdict[0], verdict.at(-1)], ['Connection OK.', step]);
    assert.match(
      verdict[1]!,
      /^Access denied \(403\)\. The token for “environment.*” probably lacks the permission/,
    );
  });

  describe('in a pause', () => {
    beforeEach(async () => {
      platform.putDeployment('dep_1', healthy());
      platform.fault('all', faults.retryAfter(600));
      await graph.read('dep_1');
      platform.clearRequests();
    });

    it('sends nothing, says so without a time, and tries the connection all the same', async () => {
      const { said, text, verdict } = await check();
      assert.deepEqual(platform.requests, []);
      assert.match(text, /^✔ TCP connection to 127\.0\.0\.1:\d+ · [\d,.]+ ms$/m);
      assert.match(
        text,
        /^• GET \/deployments\/\{deploymentId\}\/authorization · not sent: paused until [^·]*$/m,
      );
      assert.deepEqual(said!.slice(2), ['Check Again', 'Copy Text']);
      assert.equal(verdict[0], 'Rate limited (429).');
      assert.match(verdict[1]!, /^Try again after /);
      assert.equal(verdict.length, 2);
    });

    it('names the step that fails', async () => {
      await platform.stop();
      const { verdict } = await check();
      assert.match(verdict[0]!, /^First failed step: TCP connection to 127/);
    });
  });

  it('says that a response breaks the rules of HTTP, and not that the connection was lost', async () => {
    platform.fault(
      'all',
      faults.raw('HTTP/1.1 200 OK\r\nx-policy: a\nb\r\ncontent-length: 2\r\n\r\n{}'),
    );
    const { said, atCursor } = await check();
    const [kind, verdict, ...buttons] = said!;
    assert.match(atCursor[0]!, /^✖ GET .* · Invalid response · /);
    assert.match(verdict!, /^Invalid response\. .* rules of HTTP \(HPE_INVALID\)\. Report this/);
    assert.deepEqual([kind, buttons], ['error', ['Check Again', 'Copy Text']]);
  });

  it('says in the line of the request that its body breaks the rules of HTTP', async () => {
    platform.fault(
      'all',
      faults.raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}'),
    );
    const { atCursor } = await check();
    assert.match(atCursor[0]!, /^✖ GET .* · responded with 200 · Invalid response · /);
  });

  for (const [what, fault, said] of [
    ['a 404', undefined, 'The platform probably answered.'],
    [
      'a web filter',
      page(403, 'Blocked'),
      'A web filter or gateway probably answered, not the platform.',
    ],
    ['a web server', page(405, 'nginx'), 'Another web server probably answered, not the platform.'],
    [
      'a web page for a made-up ID',
      page(404, 'Error'),
      'The platform or a gateway in front of it answered.',
    ],
    [
      'what is not HTTP',
      faults.raw('220 smtp.example\r\n'),
      'The platform or a gateway in front of it answered.',
    ],
    ['a gateway with Basic', basicGateway, 'The platform or a gateway in front of it answered.'],
    ['no answer', faults.reset(), 'The platform did not answer.'],
  ] as const) {
    it(`says who answered: ${what}`, async () => {
      if (fault) platform.fault('all', fault);
      const { verdict } = await check();
      assert.equal(verdict[1], said);
    });
  }

  it('takes a web page with 404 for another web server’s where a listed deployment was asked for', async () => {
    platform.fault('all', page(404, 'nginx'));
    const [said] = await notificationsOf(() => checkConnection(listing('dep_1')));
    assert.match(said![1]!, /^Not from the platform \(404\)\. .* base URL is probably wrong/);
  });

  it('says of a gateway with Basic that the token may be right', async () => {
    platform.fault('all', basicGateway);
    const { said } = await check();
    assert.match(
      said![1]!,
      /^Token rejected \(401\)\. .*If the token is right, .* own sign-in \(“Restricted”\)\.$/,
    );
  });

  it('calls the connection good where the platform has answered before, but not with a web page', async () => {
    platform.putDeployment('dep_1', healthy());
    await graph.read('dep_1');
    platform.fault('all', page(404, 'Error'));
    const { said } = await check();
    assert.match(said![1]!, /^Not found \(404\)\. .* The answer was a web page \(“Error”\);/);
  });

  it('names the first failed step as an error, and an IPv6 address with its port in brackets', async () => {
    const { host } = new URL(platform.baseUrl);
    await platform.stop();
    const { said, text, atCursor } = await check();
    const advice = `Check the port in the base URL. If it is right, ask whoever runs ${host} to start the platform.`;
    const verdict = `First failed step: TCP connection to ${host}. Connection refused. ${advice}`;
    assert.deepEqual(said, ['error', verdict, 'Check Again', 'Copy Text']);
    assert.ok(atCursor[0]!.startsWith(`✖ TCP connection to ${host} · connection refused`), text);
    const baseUrl = 'http://[::1]:1/api/v1';
    await graph.services.organizations.signIn({ name: 'Six', baseUrl, token: DEFAULT_TOKEN });
    await notificationsOf(() => graph.run('checkConnection'));
    assert.match(
      vscode.window.activeTextEditor!.document.getText(),
      /^First failed step: TCP connection to \[::1\]:1\. /m,
    );
  });

  it('says at the request that the platform requires a client certificate, where TLS 1.3 ends without one', async function () {
    // Node tells the system's store since 22.15; where it is kept elsewhere than in files, a test can't put anything into it.
    if (process.platform !== 'linux' || !Reflect.has(tls, 'getCACertificates')) this.skip();
    const peer = await startWantingCertificate(readTestCertificate(), 'TLSv1.3');
    atEndOfTest(() => peer.stop());
    const proxy = await startProxy({ knows: { [secretHost]: peer.port } });
    atEndOfTest(() => proxy.stop());
    await writeSetting('http.proxy', `http://127.0.0.1:${proxy.port}`);
    const baseUrl = `https://${secretHost}:${peer.port}/api/v1`;
    await graph.services.organizations.signIn({ name: 'Strict', baseUrl, token: DEFAULT_TOKEN });
    const { said, text } = await check();
    assert.match(text, /^✔ TLS handshake with platform\.test\.example · TLSv1\.3 · /m);
    assert.match(
      text,
      /^✖ GET .* · a client certificate is required, which is not supported \(ERR_SSL_\w+_REQUIRED\) · /m,
    );
    assert.match(
      said![1]!,
      /\. Ask whoever runs platform\.test\.example:\d+ for access without a client certificate\.$/,
    );
  });

  it('says what is wrong with a certificate, and that the file for its authority cannot be read', async () => {
    const authority = await createAuthority('Private authority');
    const secure = await startPlatform({
      tls: { ...(await authority.issue(['127.0.0.1'])), name: '127.0.0.1' },
    });
    atEndOfTest(() => secure.stop());
    const before = process.env['NODE_EXTRA_CA_CERTS'];
    atEndOfTest(() => void (process.env['NODE_EXTRA_CA_CERTS'] = before));
    process.env['NODE_EXTRA_CA_CERTS'] = '/absent/authority.pem';
    await graph.services.organizations.signIn({
      name: 'Secure',
      baseUrl: secure.baseUrl,
      token: DEFAULT_TOKEN,
    });
    const { said, text } = await check();
    assert.match(
      text,
      /^⚠ The file in NODE_EXTRA_CA_CERTS cannot be read \(ENOENT\), so its certificates are not trusted$/m,
    );
    assert.match(
      text,
      /^✖ TLS handshake with 127\.0\.0\.1 · .* · certificate issuer not trusted on this machine, or /m,
    );
    assert.match(
      said![1]!,
      /^First failed step: TLS handshake with 127\.0\.0\.1\. Certificate issuer not trusted /,
    );
    assert.match(
      said![1]!,
      /\. Install the certificate of its authority on this machine, or set NODE_EXTRA_CA_CERTS /,
    );
  });

  it('leaves no part of the token in the name of an issuer that is too long to be shown whole', async () => {
    const certificate = {
      issuer: `${'Long '.repeat(38)}${DEFAULT_TOKEN}`,
      validFrom: 0,
      validTo: 0,
    };
    const { services } = graph;
    const client: typeof services.client = {
      ...services.client,
      check: async (_target, { onStep }) => {
        onStep?.({
          kind: 'tls',
          role: 'platform',
          host: 'platform.test',
          duration: 1,
          certificate,
        });
        return undefined;
      },
    };
    await notificationsOf(() => checkConnection({ ...services, client }));
    const text = vscode.window.activeTextEditor!.document.getText();
    assert.match(text, /issued by Long Long/);
    assert.ok(!text.includes(DEFAULT_TOKEN.slice(0, 6)), text);
  });

  it('opens its text as a preview under its own title', async () => {
    await check();
    const { label, isPreview } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.deepEqual([label, isPreview], ['Check Connection', true]);
  });

  it('opens another text when it runs again', async () => {
    const first = await check();
    await platform.stop();
    assert.notEqual((await check()).text, first.text);
  });

  describe('shows under its title only what it found', () => {
    const otherText = 'Run Check Connection again to see its result.';

    for (const forged of [
      'automation-platform-text:/Check%20Connection?Sign%20in%20at%20evil.example',
      'automation-platform-text:/Check%20Connection?1',
      'automation-platform-text:/Check%20Connection',
    ]) {
      it(`not what ${forged} says`, async () => {
        assert.equal(await shown(vscode.Uri.parse(forged)), otherText);
      });
    }

    it('not its text under another title', async () => {
      await check();
      const { uri } = vscode.window.activeTextEditor!.document;
      assert.equal(await shown(uri.with({ path: '/Sign In' })), otherText);
    });
  });

  it('says how a proxy of the environment gets its credentials, and offers no setting', async () => {
    const proxy = await startProxy({ authorization: 'Basic bWU6cHc=' });
    atEndOfTest(() => proxy.stop());
    graph = createGraph({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    const baseUrl = 'https://platform.test.example/api/v1';
    await graph.services.organizations.signIn({ name: 'Acme', baseUrl, token: DEFAULT_TOKEN });
    const { said } = await check();
    const [, verdict, ...buttons] = said!;
    assert.match(
      verdict!,
      /with 407\. Put the credentials into the address in HTTPS_PROXY, or set the proxy in /,
    );
    assert.deepEqual(buttons, ['Check Again', 'Copy Text']);
  });

  describe('behind a proxy that cannot be used', () => {
    const baseUrl = 'https://platform.test.example/api/v1';
    const checkBehind = async (env: NodeJS.ProcessEnv) => {
      graph = createGraph(env);
      await graph.services.organizations.signIn({ name: 'Acme', baseUrl, token: DEFAULT_TOKEN });
      const { said, text } = await check();
      const [, verdict, ...buttons] = said!;
      return { verdict: verdict!, buttons, text };
    };

    for (const [address, sentence] of [
      [
        'http://CORP\\jdoe:QZXJ1@corp:3128',
        /address in https_proxy\. Write \\ as %5C in https_proxy\.$/,
      ],
      ['http://corp:3128/pac', /Remove everything after host and port from https_proxy\.$/],
    ] as const) {
      it(`names the variable, and shows nothing of its value: ${address}`, async () => {
        const { verdict, buttons, text } = await checkBehind({ https_proxy: address });
        assert.match(verdict, sentence);
        assert.match(text, /^✖ Route: none · no valid proxy address in https_proxy$/m);
        assert.deepEqual(buttons, ['Check Again', 'Copy Text']);
        assert.doesNotMatch(text, /corp|QZX|pac\b/i);
      });
    }

    it('names the variable where the name of the proxy is not found, and offers no setting', async () => {
      const { verdict, buttons, text } = await checkBehind({ http_proxy: 'proxy.invalid:3128' });
      assert.match(
        verdict,
        /^First failed step: DNS lookup of proxy proxy\.invalid\. .* its address in http_proxy\.$/,
      );
      assert.match(text, /^• Route: through proxy http:\/\/proxy\.invalid|\(http_proxy\)/m);
      assert.deepEqual(buttons, ['Check Again', 'Copy Text']);
    });

    it('offers the setting that holds its address, or its credentials', async () => {
      await writeSetting('http.proxy', 'http://127.0.0.1:1');
      const refused = await checkBehind({ HTTPS_PROXY: 'http://other.invalid' });
      assert.match(
        refused.verdict,
        /TCP connection to proxy 127\.0\.0\.1:1\. .* its address in http\.proxy\.$/,
      );
      await writeSetting('http.proxyAuthorization', 'Basic bWU6cHcü');
      const { verdict, buttons } = await checkBehind({});
      assert.match(verdict, /Remove “ü” \(U\+00FC\) from http\.proxyAuthorization\.$/);
      assert.deepEqual([refused.buttons, buttons], [buttons, ['Open Setting', 'Copy Text']]);
    });
  });

  it('stops when its organization is signed out of', async () => {
    const { id } = await signIn();
    platform.fault('all', faults.hold());
    const stopped = assert.rejects(
      graph.run('checkConnection'),
      /because the sign-in to “Acme” has changed/,
    );
    await platform.waitForRequests(1, { state: 'held' });
    await graph.services.organizations.signOut(id);
    await stopped;
  });

  it('sends nothing after another tab of the browser has signed out while it connects', async () => {
    const { id } = await signIn();
    const { client } = graph.services;
    const read = client.getDeploymentAuthorization.bind(client);
    client.getDeploymentAuthorization = async (...args) => {
      await graph.context.globalState.update('signInMarks', { [id]: 'signedOut' });
      return read(...args);
    };
    await assert.rejects(graph.run('checkConnection'), /because the sign-in to “Acme” has changed/);
    assert.deepEqual(platform.requests, []);
  });

  it('says that the text could not be copied', async () => {
    const locked = { writeText: () => Promise.reject(new Error('The clipboard is locked.')) };
    replace(vscode.env, { clipboard: locked });
    const said = await notificationsOf(() => graph.run('checkConnection'), 'Copy Text');
    assert.match(said[1]!.join(), /^error,.*The clipboard is locked/);
  });
});
