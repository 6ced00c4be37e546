import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { forgetRoutes, Network } from '../../../src/host/network.js';
import { ManualClock } from '../../unit/model/manualClock.js';

const minute = 60_000;

async function write(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('http', null).update(key, value, vscode.ConfigurationTarget.Global);
}

describe('network settings', () => {
  const secrets = new KnownSecrets();
  let network: Network;
  afterEach(async () => {
    network.dispose();
    for (const key of ['noProxy', 'proxySupport', 'proxyAuthorization']) await write(key, undefined);
  });

  it('are the defaults of VS Code and the variables of the environment, in either case', () => {
    network = new Network(secrets, { HTTPS_PROXY: ' http://a:1 ', http_proxy: 'http://b:2', NO_PROXY: '' });
    assert.deepEqual(network.route, {
      proxySupport: 'override',
      proxy: '',
      noProxy: [],
      systemCertificates: true,
      proxyStrictSSL: true,
      environment: { httpsProxy: 'http://a:1', httpProxy: 'http://b:2' },
    });
  });

  it('have credentials that are redacted in texts, and no words of a good answer', () => {
    network = new Network(secrets, { HTTPS_PROXY: 'http://user:hush%21hush@a:1' });
    assert.equal(network.route.environment.httpsProxy, 'http://user:hush%21hush@a:1');
    assert.equal(secrets.redact('user:hush!hush').includes('hush'), false);
    assert.equal(secrets.redactData('hush!hush'), 'hush!hush');
  });

  it('follow a change, and have the routes forgotten', async () => {
    network = new Network(secrets, {});
    assert.equal(network.route.proxySupport, 'override');
    let forgotten = 0;
    const routes = forgetRoutes(network, () => forgotten++, Date.now, vscode.window);
    await write('proxySupport', 'off');
    await write('noProxy', ['internal.example', '']);
    await write('proxyAuthorization', 'Basic dXNlcjpodXNo');
    const { proxySupport, noProxy, proxyAuthorization } = network.route;
    assert.deepEqual([proxySupport, noProxy, proxyAuthorization], ['off', ['internal.example'], 'Basic dXNlcjpodXNo']);
    assert.equal(secrets.redact('dXNlcjpodXNo'), '[redacted]');
    assert.equal(forgotten, 3);
    routes.dispose();
  });
});

describe('routes', () => {
  it('are forgotten when the window wakes up after five minutes, also if the clock was set back meanwhile', () => {
    const clock = new ManualClock();
    const state = new vscode.EventEmitter<vscode.WindowState>();
    let forgotten = 0;
    const network = { onDidChange: new vscode.EventEmitter<void>().event };
    const routes = forgetRoutes(network, () => forgotten++, clock.now, { onDidChangeWindowState: state.event });
    const times = [() => clock.pass(4 * minute), () => clock.sleep(5 * minute), () => clock.setBack(60 * minute)].map(
      (pass) => {
        state.fire({ focused: false, active: false });
        pass();
        state.fire({ focused: true, active: true });
        return forgotten;
      },
    );
    assert.deepEqual(times, [0, 1, 2]);
    routes.dispose();
  });
});
