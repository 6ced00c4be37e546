import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Network } from '../../../src/host/network.js';
import { ManualClock } from '../../support/manualClock.js';
import { writeSetting } from '../../support/window/settings.js';

const minute = 60_000;

describe('network settings', () => {
  const secrets = new KnownSecrets();
  const clock = new ManualClock();
  const states = new vscode.EventEmitter<vscode.WindowState>();
  let network: Network;
  let forgotten: number;
  const open = (env: NodeJS.ProcessEnv = {}) => {
    forgotten = 0;
    network = new Network(secrets, env, clock.now, { onDidChangeWindowState: states.event });
    network.onDidChange(() => forgotten++);
    return network;
  };
  afterEach(() => network.dispose());

  it('are the defaults of VS Code and the environment variables in either case, and their credentials are secret', () => {
    const environment = { httpsProxy: 'http://user:hush%21hush@a:1', httpProxy: 'user:quiet%@b:2' };
    const { route } = open({
      HTTPS_PROXY: ` ${environment.httpsProxy} `,
      http_proxy: environment.httpProxy,
      NO_PROXY: '',
    });
    const switches = { proxySupport: 'override', systemCertificates: true, proxyStrictSSL: true } as const;
    assert.deepEqual(route, { ...switches, proxy: '', noProxy: [], environment });
    // In texts; a good answer may contain the same words by chance.
    assert.equal(secrets.redact('hush!hush quiet% user'), '[redacted] [redacted] user');
    assert.equal(secrets.redactData('hush!hush'), 'hush!hush');
  });

  it('follow a change, and drop the routes', async () => {
    open();
    await writeSetting('http.proxySupport', 'off');
    await writeSetting('http.noProxy', ['internal.example', '']);
    await writeSetting('http.proxyAuthorization', 'Basic dXNlcjpodXNo');
    const { proxySupport, noProxy, proxyAuthorization } = network.route;
    assert.deepEqual([proxySupport, noProxy, proxyAuthorization], ['off', ['internal.example'], 'Basic dXNlcjpodXNo']);
    assert.equal(secrets.redact('Basic dXNlcjpodXNo'), 'Basic [redacted]');
    assert.equal(forgotten, 3);
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
