import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ServiceAddress, type ServiceChild, spawnService } from '../../support/service/child.js';
import { ServiceControl } from '../../support/service/client.js';
import { DEFAULT_SESSION_TOKEN, DEFAULT_TOKEN, healthy, install } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { ask, askRaw } from './ask.js';

const PATH = '/deployments/dep_1/authorization';
const INSTALL = '3f2b8c1e-5d4a-4e7b-9a6f-0c1d2e3f4a5b';
const MAIN = fileURLToPath(new URL('../../support/service/main.js', import.meta.url));

describe('service: control over HTTP', () => {
  let service: Service;
  let control: ServiceControl;

  beforeEach(async () => {
    service = await startService();
    control = new ServiceControl(service.controlUrl);
  });

  afterEach(() => service.stop());

  it('puts and deletes', async () => {
    assert.equal(await control.baseUrl(), service.baseUrl);
    await control.putDeployment('dep_1', healthy());
    await control.putInstall(INSTALL.toUpperCase(), install());
    await control.putApiKey('key_1');
    await control.putToken('second', { permissions: [] });
    assert.deepEqual(service.data.deployments.get('dep_1'), healthy());
    assert.deepEqual(service.data.installs.get(INSTALL), install());
    assert.deepEqual(await control.data(), service.data);
    await control.deleteDeployment('dep_1');
    await control.deleteInstall(INSTALL);
    await control.deleteApiKey('key_1');
    await control.deleteToken('second');
    const { deployments, installs, apiKeys, tokens } = service.data;
    assert.deepEqual([deployments.size, installs.size, apiKeys.size, [...tokens.keys()]], [0, 0, 0, [DEFAULT_TOKEN]]);
  });

  it('replaces data whole, Maps and Sets included', async () => {
    await control.putData({ deployments: new Map([['dep_1', healthy()]]), apiKeys: new Set(['a', 'b']) });
    assert.equal((await ask(service, PATH)).status, 200);
    assert.deepEqual(service.data.apiKeys, new Set(['a', 'b']));
  });

  it('sets faults, with bytes in them, and clears them', async () => {
    await control.fault({ id: 'dep_1' }, faults.raw(Buffer.from([1, 0, 255])));
    assert.deepEqual([...(await askRaw(service, PATH)).bytes], [1, 0, 255]);
    await control.clearFaults({ id: 'dep_1' });
    assert.equal((await ask(service, PATH)).status, 404);
    await control.fault('all', faults.status(500));
    await control.clearFaults();
    assert.equal((await ask(service, PATH)).status, 404);
  });

  it('waits for requests, releases them and reads what was recorded', async () => {
    await control.fault('all', faults.hold());
    const waiting = control.waitForRequests(1, { state: 'held', operation: 'getDeploymentAuthorization' });
    const asked = ask(service, `${PATH}?a=1`);
    const [held] = await waiting;
    assert.deepEqual([held?.path, held?.query, held?.route.id], [`/api/v1${PATH}`, 'a=1', 'dep_1']);
    assert.equal(held?.headers.authorization, `Bearer ${DEFAULT_TOKEN}`);
    assert.equal(await control.release('all', 1), 1);
    await asked;
    assert.deepEqual(
      (await control.requests()).map(({ state }) => state),
      ['answered'],
    );
    await control.clearRequests();
    assert.deepEqual(await control.requests(), []);
  });

  it('resets everything to the start', async () => {
    await control.putDeployment('dep_1', healthy());
    await control.fault('all', faults.hold());
    const asked = ask(service, PATH);
    await control.waitForRequests(1, { state: 'held' });
    await control.reset();
    assert.equal((await asked).status, 200);
    assert.equal((await ask(service, PATH)).status, 404);
    assert.equal((await control.requests()).length, 1);
  });

  it('says what went wrong', async () => {
    await assert.rejects(control.waitForRequests(1, {}, 20), /waitForRequests: .*0 of 1 requests/);
    await control.stop();
    await assert.rejects(ask(service, PATH), { code: 'ECONNREFUSED' });
    await assert.rejects(control.requests(), { code: 'ECONNREFUSED' });
  });

  it('does nothing for a web page, which cannot send this content type unasked', async () => {
    const answer = await fetch(`${service.controlUrl}/reset`, { method: 'POST', body: '[]' });
    assert.equal(answer.status, 404);
    const unknown = await fetch(`${service.controlUrl}/start`, {
      method: 'POST',
      body: '[]',
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(unknown.status, 404);
  });
});

describe('service: as a process', () => {
  let child: ServiceChild | undefined;

  afterEach(() => child?.stop());

  it('serves what its arguments ask for', async () => {
    child = await spawnService(['--sample', '--deployments', '30', '--session-token']);
    assert.deepEqual([child.token, child.sessionToken], [DEFAULT_TOKEN, DEFAULT_SESSION_TOKEN]);
    const codes = await Promise.all(
      ['dep_00030', 'dep_00031', 'dep_lead_intake'].map(
        async (id) => (await ask(child ?? { baseUrl: '' }, `/deployments/${id}/authorization`)).status,
      ),
    );
    assert.deepEqual(codes, [200, 404, 200]);
    assert.equal((await child.control.requests()).length, 3);
  });

  it('ends on request, by signal or over its control port', async () => {
    const one = await spawnService();
    await one.stop();
    assert.equal(alive(one.pid), false);
    const two = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: two.stdout }), 'line');
    const address: ServiceAddress = JSON.parse(String(line));
    const exited = once(two, 'exit');
    await new ServiceControl(address.controlUrl).stop();
    assert.deepEqual(await exited, [0, null]);
  });

  it('ends when its standard input closes, if asked to', async () => {
    const one = spawn(process.execPath, [MAIN, '--end-with-stdin'], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(one.stdout, 'data');
    const exited = once(one, 'exit');
    one.stdin.end();
    assert.deepEqual(await exited, [0, null]);
  });

  it('ends with a parent that was killed', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const script = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(MAIN)}], { stdio: ['ignore', 'inherit', 'inherit'] })`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: parent.stdout });
    const [line] = await once(lines, 'line');
    const { baseUrl }: ServiceAddress = JSON.parse(String(line));
    assert.equal((await ask({ baseUrl }, PATH)).status, 404);
    parent.kill('SIGKILL');
    // The pipe closes when the last process that has it is gone.
    await once(lines, 'close');
    await assert.rejects(ask({ baseUrl }, PATH), { code: 'ECONNREFUSED' });
  });
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
