import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { askInSteps, askText, type Question, type TextQuestion } from '../../../src/commands/questions.js';
import { settle } from '../../support/window/windowRecorder.js';

type Draft = Readonly<Record<'before' | 'first' | 'second', string>>;

const ask = (question: Partial<TextQuestion>) => askText({ title: 'Title' }, { prompt: 'Prompt', ...question });

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
    const steps: readonly Question<Draft>[] = [
      { field: 'before', question: () => ({ prompt: String(times++) }) },
      { field: 'first', question: () => ({ prompt: 'first', offered: times === 1 ? 'one' : 'another' }) },
      { field: 'second', question: ({ first }) => ({ prompt: 'second', offered: `after ${first}` }) },
    ];
    const answers = askInSteps('Title', { before: 'kept', first: '', second: '' }, steps);
    const given = await answering(answers, accept, accept, goBack, goBack, accept, accept, accept);
    assert.deepEqual(given, { before: 'kept', first: 'another', second: 'after another' });
    assert.equal(times, 2);
  });

  it('without steps have no Back button, and stay open for a wrong answer, which they say at once', async () => {
    const given = ask({ value: 'wrong', validate: refuse });
    assert.deepEqual(checked, ['wrong']);
    assert.deepEqual(await answering(given, goBack, accept, accept), { kind: 'answer', value: 'wrong' });
    assert.equal(checked.length, 3);
  });

  for (const [way, key, kind] of [
    ['Esc', dismiss, undefined],
    ['Back', goBack, 'back'],
  ] as const) {
    it(`abort their onEnter with ${way}`, async () => {
      let signal: AbortSignal | undefined;
      const hold = (_: string, given: AbortSignal) => {
        signal = given;
        return new Promise<undefined>(() => {});
      };
      const given = askText(
        { title: 'Title', step: 2, totalSteps: 2 },
        { prompt: 'Prompt', value: 'one', onEnter: hold },
      );
      // A second Enter begins nothing.
      assert.equal((await answering(given, accept, accept, key))?.kind, kind);
      assert.equal(signal?.aborted, true);
    });
  }

  it('with isEntered go on as if Enter had been pressed', async () => {
    assert.deepEqual(await ask({ value: 'one', isEntered: true }), { kind: 'answer', value: 'one' });
  });
});
