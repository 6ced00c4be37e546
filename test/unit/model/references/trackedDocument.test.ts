import { strict as assert } from 'node:assert';
import {
  type DocumentReferences,
  type TextChange,
  TrackedDocument,
} from '../../../../src/model/references/document.js';
import { ReferenceIndex } from '../../../../src/model/references/index.js';
import { Slices } from '../../../../src/model/slices.js';
import { ManualClock, turn } from '../manualClock.js';

/** As much of a document as is asked for: its lines. */
class Lines {
  asked: number[] = [];
  private lines: readonly string[];

  constructor(...lines: readonly string[]) {
    this.lines = lines;
  }

  get lineCount(): number {
    return this.lines.length;
  }

  lineAt(line: number): { readonly text: string } {
    this.asked.push(line);
    return { text: this.lines[line] ?? '' };
  }

  /** Inserts into one line, as typing does; the event that VS Code sends. */
  type(line: number, at: number, text: string): [TextChange] {
    const before = this.lines[line] ?? '';
    this.lines = this.lines.toSpliced(line, 1, ...`${before.slice(0, at)}${text}${before.slice(at)}`.split('\n'));
    return [{ range: { start: { line }, end: { line } }, text }];
  }
}

describe('a tracked document', () => {
  let clock: ManualClock;
  let slices: Slices;
  let passes: string[];
  let index: ReferenceIndex;
  /** Happens in the middle of the next pass. */
  let interrupt: (() => void) | undefined;
  beforeEach(() => {
    clock = new ManualClock();
    // Its time stands still, so that a pass is over within one turn however slow the machine is.
    slices = new Slices(5, () => 0);
    passes = [];
    index = new ReferenceIndex(['dep_1', 'dep_2']);
    interrupt = undefined;
  });
  afterEach(() => slices.dispose());

  function* report(_document: Lines, references: DocumentReferences) {
    interrupt?.();
    interrupt = undefined;
    yield;
    passes.push(Array.from(references, ({ id, line, start }) => `${id}@${line}:${start}`).join(' '));
  }

  function track(text: Lines): TrackedDocument<Lines> {
    return new TrackedDocument(text, { slices, index: () => index, report }, clock);
  }

  /** What the passes found that came meanwhile. */
  async function told(milliseconds = 0): Promise<string[]> {
    clock.pass(milliseconds);
    await turn();
    return passes.splice(0);
  }

  it('is scanned when it is opened, not in the event that opens it, then in the touched lines only', async () => {
    const text = new Lines('a dep_1', '', 'dep_2');
    const document = track(text);
    assert.deepEqual(text.asked, []);
    assert.deepEqual(await told(), ['dep_1@0:2 dep_2@2:0']);
    clock.pass(250);
    text.asked = [];
    document.edit(text.type(0, 7, 'x\n'));
    assert.deepEqual(await told(), ['dep_2@3:0']);
    assert.deepEqual(text.asked, [0, 1]);
    // Becoming dirty is told of as a change without changes.
    document.edit([]);
    assert.deepEqual(await told(250), []);
  });

  it('has at most four passes a second, the last with the last edit', async () => {
    const text = new Lines('');
    const document = track(text);
    await told();
    let count = 0;
    for (let stroke = 0; stroke < 40; stroke++) {
      document.edit(text.type(0, 0, stroke === 39 ? 'dep_1 ' : 'x'));
      count += (await told()).length;
      clock.pass(25);
    }
    assert.equal(count, 3);
    assert.deepEqual(await told(), ['dep_1@0:0']);
    assert.deepEqual(await told(1000), []);
    assert.equal(clock.waiting, 0);
  });

  it('takes in what comes before the pass has begun', async () => {
    const text = new Lines('dep_1');
    const document = track(text);
    clock.pass(0);
    document.edit(text.type(0, 0, 'my-'));
    assert.deepEqual(await told(), ['']);
  });

  it('gives up a pass that an edit makes pointless, and comes again', async () => {
    const text = new Lines('dep_1');
    const document = track(text);
    interrupt = () => document.edit(text.type(0, 5, '0'));
    assert.deepEqual(await told(), []);
    assert.deepEqual(await told(250), ['']);
  });

  it('finishes a pass that other news come into, and comes again', async () => {
    const document = track(new Lines('dep_1'));
    interrupt = () => document.request();
    assert.deepEqual(await told(), ['dep_1@0:0']);
    assert.deepEqual(await told(250), ['dep_1@0:0']);
  });

  it('is scanned anew for other ids, and not for the same', async () => {
    const text = new Lines('dep_1 dep_3');
    const document = track(text);
    await told();
    text.asked = [];
    document.request();
    assert.deepEqual([await told(250), text.asked], [['dep_1@0:0'], []]);
    index = new ReferenceIndex(['dep_3']);
    document.request();
    assert.deepEqual([await told(250), text.asked], [['dep_3@0:6'], [0]]);
  });

  it('gives up a pass that is about another organization, and is looked at again at once', async () => {
    const document = track(new Lines('dep_1'));
    interrupt = () => {
      index = new ReferenceIndex(['dep_2']);
      document.restart();
    };
    assert.deepEqual([...(await told()), ...(await told())], ['']);
    assert.equal(clock.waiting, 0);
  });

  it('is silent after it was closed, also where a pass was about to begin', async () => {
    for (const queued of [false, true]) {
      const document = track(new Lines('dep_1'));
      if (queued) clock.pass(0);
      document.dispose();
      assert.deepEqual(await told(1000), []);
    }
  });

  it('is not silenced by a clock that is set back', async () => {
    const document = track(new Lines('dep_1'));
    await told();
    clock.setBack(3_600_000);
    document.request();
    assert.deepEqual(await told(), ['dep_1@0:0']);
  });
});
