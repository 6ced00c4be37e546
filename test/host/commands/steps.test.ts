import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { askInSteps, askOneText, type Question, type TextQuestion } from '../../../src/commands/questions.js';
import { settle } from '../../support/window/windowRecorder.js';

const ask = (value: string, question: Partial<TextQuestion>) =>
  askOneText('Title', { prompt: 'Prompt', ...question }, value);

type Key = () => Promise<void>;

const [accept, dismiss, goBack] = [
  pressing('workbench.action.acceptSelectedQuickOpenItem'),
  pressing('workbench.action.closeQuickOpen'),
  pressing('workbench.action.quickInputBack'),
];

/** Messages of VS Code that arrive together are handled before the promises in between, so a key waits for an answer to another command. */
function pressing(command: string): Key {
  return async () => {
    for (let trip = 0; trip < 2; trip++) {
      await vscode.commands.executeCommand('setContext', 'automationPlatform.test', trip);
    }
    await vscode.commands.executeCommand(command);
    await settle();
  };
}

async function answering<T>(work: Promise<T>, ...keys: readonly Key[]): Promise<T> {
  await settle();
  for (const press of keys) await press();
  return work;
}

describe('questions', () => {
  /** What was checked. */
  let checked: string[];
  beforeEach(() => {
    checked = [];
  });
  afterEach(dismiss);

  const refuse = (value: string) => (checked.push(value) < 3 ? 'Wrong.' : undefined);

  it('offer on the way back what was answered, and anew what depends on a changed answer', async () => {
    let times = 0;
    const draft = { before: 'kept', first: '', second: '' };
    const steps: readonly Question<keyof typeof draft>[] = [
      { field: 'before', question: () => ({ prompt: String(times++) }) },
      { field: 'first', question: () => ({ prompt: 'first', offered: times === 1 ? 'one' : 'another' }) },
      { field: 'second', question: () => ({ prompt: 'second', offered: `after ${draft.first}` }) },
    ];
    const asking = askInSteps('Title', draft, steps);
    assert.equal(await answering(asking, accept, accept, goBack, goBack, accept, accept, accept), true);
    assert.deepEqual(draft, { before: 'kept', first: 'another', second: 'after another' });
    assert.equal(times, 2);
  });

  it('without steps have no Back button, and stay open for a wrong answer, which they say at once', async () => {
    const given = ask('wrong', { validate: refuse });
    assert.deepEqual(checked, ['wrong']);
    assert.equal(await answering(given, goBack, accept, accept), 'wrong');
    assert.equal(checked.length, 3);
  });

  it('abort their onEnter with Back', async () => {
    let signal: AbortSignal | undefined;
    const hold = (_: string, given: AbortSignal) => {
      signal = given;
      return new Promise<undefined>(() => {});
    };
    const draft = { first: 'one', second: 'two' };
    const asking = askInSteps('Title', draft, [
      { field: 'first', question: () => ({ prompt: 'first' }) },
      { field: 'second', question: () => ({ prompt: 'second', onEnter: hold }) },
    ]);
    // A second Enter begins nothing.
    assert.equal(await answering(asking, accept, accept, accept, goBack, dismiss), false);
    assert.equal(signal?.aborted, true);
  });
});
