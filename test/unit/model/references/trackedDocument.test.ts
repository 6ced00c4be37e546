import { strict as assert } from 'node:assert';
import { type DocumentReferences, TrackedDocument } from '../../../../src/model/references/document.js';
import { ReferenceIndex } from '../../../../src/model/references/known.js';
import { Slices } from '../../../../src/model/slices.js';
import { ManualClock, turn } from '../manualClock.js';

describe('a tracked document', () => {
  // Its time stands still, so that a pass is over within one turn however slow the machine is.
  const slices = new Slices(5, () => 0);
  let clock: ManualClock;
  let lines: string[];
  /** The lines that were scanned. */
  let asked: number[];
  let passes: string[];
  let index: ReferenceIndex;
  /** Happens in the middle of the next pass. */
  let interrupt: (() => void) | undefined;

  function* report(references: DocumentReferences) {
    interrupt?.();
    interrupt = undefined;
    yield;
    passes.push(Array.from(references, ({ id, line, start }) => `${id}@${line}:${start}`).join(' '));
  }

  function track(...content: readonly string[]) {
    [lines, asked, passes] = [[...content], [], []];
    clock = new ManualClock();
    index = new ReferenceIndex(['dep_1', 'dep_2']);
    const lineAt = (line: number) => {
      asked.push(line);
      return { text: lines[line]! };
    };
    return new TrackedDocument({ lineCount: lines.length, lineAt }, { slices, index: () => index, report }, clock);
  }

  /** Inserts into one line, as typing does; the event that VS Code sends. */
  function typed(line: number, at: number, text: string) {
    const before = lines[line]!;
    lines.splice(line, 1, ...`${before.slice(0, at)}${text}${before.slice(at)}`.split('\n'));
    return [{ range: { start: { line }, end: { line } }, text }];
  }

  /** What the passes found that came meanwhile. */
  async function told(milliseconds = 0): Promise<string[]> {
    clock.pass(milliseconds);
    await turn();
    return passes.splice(0);
  }

  it('is scanned when it is opened, not in the event that opens it, then in the touched lines only', async () => {
    const document = track('a dep_1', '', 'dep_2');
    assert.deepEqual(asked.splice(0), []);
    assert.deepEqual([await told(), asked.splice(0)], [['dep_1@0:2 dep_2@2:0'], [0, 1, 2]]);
    clock.pass(250);
    document.edit(typed(0, 7, 'x\n'));
    assert.deepEqual([await told(), asked], [['dep_2@3:0'], [0, 1]]);
    // Becoming dirty is told of as a change without changes.
    document.edit([]);
    assert.deepEqual(await told(250), []);
  });

  it('has at most four passes a second, the last with the last edit', async () => {
    const document = track('');
    await told();
    let count = 0;
    for (let stroke = 0; stroke < 40; stroke++) {
      document.edit(typed(0, 0, stroke === 39 ? 'dep_1 ' : 'x'));
      count += (await told()).length;
      clock.pass(25);
    }
    assert.deepEqual([count, await told(), await told(1000), clock.waiting], [3, ['dep_1@0:0'], [], 0]);
  });

  it('takes in what comes before the pass has begun', async () => {
    const document = track('dep_1');
    clock.pass(0);
    document.edit(typed(0, 0, 'my-'));
    assert.deepEqual(await told(), ['']);
  });

  it('gives up a pass that an edit makes pointless, finishes one that other news come into, and comes again', async () => {
    const document = track('dep_1');
    interrupt = () => document.request();
    assert.deepEqual([await told(), await told(250)], [['dep_1@0:0'], ['dep_1@0:0']]);
    document.request();
    interrupt = () => document.edit(typed(0, 5, '0'));
    assert.deepEqual([await told(250), await told(250)], [[], ['']]);
  });

  it('is scanned anew for other ids, and not for the same', async () => {
    const document = track('dep_1 dep_3');
    document.request();
    await told();
    document.request();
    assert.deepEqual([await told(250), asked.splice(0)], [['dep_1@0:0'], [0]]);
    index = new ReferenceIndex(['dep_3']);
    document.request();
    assert.deepEqual([await told(250), asked], [['dep_3@0:6'], [0]]);
  });

  it('is silent after it was closed, also where a pass was about to begin or had begun', async () => {
    track('dep_1').dispose();
    assert.deepEqual(await told(1000), []);
    const queued = track('dep_1');
    clock.pass(0);
    queued.dispose();
    assert.deepEqual(await told(1000), []);
    const running = track('dep_1');
    interrupt = () => running.dispose();
    assert.deepEqual(await told(1000), []);
  });

  it('is not silenced by a clock that is set back', async () => {
    const document = track('dep_1');
    await told();
    clock.setBack(3_600_000);
    document.request();
    assert.deepEqual(await told(), ['dep_1@0:0']);
  });
});
