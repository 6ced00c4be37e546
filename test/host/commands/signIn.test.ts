import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { signIn } from '../../../src/commands/organizations/signIn.js';
import { DEFAULT_TOKEN } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { watchRejections } from '../hostile/rejections.js';
import { createGraph, type Graph } from './graph.js';
import { accept, dismiss, turn } from './quickInput.js';

/** VS Code's own input boxes, so that a test can type what no command can, and read what they say. */
class Boxes {
  private readonly create = vscode.window.createInputBox;
  private pressed: ((button: vscode.QuickInputButton) => void) | undefined;
  private open: vscode.InputBox | undefined;

  constructor() {
    Reflect.set(vscode.window, 'createInputBox', () => {
      const box = this.create();
      // No command presses a button of ours.
      const value = (listener: (button: vscode.QuickInputButton) => void) => {
        this.pressed = listener;
        return new vscode.Disposable(() => {});
      };
      Object.defineProperty(box, 'onDidTriggerButton', { value });
      box.onDidHide(() => (this.open = undefined));
      this.open = box;
      return box;
    });
  }

  restore(): void {
    Reflect.set(vscode.window, 'createInputBox', this.create);
  }

  async next(): Promise<vscode.InputBox> {
    while (!this.open) await new Promise((resolve) => setTimeout(resolve, 5));
    await turn();
    return this.open;
  }

  /** Types the text, if one is given, and presses Enter. */
  async answer(text?: string): Promise<void> {
    const box = await this.next();
    if (text !== undefined) box.value = text;
    await accept();
  }

  async press(tooltip: string): Promise<void> {
    const box = await this.next();
    const button = box.buttons.find((one) => one.tooltip === tooltip);
    assert.ok(button, `no button ${tooltip}`);
    this.pressed?.(button);
  }
}

const token = 'new-token-4f1c77ab';

function reasonOf({ validationMessage }: vscode.InputBox): string | undefined {
  return typeof validationMessage === 'object' ? validationMessage.message : validationMessage;
}

describe('Sign In', () => {
  const rejections = watchRejections();
  let service: Service;
  let graph: Graph;
  let boxes: Boxes;
  let said: string[];
  const { showInformationMessage, withProgress } = vscode.window;

  beforeEach(async () => {
    service = await startService();
    service.putToken(token);
    graph = createGraph();
    await graph.services.organizations.ready;
    boxes = new Boxes();
    said = [];
    Reflect.set(vscode.window, 'showInformationMessage', async (text: string) => void said.push(text));
  });
  afterEach(async () => {
    await dismiss();
    boxes.restore();
    Object.assign(vscode.window, { showInformationMessage, withProgress });
    await graph.dispose();
    await service.stop();
  });
  after(() => assert.deepEqual(rejections.seen, []));

  const begin = async (answers: { baseUrl?: string; token?: string; name?: string } = {}) => {
    const done = signIn(graph.services);
    await boxes.answer(answers.baseUrl ?? service.baseUrl);
    await boxes.answer(answers.token ?? token);
    await boxes.answer(answers.name ?? 'Acme');
    return { done };
  };
  const saved = () => graph.services.organizations.list.map(({ name }) => name);

  it('sends one request without effects with the token, and says what came of it', async () => {
    const { done } = await begin();
    assert.equal(await done, graph.services.organizations.current?.id);
    assert.deepEqual(
      service.requests.map(({ method, path, headers }) => [method, path, headers.authorization]),
      [['GET', '/api/v1/deployments/sign-in-check/authorization', `Bearer ${token}`]],
    );
    const { host } = new URL(service.baseUrl);
    assert.deepEqual(said, [`Signed in to “Acme”. ${host} answered 404. The token was not rejected.`]);
  });

  for (const status of [403, 429, 503]) {
    it(`saves after ${status}, without a repeat and without a pause`, async () => {
      service.fault('all', faults.status(status));
      const { done } = await begin();
      const id = await done;
      assert.ok(id);
      assert.equal(service.requests.length, 1);
      assert.match(said.join(), new RegExp(`answered ${status}\\. The token was not rejected\\.$`));
      assert.equal(graph.services.client.pausedUntil(id), undefined);
    });
  }

  it('leads back to a rejected token, which is neither saved nor logged', async () => {
    const { done } = await begin({ token: 'wrong-token-0815' });
    const box = await boxes.next();
    assert.equal(reasonOf(box), 'Token rejected (401). Paste another token or choose Save Anyway.');
    assert.deepEqual([box.step, box.value, box.password], [2, 'wrong-token-0815', true]);
    assert.deepEqual(saved(), []);
    assert.equal(graph.secrets.shared.values.size, 0);
    assert.equal(graph.lines.join('\n').includes('wrong-token-0815'), false);
    await boxes.answer(token);
    await boxes.answer();
    assert.equal(graph.services.organizations.target((await done)!, 'access')?.token, token);
  });

  it('saves a rejected token anyway, if that is wanted, without another request', async () => {
    const { done } = await begin({ token: 'wrong-token-0815' });
    await boxes.next();
    await boxes.press('Save Anyway');
    await done;
    assert.deepEqual(saved(), ['Acme']);
    assert.equal(service.requests.length, 1);
    assert.deepEqual(said, ['Saved the token of “Acme” without a successful check.']);
  });

  for (const [name, reason, fault] of [
    ['a redirect', /^Redirected \(302\) to other\.example\. Correct/, faults.redirect('https://other.example/')],
    ['407', /^Proxy authentication required \(407\)\. Correct/, faults.status(407)],
    ['a lost connection', /^Connection lost\. Correct/, faults.reset()],
  ] as const) {
    it(`leads back to the base URL after ${name}, with everything that was typed`, async () => {
      service.fault('all', fault);
      const { done } = await begin();
      const box = await boxes.next();
      assert.match(reasonOf(box) ?? '', reason);
      assert.match(reasonOf(box) ?? '', /Correct the base URL or choose Save Anyway\.$/);
      assert.deepEqual([box.step, box.value], [1, service.baseUrl]);
      assert.equal(service.requests.length, 1);
      assert.deepEqual(saved(), []);
      service.clearFaults();
      for (let step = 0; step < 3; step++) await boxes.answer();
      await done;
      assert.deepEqual(saved(), ['Acme']);
    });
  }

  it('leads back to the base URL if nothing is reached, and says where it looked', async () => {
    const { done } = await begin({ baseUrl: 'https://nobody.invalid/api/v1' });
    const reason = reasonOf(await boxes.next()) ?? '';
    assert.match(reason, /^Unreachable \(DNS\)\. nobody\.invalid: .*(?:ENOTFOUND|EAI_AGAIN)/);
    await dismiss();
    assert.deepEqual([await done, saved()], [undefined, []]);
  });

  it('changes nothing when the trial is cancelled', async () => {
    service.fault('all', faults.hold());
    const cancellation = new vscode.CancellationTokenSource();
    const run: typeof withProgress = ({ cancellable }, task) => {
      assert.equal(cancellable, true);
      return task({ report: () => undefined }, cancellation.token);
    };
    Reflect.set(vscode.window, 'withProgress', run);
    const { done } = await begin();
    await service.waitForRequests(1);
    cancellation.cancel();
    assert.equal(await done, undefined);
    assert.deepEqual([saved(), said], [[], []]);
  });

  it('asks for nothing but the new token of an organization that is known', async () => {
    const { organizations } = graph.services;
    const { id } = await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
    const done = signIn(graph.services, { name: 'Acme', baseUrl: service.baseUrl });
    const box = await boxes.next();
    assert.match(box.prompt ?? '', /^The new access token of “Acme”\. .* only sent to 127\.0\.0\.1:\d+\.$/);
    assert.deepEqual([box.step, box.buttons], [undefined, []]);
    await boxes.answer('wrong-token-0815');
    assert.match(reasonOf(await boxes.next()) ?? '', /^Token rejected \(401\)/);
    service.fault('all', faults.redirect('https://other.example/'));
    await boxes.answer(token);
    assert.match(reasonOf(await boxes.next()) ?? '', /^Redirected/);
    service.clearFaults();
    await boxes.answer();
    assert.equal(await done, id);
    assert.equal(organizations.target(id, 'access')?.token, token);
    assert.match(said.join(), /^Replaced the token of “Acme”\./);
  });
});
