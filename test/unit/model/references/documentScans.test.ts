import { strict as assert } from 'node:assert';
import { DocumentScans } from '../../../../src/model/references/documentScans.js';
import { ReferenceIndex } from '../../../../src/model/references/referenceIndex.js';
import { ManualClock, turn } from '../../../support/manualClock.js';

/** A document whose text a test changes. */
interface Text {
  text: string | undefined;
  readonly languageId: string;
}

describe('DocumentScans', () => {
  let clock: ManualClock;
  let index: ReferenceIndex;
  let scans: DocumentScans<Text>;
  /** Texts read, references shown, and IDs mentioned since `eventsAfter()` was last called. */
  let events: string[];

  beforeEach(() => {
    clock = new ManualClock();
    index = new ReferenceIndex();
    for (const id of ['dep_1', 'dep_2']) index.add(id);
    events = [];
    scans = new DocumentScans<Text>({
      index,
      setTimer: clock.setTimer,
      textOf: ({ text }) => {
        events.push(`read ${text}`);
        return text;
      },
      shownOf: (_, references, text) =>
        references.filter(({ line }) => text.split('\n')[line]?.startsWith('#') !== true),
      show: (_, references) =>
        events.push(
          `show ${references.map(({ id, line, start }) => `${id}@${line}:${start}`).join(' ')}`,
        ),
      onMentioned: (ids) => events.push(`mentioned ${[...ids].join(' ')}`),
    });
  });

  /**
   * Lets this time pass and the event loop go round, and returns what happened since the last call:
   * each turn of the loop scans one document.
   */
  async function eventsAfter(milliseconds: number, { turns = 1 } = {}): Promise<string[]> {
    clock.pass(milliseconds);
    for (let passed = 0; passed < turns; passed++) await turn();
    return events.splice(0);
  }

  /** Opens a Markdown document with each text. */
  function open(...texts: readonly string[]): Text[] {
    const documents = texts.map((text) => ({ text, languageId: 'markdown' }));
    for (const document of documents) scans.open(document);
    return documents;
  }

  it('scans a document after the event that opens it', async () => {
    open('a dep_1\ndep_2');
    assert.deepEqual(events, []);

    assert.deepEqual(await eventsAfter(0), [
      'read a dep_1\ndep_2',
      'show dep_1@0:2 dep_2@1:0',
      'mentioned dep_1 dep_2',
    ]);
  });

  describe('after 1,000 edits', () => {
    let document: Text;
    let eventsDuringEdits: string[];
    let timerCounts: Set<number>;

    beforeEach(async () => {
      const [opened] = open('dep_1');
      document = opened!;
      await eventsAfter(0);
      eventsDuringEdits = [];
      timerCounts = new Set();
      for (let edit = 0; edit < 1000; edit++) {
        document.text = `dep_1 ${edit}`;
        scans.handleEdit(document);
        eventsDuringEdits.push(...(await eventsAfter(25)));
        timerCounts.add(clock.waiting);
      }
    });

    it('has read nothing during the edits', () => assert.deepEqual(eventsDuringEdits, []));

    it('has had one timer at a time', () => assert.deepEqual([...timerCounts], [1]));

    it('reads nothing within 250 ms', async () => {
      assert.deepEqual(await eventsAfter(224), []);
    });

    it('reads the text as it is 250 ms after the last edit', async () => {
      document.text = 'x dep_1';
      assert.deepEqual(await eventsAfter(225), ['read x dep_1', 'show dep_1@0:2']);
    });

    it('reads the text only once', async () => {
      await eventsAfter(225);
      assert.deepEqual(await eventsAfter(1000), []);
    });

    it('leaves no timer behind', async () => {
      await eventsAfter(225);
      assert.equal(clock.waiting, 0);
    });
  });

  it('shows nothing between an edit and the next scan', async () => {
    const [document] = open('dep_1');
    scans.handleEdit(document!);
    scans.showAgain();
    assert.deepEqual(await eventsAfter(0), []);

    assert.deepEqual(await eventsAfter(250), ['read dep_1', 'show dep_1@0:0', 'mentioned dep_1']);
  });

  it('shows references again without reading the text when only their meaning has changed', async () => {
    open('dep_1 dep_3');
    await eventsAfter(0);

    scans.showAgain();

    assert.deepEqual(await eventsAfter(0), ['show dep_1@0:0']);
  });

  it('reads a text again when another ID is known', async () => {
    open('dep_1 dep_3');
    await eventsAfter(0);

    index.add('dep_3');
    scans.showAgain();

    assert.deepEqual(await eventsAfter(0), [
      'read dep_1 dep_3',
      'show dep_1@0:0 dep_3@0:6',
      'mentioned dep_1 dep_3',
    ]);
  });

  it('reads nothing while no ID is known', async () => {
    for (const id of ['dep_1', 'dep_2']) index.delete(id);
    const [document] = open('dep_1');
    scans.handleEdit(document!);
    assert.deepEqual(await eventsAfter(250), ['show ']);
  });

  it('scans one document in each turn of the event loop', async () => {
    open('dep_1', 'dep_2');
    assert.deepEqual(await eventsAfter(0), ['read dep_1', 'show dep_1@0:0']);
    assert.deepEqual(await eventsAfter(0), [
      'read dep_2',
      'show dep_2@0:0',
      'mentioned dep_1 dep_2',
    ]);
  });

  it('reports the mentioned IDs of all documents after the last one', async () => {
    open('dep_1', 'dep_2', '');
    await eventsAfter(0, { turns: 2 });
    assert.deepEqual(await eventsAfter(0), ['read ', 'show ', 'mentioned dep_1 dep_2']);
  });

  it('shows nothing again for a document without references', async () => {
    open('dep_1', 'dep_2', '');
    await eventsAfter(0, { turns: 3 });

    scans.showAgain();

    const shownAgain = await eventsAfter(0, { turns: 3 });
    assert.deepEqual(shownAgain, ['show dep_1@0:0', 'show dep_2@0:0']);
  });

  it('finds an ID in emphasis when the language of the document has emphasis', async () => {
    scans.open({ text: '_dep_1_', languageId: 'markdown' });
    scans.open({ text: '_dep_2_', languageId: 'python' });
    assert.deepEqual(await eventsAfter(0, { turns: 2 }), [
      'read _dep_1_',
      'show dep_1@0:1',
      'read _dep_2_',
      'show ',
      'mentioned dep_1',
    ]);
  });

  it('reports an ID as mentioned when it is left out of the shown references', async () => {
    open('dep_1\n# dep_2');
    assert.deepEqual(await eventsAfter(0), [
      'read dep_1\n# dep_2',
      'show dep_1@0:0',
      'mentioned dep_1 dep_2',
    ]);
  });

  it('finds nothing in a document that is too large to be read', async () => {
    scans.open({ text: undefined, languageId: 'markdown' });
    assert.deepEqual(await eventsAfter(0), ['read undefined', 'show ']);
  });

  describe('after an edited document was closed', () => {
    let other: Text;

    beforeEach(async () => {
      const [edited, second] = open('dep_1', 'dep_2');
      other = second!;
      await eventsAfter(0, { turns: 2 });
      scans.handleEdit(edited!);
      scans.close(edited!);
    });

    it('forgets the IDs without reading the text', async () => {
      assert.deepEqual(await eventsAfter(250), ['mentioned dep_2']);
    });

    it('leaves no timer behind', async () => {
      await eventsAfter(250);
      assert.equal(clock.waiting, 0);
    });

    it('mentions no ID when the last document is closed', async () => {
      await eventsAfter(250);
      scans.showAgain();
      scans.close(other);
      assert.deepEqual(await eventsAfter(0), ['mentioned ']);
    });
  });

  describe('after its end', () => {
    beforeEach(() => {
      const [document] = open('dep_1', 'dep_2');
      scans.handleEdit(document!);
      scans.dispose();
    });

    it('does nothing', async () => assert.deepEqual(await eventsAfter(250, { turns: 3 }), []));

    it('leaves no timer behind', async () => {
      await eventsAfter(250, { turns: 3 });
      assert.equal(clock.waiting, 0);
    });
  });
});
