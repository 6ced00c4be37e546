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
import { startWorld } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';
import { replace } from '../../support/window/windowRecorder.js';

const minute = 60_000;
const switches = { proxySupportOff: false, systemCertificates: true, proxyStrictSSL: true };

describe('network settings', () => {
  const secrets = new KnownSecrets();
  const clock = new ManualClock();
  const states = new vscode.EventEmitter<vscode.WindowState>();
  let network: Network;
  let forgotten: number;
  let lines: string[];
  const log = { warnOnce: (line: string) => lines.push(line) };
  const open = (env: NodeJS.ProcessEnv = {}, editor?: Editor) => {
    forgotten = 0;
    lines = [];
    const window = { onDidChangeWindowState: states.event };
    network = new Network({ secrets, log, env, now: clock.now, window, editor });
    network.onDidChange(() => forgotten++);
    return network;
  };
  afterEach(() => network.dispose());

  it('are the defaults of VS Code and the environment variables in either case, and their credentials are secret', () => {
    const proxies = [
      { source: 'HTTPS_PROXY', address: 'http://user:hush%21hush@a:1' },
      { source: 'https_proxy', address: 'http://user:still@a:1' },
      { source: 'http_proxy', address: 'user:quiet%@b:2' },
    ] as const;
    const { routeSettings: route } = open({
      HTTPS_PROXY: ` ${proxies[0].address} `,
      https_proxy: proxies[1].address,
      HTTP_PROXY: ' "" ',
      http_proxy: proxies[2].address,
      NO_PROXY: ' a.example,localhost  .host.example',
    });
    const noProxy = ['a.example', 'localhost', '.host.example'];
    assert.deepEqual(route, { ...switches, proxies, noProxy, proxyAuthorization: '' });
    // In texts; a good answer may contain the same words by chance.
    assert.equal(
      secrets.redact('hush!hush quiet% still user'),
      '[redacted] [redacted] [redacted] user',
    );
    assert.equal(secrets.redactValue('hush!hush'), 'hush!hush');
  });

  it('follow a change, and drop the routes', async () => {
    open();
    await writeSetting('http.proxySupport', 'off');
    await writeSetting('http.noProxy', ['internal.example']);
    await writeSetting('http.proxyAuthorization', 'Basic dXNlcjpodXNo');
    const { proxySupportOff, noProxy, proxyAuthorization } = network.routeSettings;
    assert.deepEqual(
      [proxySupportOff, noProxy[0], proxyAuthorization],
      [true, 'internal.example', 'Basic dXNlcjpodXNo'],
    );
    assert.equal(secrets.redact('Basic dXNlcjpodXNo'), 'Basic [redacted]');
    assert.equal(forgotten, 3);
  });

  it('do not count in a remote window of an old fork that does not say whose they are, which the log says', () => {
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

  it('drop the routes when the window wakes up after five minutes, or the clock was set back', () => {
    open();
    for (const [pass, times] of [
      [() => clock.pass(4 * minute), 0],
      [() => clock.sleep(5 * minute), 1],
      [() => clock.setBack(60 * minute), 2],
    ] as const) {
      states.fire({ focused: false, active: false });
      pass();
      states.fire({ focused: true, active: true });
      assert.equal(forgotten, times);
    }
  });
});

it('the route of the window’s own settings leads through http.proxy to a name that only the proxy knows, with a certificate of the machine’s own authority', async function () {
  // Node tells the system's store since 22.15; where it is kept elsewhere than in files, a test can't put anything into it.
  if (process.platform !== 'linux' || !Reflect.has(tls, 'getCACertificates')) this.skip();
  const { platform, graph } = await startWorld({
    tls: { ...readTestCertificate(), name: secretHost },
  });
  platform.putDeployment('dep_1', healthy());
  const proxy = await startProxy({
    knows: { [secretHost]: Number(new URL(platform.baseUrl).port) },
  });
  atEndOfTest(() => proxy.stop());
  const { store } = graph.services;
  store.setListed([{ id: 'dep_1' }]);
  /** Where on the way the read failed, if it did. */
  const read = async (): Promise<string | undefined> => {
    await store.refresh(['dep_1']);
    const failure = store.cause?.kind === 'failure' ? store.cause.failure : undefined;
    return failure?.kind === 'unreachable' ? failure.cause.step : failure?.kind;
  };
  await writeSetting('http.proxy', `http://127.0.0.1:${proxy.port}`);
  assert.equal(await read(), undefined);
  assert.equal(store.get('dep_1')?.state, 'satisfied');
  assert.match(proxy.requests[0] ?? '', new RegExp(`^CONNECT ${secretHost}:\\d+ HTTP/1\\.1\r\n`));
  assert.equal(proxy.requests.join().includes(DEFAULT_TOKEN), false);
  await writeSetting('http.systemCertificates', false);
  assert.equal(await read(), 'tls', 'its authority is not asked');
  await writeSetting('http.proxyStrictSSL', false);
  assert.equal(await read(), 'tls', 'the certificate of the platform is verified all the same');
  const sent = platform.requests.map(({ headers }) => headers.authorization);
  assert.deepEqual(sent, [`Bearer ${DEFAULT_TOKEN}`]);
});

it('a read on a kept connection that stays silent is sent once more, and the row is read', async () => {
  const { platform, graph } = await startWorld();
  platform.putDeployment('dep_1', healthy());
  await writeSetting('automationPlatform.requestTimeout', 4);
  await graph.read('dep_1');
  platform.fault('all', { raw: '', ending: 'open', times: 1 });
  await graph.services.store.refresh(['dep_1']);
  assert.equal(graph.services.store.get('dep_1')?.failedRead, undefined);
  assert.equal(platform.requests.length, 3);
  const connections = platform.requests.map(({ connection }) => connection);
  assert.equal(connections[1], connections[0], 'the first try was on the kept one');
});
