import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Network } from '../../../src/host/network.js';

async function write(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('http', null).update(key, value, vscode.ConfigurationTarget.Global);
}

describe('network settings', () => {
  const secrets = new KnownSecrets();
  let network: Network;
  afterEach(async () => {
    network.dispose();
    for (const key of ['proxy', 'noProxy', 'proxySupport']) await write(key, undefined);
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

  it('follow a change, and say so', async () => {
    network = new Network(secrets, {});
    assert.equal(network.route.proxy, '');
    let changes = 0;
    network.onDidChange(() => changes++);
    await write('proxySupport', 'off');
    await write('noProxy', ['internal.example', '']);
    assert.equal(network.route.proxySupport, 'off');
    assert.deepEqual(network.route.noProxy, ['internal.example']);
    assert.equal(changes, 2);
  });
});
