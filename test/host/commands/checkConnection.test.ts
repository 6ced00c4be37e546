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
import { notificationsOf, rejectionOf, replace } from '../../support/window/windowRecorder.js';

const basicGateway = onTheWay['a gateway with Basic (401)'].fault;

async function textOf(uri: vscode.Uri): Promise<string> {
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

  /**
   * Checks the connection. Returns the notification at the end in its parts, the text in the editor, the lines of its last
   * paragraph but the one about the token, and the two lines at the cursor.
   */
  const check = async (run: () => Promise<unknown> = () => graph.run('checkConnection')) => {
    const [notification] = await notificationsOf(run);
    const [kind, message, ...buttons] = notification!;
    const { document, selection } = vscode.window.activeTextEditor!;
    const text = document.getText();
    const lines = text.trimEnd().split('\n');
    const verdict = lines.slice(lines.lastIndexOf('') + 1, -1);
    const firstSentence = verdict[0]!.split('. ')[0]!;
    const start = message!.slice(0, firstSentence.length);
    assert.equal(start, firstSentence, 'The notification begins like the verdict in the text.');
    const { line } = selection.active;
    return {
      kind,
      message: message!,
      buttons,
      text,
      verdict,
      atCursor: lines.slice(line, line + 2),
    };
  };
  /** The services where this deployment is listed. */
  const listing = (id: string): World['graph']['services'] => {
    const { services } = graph;
    const listed = { value: [{ id }] };
    const deploymentList: typeof services.deploymentList = Object.create(services.deploymentList, {
      listed,
    });
    return { ...services, deploymentList };
  };

  it('calls a good connection OK', async () => {
    const { kind, message, buttons, atCursor } = await check();

    assert.equal(kind, 'information');
    assert.equal(message, 'Connection OK.');
    assert.deepEqual(buttons, ['Copy Text']);
    assert.deepEqual(atCursor, ['', 'Connection OK.']);
  });

  it('sends one GET', async () => {
    await check();

    assert.deepEqual(
      platform.requests.map(({ method }) => method),
      ['GET'],
    );
  });

  it('shows no token in its text when the title of a web page repeats it', async () => {
    platform.fault('all', page(403, `Blocked ${DEFAULT_TOKEN}`));

    const { text } = await check();

    assert.match(text, /Blocked/);
    assert.equal(text.includes(DEFAULT_TOKEN), false, text);
  });

  it('lists the steps to the platform', async () => {
    const { text } = await check();

    assert.match(text, /^Connection to http:\/\/127\.0\.0\.1:\d+\/api\/v1$/m);
    assert.match(text, /^• Route: direct \(platform on this machine\)$/m);
    assert.match(text, /^✔ TCP connection to 127\.0\.0\.1:\d+ · [\d,.]+ ms$/m);
    assert.match(
      text,
      /^✔ GET \/deployments\/\{deploymentId\}\/authorization · responded with 404 · [\d,.]+ ms$/m,
    );
  });

  for (const [cause, fault, sentence, button] of [
    ['after a 401', faults.status(401), /^Token rejected \(401\)\. /, 'Sign In...'],
    ['after a 503', faults.status(503), /^Server error \(503\)\. /, 'Check Again'],
    [
      'after a 407',
      faults.status(407),
      /^Proxy authentication required \(407\)\. /,
      'Open Setting',
    ],
    ['after a 400', faults.status(400), /^Request refused \(400\)\. /, 'Show Log'],
    [
      'after a web page with 403',
      page(403, 'Blocked'),
      /^Not from the platform \(403\)\. .*“Blocked”/,
      'Check Again',
    ],
    [
      'after a web page with 404',
      page(404, 'nginx'),
      /^Is the base URL right\? For a made-up ID, a web page \(“nginx”\)/,
      'Sign In...',
    ],
    [
      'after a web page with 405',
      page(405, 'nginx'),
      /^Not from the platform \(405\)\. .* base URL is probably wrong/,
      'Sign In...',
    ],
    [
      'after a web page with 200',
      page(200, 'App'),
      /^Not from the platform \(200\)\. /,
      'Check Again',
    ],
    [
      'after a redirect to another host',
      faults.redirect('https://sso.example/start'),
      /^Redirected \(302\) to .*sso\.example/,
      'Check Again',
    ],
    [
      'after a redirect to a login page',
      faults.redirect('/login'),
      /^Redirected \(302\) to .*login.* token has probably expired/,
      'Sign In...',
    ],
  ] as const) {
    it(`offers ${button} ${cause}`, async () => {
      platform.fault('all', fault);

      const { kind, message, buttons, text, atCursor } = await check();

      assert.equal(kind, 'error');
      assert.match(message, sentence);
      assert.deepEqual(buttons, [button, 'Copy Text']);
      assert.match(atCursor[0]!, /^✖ GET/);
      assert.match(text, /^✖ GET .* · responded with \d+/m);
    });
  }

  const steps: readonly [
    what: string,
    fault: Parameters<typeof platform.fault>[1],
    step: RegExp,
  ][] = [
    [
      'a 401',
      faults.status(401),
      /^Set a valid token in AUTOMATION_PLATFORM_TOKEN and restart VS Code, or sign in\.$/,
    ],
    ['a 503', faults.status(503), /^Try again later\.$/],
    ['a 407', faults.status(407), /http\.proxyAuthorization\.$/],
    [
      'the page of a web filter',
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
    it(`ends text and notification with the next step after ${what}`, async () => {
      platform.fault('all', fault);

      const { message, verdict } = await check();
      const stepInText = verdict.at(-1)!;

      assert.match(stepInText, step);
      assert.equal(message.includes(stepInText), true, `no step in the notification: ${message}`);
    });
  }

  it('advises to connect the VPN or to correct the base URL when the host is not found', async () => {
    const baseUrl = 'https://platform.invalid/api/v1';
    await graph.services.organizations.signIn({ name: 'Nowhere', baseUrl, token: DEFAULT_TOKEN });

    const { message, verdict } = await check();

    assert.equal(verdict.at(-1), 'Connect the VPN, or sign in with the correct base URL.');
    assert.match(message, /Connect the VPN, or sign in with the correct base URL\.$/);
  });

  it('calls the connection OK after a 403 to a listed deployment', async () => {
    platform.fault('all', faults.status(403));

    const { message, verdict } = await check(() => checkConnection(listing('dep_1')));

    assert.equal(message, 'Connection OK.');
    assert.equal(verdict[0], 'Connection OK.');
  });

  it('advises to ask for the permission after a 403 to a listed deployment', async () => {
    platform.fault('all', faults.status(403));

    const { verdict } = await check(() => checkConnection(listing('dep_1')));

    assert.equal(
      verdict.at(-1),
      'Ask an administrator for the permission, or switch to an organization that has it.',
    );
    assert.match(
      verdict[1]!,
      /^Access denied \(403\)\. The token for “environment.*” probably lacks the permission/,
    );
  });

  describe('in a pause after a 429', () => {
    beforeEach(async () => {
      platform.putDeployment('dep_1', healthy());
      platform.fault('all', faults.retryAfter(600));
      await graph.read('dep_1');
      platform.clearRequests();
    });

    it('sends no request', async () => {
      const { text } = await check();

      assert.deepEqual(platform.requests, []);
      assert.match(
        text,
        /^• GET \/deployments\/\{deploymentId\}\/authorization · not sent: paused until [^·]*$/m,
      );
    });

    it('tries the connection', async () => {
      const { text } = await check();

      assert.match(text, /^✔ TCP connection to 127\.0\.0\.1:\d+ · [\d,.]+ ms$/m);
    });

    it('ends with the 429 and the time to try again', async () => {
      const { verdict, buttons } = await check();

      assert.equal(verdict[0], 'Rate limited (429).');
      assert.match(verdict[1]!, /^Try again after /);
      assert.deepEqual(verdict.slice(2), []);
      assert.deepEqual(buttons, ['Check Again', 'Copy Text']);
    });

    it('names the first failed step', async () => {
      await platform.stop();

      const { verdict } = await check();

      assert.match(verdict[0]!, /^First failed step: TCP connection to 127/);
    });
  });

  it('calls a response invalid when its headers break the rules of HTTP', async () => {
    platform.fault(
      'all',
      faults.raw('HTTP/1.1 200 OK\r\nx-policy: a\nb\r\ncontent-length: 2\r\n\r\n{}'),
    );

    const { kind, message, buttons, atCursor } = await check();

    assert.equal(kind, 'error');
    assert.match(message, /^Invalid response\. .* rules of HTTP \(HPE_INVALID\)\. Report this/);
    assert.deepEqual(buttons, ['Check Again', 'Copy Text']);
    assert.match(atCursor[0]!, /^✖ GET .* · Invalid response · /);
  });

  it('calls a response invalid when its body breaks the rules of HTTP', async () => {
    platform.fault(
      'all',
      faults.raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}'),
    );
    const { atCursor } = await check();
    assert.match(atCursor[0]!, /^✖ GET .* · responded with 200 · Invalid response · /);
  });

  for (const [what, fault, origin] of [
    ['a 404', undefined, 'The platform probably answered.'],
    [
      'the page of a web filter',
      page(403, 'Blocked'),
      'A web filter or gateway probably answered, not the platform.',
    ],
    [
      'the page of a web server',
      page(405, 'nginx'),
      'Another web server probably answered, not the platform.',
    ],
    [
      'a web page for a made-up ID',
      page(404, 'Error'),
      'The platform or a gateway in front of it answered.',
    ],
    [
      'an answer that is not HTTP',
      faults.raw('220 smtp.example\r\n'),
      'The platform or a gateway in front of it answered.',
    ],
    ['a 401 with Basic', basicGateway, 'The platform or a gateway in front of it answered.'],
    ['no answer', faults.reset(), 'The platform did not answer.'],
  ] as const) {
    it(`names who answered after ${what}`, async () => {
      if (fault) platform.fault('all', fault);

      const { verdict } = await check();

      assert.equal(verdict[1], origin);
    });
  }

  it('doubts the base URL after a web page with 404 for a listed deployment', async () => {
    platform.fault('all', page(404, 'nginx'));

    const { message } = await check(() => checkConnection(listing('dep_1')));

    assert.match(message, /^Not from the platform \(404\)\. .* base URL is probably wrong/);
  });

  it('does not rule out that the token is right after a 401 of a gateway with Basic', async () => {
    platform.fault('all', basicGateway);

    const { message } = await check();

    assert.match(
      message,
      /^Token rejected \(401\)\. .*If the token is right, .* own sign-in \(“Restricted”\)\.$/,
    );
  });

  it('doubts a web page even when the platform answered before', async () => {
    platform.putDeployment('dep_1', healthy());
    await graph.read('dep_1');
    platform.fault('all', page(404, 'Error'));

    const { message } = await check();

    assert.match(message, /^Not found \(404\)\. .* The answer was a web page \(“Error”\);/);
  });

  it('names the first failed step in an error', async () => {
    const { host } = new URL(platform.baseUrl);
    await platform.stop();

    const { kind, message, buttons, atCursor } = await check();

    const advice = `Check the port in the base URL. If it is right, ask whoever runs ${host} to start the platform.`;
    assert.equal(kind, 'error');
    assert.equal(
      message,
      `First failed step: TCP connection to ${host}. Connection refused. ${advice}`,
    );
    assert.deepEqual(buttons, ['Check Again', 'Copy Text']);
    assert.match(atCursor[0]!, new RegExp(`^✖ TCP connection to ${host} · connection refused`));
  });

  it('puts an IPv6 address into brackets before its port', async () => {
    const baseUrl = 'http://[::1]:1/api/v1';
    await graph.services.organizations.signIn({ name: 'Six', baseUrl, token: DEFAULT_TOKEN });

    await notificationsOf(() => graph.run('checkConnection'));

    const text = vscode.window.activeTextEditor!.document.getText();
    assert.match(text, /^First failed step: TCP connection to \[::1\]:1\. /m);
  });

  it('names a missing client certificate at the request when TLS 1.3 requires one', async function () {
    // Node tells the system's store since 22.15; where it is kept elsewhere than in files, a test can't put anything into it.
    if (process.platform !== 'linux' || !Reflect.has(tls, 'getCACertificates')) this.skip();
    const peer = await startWantingCertificate(readTestCertificate(), 'TLSv1.3');
    atEndOfTest(() => peer.stop());
    const proxy = await startProxy({ knows: { [secretHost]: peer.port } });
    atEndOfTest(() => proxy.stop());
    await writeSetting('http.proxy', `http://127.0.0.1:${proxy.port}`);
    const baseUrl = `https://${secretHost}:${peer.port}/api/v1`;
    await graph.services.organizations.signIn({ name: 'Strict', baseUrl, token: DEFAULT_TOKEN });

    const { message, text } = await check();

    assert.match(text, /^✔ TLS handshake with platform\.test\.example · TLSv1\.3 · /m);
    assert.match(
      text,
      /^✖ GET .* · a client certificate is required, which is not supported \(ERR_SSL_\w+_REQUIRED\) · /m,
    );
    assert.match(
      message,
      /\. Ask whoever runs platform\.test\.example:\d+ for access without a client certificate\.$/,
    );
  });

  describe('with an untrusted certificate', () => {
    beforeEach(async () => {
      const authority = await createAuthority('Private authority');
      const secure = await startPlatform({
        tls: { ...(await authority.issue(['127.0.0.1'])), name: '127.0.0.1' },
      });
      atEndOfTest(() => secure.stop());
      const before = process.env['NODE_EXTRA_CA_CERTS'];
      atEndOfTest(() => {
        if (before === undefined) delete process.env['NODE_EXTRA_CA_CERTS'];
        else process.env['NODE_EXTRA_CA_CERTS'] = before;
      });
      process.env['NODE_EXTRA_CA_CERTS'] = '/absent/authority.pem';
      await graph.services.organizations.signIn({
        name: 'Secure',
        baseUrl: secure.baseUrl,
        token: DEFAULT_TOKEN,
      });
    });

    it('warns of an unreadable file in NODE_EXTRA_CA_CERTS', async () => {
      const { text } = await check();

      assert.match(
        text,
        /^⚠ The file in NODE_EXTRA_CA_CERTS cannot be read \(ENOENT\), so its certificates are not trusted$/m,
      );
    });

    it('names the failed TLS handshake', async () => {
      const { message, text } = await check();

      assert.match(
        text,
        /^✖ TLS handshake with 127\.0\.0\.1 · .* · certificate issuer not trusted on this machine, or /m,
      );
      assert.match(
        message,
        /^First failed step: TLS handshake with 127\.0\.0\.1\. Certificate issuer not trusted /,
      );
    });

    it('advises to install the certificate of the authority', async () => {
      const { message } = await check();

      assert.match(
        message,
        /\. Install the certificate of its authority on this machine, or set NODE_EXTRA_CA_CERTS /,
      );
    });
  });

  it('shows no part of a token in the shortened name of an issuer', async () => {
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
    assert.equal(text.includes(DEFAULT_TOKEN.slice(0, 6)), false, text);
  });

  it('opens its text as a preview under its own title', async () => {
    await check();
    const { label, isPreview } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.equal(label, 'Check Connection');
    assert.equal(isPreview, true);
  });

  it('opens a new text each time', async () => {
    const first = await check();
    await platform.stop();
    const second = await check();

    assert.notEqual(second.text, first.text);
  });

  describe('under its title', () => {
    const otherText = 'Run Check Connection again to see its result.';

    for (const [what, forged] of [
      [
        'another text',
        'automation-platform-text:/Check%20Connection?Sign%20in%20at%20evil.example',
      ],
      ['a number', 'automation-platform-text:/Check%20Connection?1'],
      ['nothing', 'automation-platform-text:/Check%20Connection'],
    ] as const) {
      it(`shows no text of a forged address with ${what}`, async () => {
        assert.equal(await textOf(vscode.Uri.parse(forged)), otherText);
      });
    }

    it('shows no text when the address has another title', async () => {
      await check();
      const { uri } = vscode.window.activeTextEditor!.document;
      assert.equal(await textOf(uri.with({ path: '/Sign In' })), otherText);
    });
  });

  it('advises to put the credentials into HTTPS_PROXY when its proxy answers with 407', async () => {
    const proxy = await startProxy({ authorization: 'Basic bWU6cHc=' });
    atEndOfTest(() => proxy.stop());
    graph = createGraph({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    const baseUrl = 'https://platform.test.example/api/v1';
    await graph.services.organizations.signIn({ name: 'Acme', baseUrl, token: DEFAULT_TOKEN });

    const { message, buttons } = await check();

    assert.match(
      message,
      /with 407\. Put the credentials into the address in HTTPS_PROXY, or set the proxy in /,
    );
    assert.deepEqual(buttons, ['Check Again', 'Copy Text']);
  });

  describe('behind an unusable proxy', () => {
    const baseUrl = 'https://platform.test.example/api/v1';
    const checkBehind = async (env: NodeJS.ProcessEnv) => {
      graph = createGraph(env);
      await graph.services.organizations.signIn({ name: 'Acme', baseUrl, token: DEFAULT_TOKEN });
      return check();
    };

    for (const [what, address, sentence] of [
      [
        'a backslash in its user name',
        'http://CORP\\jdoe:QZXJ1@corp:3128',
        /address in https_proxy\. Write \\ as %5C in https_proxy\.$/,
      ],
      [
        'a path after its port',
        'http://corp:3128/pac',
        /Remove everything after host and port from https_proxy\.$/,
      ],
    ] as const) {
      it(`names the variable with ${what}`, async () => {
        const { message, buttons, text } = await checkBehind({ https_proxy: address });

        assert.match(message, sentence);
        assert.match(text, /^✖ Route: none · no valid proxy address in https_proxy$/m);
        assert.deepEqual(buttons, ['Check Again', 'Copy Text']);
      });

      it(`shows no value of the variable with ${what}`, async () => {
        const { text } = await checkBehind({ https_proxy: address });

        assert.doesNotMatch(text, /corp|QZX|pac\b/i);
      });
    }

    it('names the variable when the proxy is not found', async () => {
      const { message, buttons, text } = await checkBehind({ http_proxy: 'proxy.invalid:3128' });

      assert.match(
        message,
        /^First failed step: DNS lookup of proxy proxy\.invalid\. .* its address in http_proxy\.$/,
      );
      assert.match(text, /^• Route: through proxy http:\/\/proxy\.invalid|\(http_proxy\)/m);
      assert.deepEqual(buttons, ['Check Again', 'Copy Text']);
    });

    it('offers the setting that holds the address', async () => {
      await writeSetting('http.proxy', 'http://127.0.0.1:1');

      const { message, buttons } = await checkBehind({ HTTPS_PROXY: 'http://other.invalid' });

      assert.match(
        message,
        /TCP connection to proxy 127\.0\.0\.1:1\. .* its address in http\.proxy\.$/,
      );
      assert.deepEqual(buttons, ['Open Setting', 'Copy Text']);
    });

    it('offers the setting that holds the credentials', async () => {
      await writeSetting('http.proxy', 'http://127.0.0.1:1');
      await writeSetting('http.proxyAuthorization', 'Basic bWU6cHcü');

      const { message, buttons } = await checkBehind({});

      assert.match(message, /Remove “ü” \(U\+00FC\) from http\.proxyAuthorization\.$/);
      assert.deepEqual(buttons, ['Open Setting', 'Copy Text']);
    });
  });

  it('stops when the user signs out of its organization', async () => {
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

  it('sends no request when another tab of the browser signs out while it connects', async () => {
    const { id } = await signIn();
    const { client } = graph.services;
    const read = client.getDeploymentAuthorization.bind(client);
    client.getDeploymentAuthorization = async (...args) => {
      await graph.context.globalState.update('signInMarks', { [id]: 'signedOut' });
      return read(...args);
    };
    assert.match(
      await rejectionOf(graph.run('checkConnection')),
      /because the sign-in to “Acme” has changed/,
    );
    assert.deepEqual(platform.requests, []);
  });

  it('shows an error when the text cannot be copied', async () => {
    const locked = { writeText: () => Promise.reject(new Error('The clipboard is locked.')) };
    replace(vscode.env, { clipboard: locked });

    const [, copyError] = await notificationsOf(() => graph.run('checkConnection'), 'Copy Text');

    assert.match(copyError!.join(), /^error,.*The clipboard is locked/);
  });
});
