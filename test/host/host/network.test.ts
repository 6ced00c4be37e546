import { strict as assert } from 'node:assert';
import tls from 'node:tls';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Network } from '../../../src/host/network.js';
import type { Editor } from '../../../src/host/userSetting.js';
import { readTestCertificate, secretHost } from '../../support/certificatesForTests.js';
import { ManualClock } from '../../support/manualClock.js';
import { DEFAULT_TOKEN, healthy } from '../../support/platform/data.js';
import { startProxy } from '../../support/platform/proxy.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';
import { replace } from '../../support/window/windowRecorder.js';

const minute = 60_000;
const switches = { proxySupportOff: false, systemCertificates: true, proxyStrictSSL: true };

describe('network settings', () => {
  let secrets: KnownSecrets;
  const clock = new ManualClock();
  const states = new vscode.EventEmitter<vscode.WindowState>();
  let network: Network;
  /** How often connections and routes had to be made anew. */
  let changeEvents: number;
  let lines: string[];
  const log = { warnOnce: (line: string) => lines.push(line) };
  /** The network of a window with these environment variables. */
  const open = (env: NodeJS.ProcessEnv = {}, editor?: Editor) => {
    changeEvents = 0;
    secrets = new KnownSecrets();
    lines = [];
    const window = { onDidChangeWindowState: states.event };
    network = new Network({ secrets, log, env, now: clock.now, window, editor });
    network.onDidChange(() => {
      changeEvents += 1;
    });
    return network;
  };
  afterEach(() => network.dispose());

  it('are by default the variables of the environment and the defaults of VS Code', () => {
    const { routeSettings } = open({
      HTTPS_PROXY: ' http://user:hush%21hush@a:1 ',
      https_proxy: 'http://user:still@a:1',
      HTTP_PROXY: ' "" ',
      http_proxy: 'user:quiet%@b:2',
      NO_PROXY: ' a.example,localhost  .host.example',
    });
    assert.deepEqual(routeSettings, {
      ...switches,
      proxies: [
        { source: 'HTTPS_PROXY', address: 'http://user:hush%21hush@a:1' },
        { source: 'https_proxy', address: 'http://user:still@a:1' },
        { source: 'http_proxy', address: 'user:quiet%@b:2' },
      ],
      noProxy: ['a.example', 'localhost', '.host.example'],
      proxyAuthorization: '',
    });
  });

  for (const [variable, password] of [
    ['HTTPS_PROXY', 'hush!hush'],
    ['https_proxy', 'still'],
    ['http_proxy', 'quiet%'],
  ] as const) {
    it(`have a password that is redacted in texts, unlike the user name (${variable})`, () => {
      open({
        HTTPS_PROXY: 'http://user:hush%21hush@a:1',
        https_proxy: 'http://user:still@a:1',
        http_proxy: 'user:quiet%@b:2',
      });
      assert.equal(secrets.redact(`${password} user`), '[redacted] user');
    });
  }

  it('have a password that is not redacted in answers, which may have the word by chance', () => {
    open({ HTTPS_PROXY: 'http://user:hush%21hush@a:1' });
    assert.equal(secrets.redactValue('hush!hush'), 'hush!hush');
  });

  it('follow each change of a setting of VS Code', async () => {
    open();
    await writeSetting('http.proxySupport', 'off');
    assert.equal(network.routeSettings.proxySupportOff, true);
    await writeSetting('http.noProxy', ['internal.example']);
    assert.equal(network.routeSettings.noProxy[0], 'internal.example');
    await writeSetting('http.proxyAuthorization', 'Basic dXNlcjpodXNo');
    assert.equal(network.routeSettings.proxyAuthorization, 'Basic dXNlcjpodXNo');
    assert.equal(changeEvents, 3);
  });

  it('have credentials in http.proxyAuthorization that are redacted', async () => {
    open();
    await writeSetting('http.proxyAuthorization', 'Basic dXNlcjpodXNo');
    assert.equal(secrets.redact('Basic dXNlcjpodXNo'), 'Basic [redacted]');
  });

  it('are ignored and logged in a remote window of an old fork that hides their source', () => {
    const values: Readonly<Record<string, unknown>> = {
      proxy: 'http://whose.example:3128',
      proxySupport: 'off',
      noProxy: ['whose.example'],
      proxyAuthorization: 'Basic whose',
      proxyStrictSSL: false,
      systemCertificates: false,
    };
    const inspect = (key: string) => ({ globalValue: values[key], defaultValue: undefined });
    replace(vscode.workspace, { getConfiguration: () => ({ inspect }) });
    const { routeSettings: route } = open({}, { remoteName: 'dev-container', version: '1.105.1' });
    assert.deepEqual(route, { ...switches, proxies: [], noProxy: [''], proxyAuthorization: '' });
    const reason = 'this editor does not say whether it is yours or the remote machine’s';
    const expected = Object.keys(values).map(
      (key) => `The setting http.${key} is not used in this remote window: ${reason}.`,
    );
    assert.deepEqual(lines.toSorted(), expected.toSorted());
  });

  function wakeUpAfter(pass: () => void): void {
    states.fire({ focused: false, active: false });
    pass();
    states.fire({ focused: true, active: true });
  }

  describe('of a window that wakes up', () => {
    it('keep the routes after four minutes', () => {
      open();
      wakeUpAfter(() => clock.pass(4 * minute));
      assert.equal(changeEvents, 0);
    });

    for (const [when, pass] of [
      ['after five minutes of sleep', () => clock.sleep(5 * minute)],
      ['when the clock was set back', () => clock.setBack(60 * minute)],
    ] as const) {
      it(`lead to new routes ${when}`, () => {
        open();
        wakeUpAfter(pass);
        assert.equal(changeEvents, 1);
      });
    }
  });
});

describe('a read through http.proxy', () => {
  let world: World;
  let proxy: Awaited<ReturnType<typeof startProxy>>;

  beforeEach(async function () {
    // Node tells the system's store since 22.15; where it is kept elsewhere than in files, a test can't put anything into it.
    if (process.platform !== 'linux' || !Reflect.has(tls, 'getCACertificates')) this.skip();
    world = await startWorld({ tls: { ...readTestCertificate(), name: secretHost } });
    const { platform, graph } = world;
    platform.putDeployment('dep_1', healthy());
    const port = Number(new URL(platform.baseUrl).port);
    proxy = await startProxy({ knows: { [secretHost]: port } });
    atEndOfTest(() => proxy.stop());
    graph.services.store.setListed([{ id: 'dep_1' }]);
    await writeSetting('http.proxy', `http://127.0.0.1:${proxy.port}`);
  });

  /** The step at which the read fails, or `undefined` when it does not. */
  async function failedStep(): Promise<string | undefined> {
    const { store } = world.graph.services;
    await store.refresh(['dep_1']);
    const failure = store.cause?.kind === 'failure' ? store.cause.failure : undefined;
    return failure?.kind === 'unreachable' ? failure.cause.step : failure?.kind;
  }

  it('reaches a host that only the proxy knows, by a CA of the machine', async () => {
    assert.equal(await failedStep(), undefined);
    assert.equal(world.graph.services.store.get('dep_1')?.state, 'satisfied');
    assert.match(proxy.requests[0] ?? '', new RegExp(`^CONNECT ${secretHost}:\\d+ HTTP/1\\.1\r\n`));
  });

  it('sends the token to the platform alone', async () => {
    await failedStep();
    const sentToPlatform = world.platform.requests.map(({ headers }) => headers.authorization);
    assert.deepEqual(sentToPlatform, [`Bearer ${DEFAULT_TOKEN}`]);
    assert.equal(proxy.requests.join().includes(DEFAULT_TOKEN), false);
  });

  it('trusts no authority of the machine without http.systemCertificates', async () => {
    await writeSetting('http.systemCertificates', false);
    assert.equal(await failedStep(), 'tls');
    assert.deepEqual(world.platform.requests, []);
  });

  it('verifies the certificate of the platform even without http.proxyStrictSSL', async () => {
    await writeSetting('http.systemCertificates', false);
    await writeSetting('http.proxyStrictSSL', false);
    assert.equal(await failedStep(), 'tls');
    assert.deepEqual(world.platform.requests, []);
  });
});

it('A read on a kept connection that stays silent is sent once more on another one', async () => {
  const { platform, graph } = await startWorld();
  platform.putDeployment('dep_1', healthy());
  await writeSetting('automationPlatform.requestTimeout', 4);
  await graph.read('dep_1');
  platform.fault('all', { raw: '', ending: 'open', times: 1 });

  await graph.services.store.refresh(['dep_1']);

  assert.equal(graph.services.store.get('dep_1')?.failedRead, undefined);
  assert.equal(platform.requests.length, 3);
  const [kept, silent] = platform.requests.map(({ connection }) => connection);
  assert.equal(silent, kept);
});
