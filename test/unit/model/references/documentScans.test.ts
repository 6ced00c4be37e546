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
  /** What was done since it was last asked for: texts read, references shown, ids mentioned. */
  let log: string[];

  beforeEach(() => {
    clock = new ManualClock();
    index = new ReferenceIndex();
    for (const id of ['dep_1', 'dep_2']) index.add(id);
    log = [];
    scans = new DocumentScans<Text>({
      index,
      setTimer: clock.setTimer,
      textOf: ({ text }) => {
        log.push(`read ${text}`);
        return text;
      },
      shownOf: (_, references, text) =>
        references.filter(({ line }) => text.split('\n')[line]?.startsWith('#') !== true),
      show: (_, references) =>
        log.push(
          `show ${references.map(({ id, line, start }) => `${id}@${line}:${start}`).join(' ')}`,
        ),
      onMentioned: (ids) => log.push(`mentioned ${[...ids].join(' ')}`),
    });
  });

  async function done(milliseconds = 0, turns = 1): Promise<string[]> {
    clock.pass(milliseconds);
    for (let at = 0; at < turns; at++) await turn();
    return log.splice(0);
  }

  function open(...texts: readonly string[]): Text[] {
    const documents = texts.map((text) => ({ text, languageId: 'markdown' }));
    for (const document of documents) scans.open(document);
    return documents;
  }

  it('scans a document when it is opened, not in the event that opens it', async () => {
    open('a dep_1\ndep_2');
    assert.deepEqual(log, []);
    assert.deepEqual(await done(), [
      'read a dep_1\ndep_2',
      'show dep_1@0:2 dep_2@1:0',
      'mentioned dep_1 dep_2',
    ]);
  });

  it('reads nothing during edits, however many they are, and the text once 250 ms after the last', async () => {
    const [document] = open('dep_1');
    await done();
    for (let edit = 0; edit < 1000; edit++) {
      document!.text += ' ';
      scans.handleEdit(document!);
      assert.deepEqual([...(await done(25)), clock.waiting], [1]);
    }
    assert.deepEqual(await done(224), []);
    document!.text = 'x dep_1';
    assert.deepEqual(await done(1), ['read x dep_1', 'show dep_1@0:2']);
    assert.deepEqual([...(await done(1000)), clock.waiting], [0]);
  });

  it('shows nothing of a text that is older than an edit', async () => {
    const [document] = open('dep_1');
    scans.handleEdit(document!);
    scans.showAgain();
    assert.deepEqual(await done(), []);
    assert.deepEqual(await done(250), ['read dep_1', 'show dep_1@0:0', 'mentioned dep_1']);
  });

  it('reads a text again for other ids, and not when only their meaning has changed', async () => {
    open('dep_1 dep_3');
    await done();
    scans.showAgain();
    assert.deepEqual(await done(), ['show dep_1@0:0']);
    index.add('dep_3');
    scans.showAgain();
    assert.deepEqual(await done(), [
      'read dep_1 dep_3',
      'show dep_1@0:0 dep_3@0:6',
      'mentioned dep_1 dep_3',
    ]);
  });

  it('reads nothing while no id is known', async () => {
    for (const id of ['dep_1', 'dep_2']) index.delete(id);
    const [document] = open('dep_1');
    scans.handleEdit(document!);
    assert.deepEqual(await done(250), ['show ']);
  });

  it('deals with one document in each iteration of the event loop, and reports all ids once at the end', async () => {
    open('dep_1', 'dep_2', '');
    assert.deepEqual(await done(), ['read dep_1', 'show dep_1@0:0']);
    assert.deepEqual(await done(), ['read dep_2', 'show dep_2@0:0']);
    assert.deepEqual(await done(), ['read ', 'show ', 'mentioned dep_1 dep_2']);
    scans.showAgain();
    // The document without references has nothing to show.
    assert.deepEqual(await done(0, 3), ['show dep_1@0:0', 'show dep_2@0:0']);
  });

  it('finds what the language of the document lets border on an ID', async () => {
    scans.open({ text: '_dep_1_', languageId: 'markdown' });
    scans.open({ text: '_dep_2_', languageId: 'python' });
    assert.deepEqual(await done(0, 2), [
      'read _dep_1_',
      'show dep_1@0:1',
      'read _dep_2_',
      'show ',
      'mentioned dep_1',
    ]);
  });

  it('shows what is to be shown, and reports the other ids as mentioned all the same', async () => {
    open('dep_1\n# dep_2');
    assert.deepEqual(await done(), [
      'read dep_1\n# dep_2',
      'show dep_1@0:0',
      'mentioned dep_1 dep_2',
    ]);
  });

  it('finds nothing in a document that is too large to be read', async () => {
    scans.open({ text: undefined, languageId: 'markdown' });
    assert.deepEqual(await done(), ['read undefined', 'show ']);
  });

  it('forgets the ids of a closed document, and does not scan it any more', async () => {
    const [first, second] = open('dep_1', 'dep_2');
    await done(0, 2);
    scans.handleEdit(first!);
    scans.close(first!);
    assert.deepEqual([await done(250), clock.waiting], [['mentioned dep_2'], 0]);
    scans.showAgain();
    scans.close(second!);
    assert.deepEqual(await done(), ['mentioned ']);
  });

  it('does nothing after it was disposed', async () => {
    const [document] = open('dep_1', 'dep_2');
    scans.handleEdit(document!);
    scans.dispose();
    assert.deepEqual([await done(250, 3), clock.waiting], [[], 0]);
  });
});
