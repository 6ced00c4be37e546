import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { KnownReferences } from '../../../src/model/references/known.js';
import { OpenDocuments } from '../../../src/views/editor/documents.js';
import { parsed, readFrom } from '../data.js';
import { mostInASecond, spread } from '../pace.js';
import { storeOf } from '../store.js';

/** Passes over one open document in the worst second, while 1,000 answers arrive within one. */
export async function passes(): Promise<number> {
  const answers = parsed(1000);
  const content = [...answers.keys()].join('\n');
  await vscode.workspace.openTextDocument({ content, language: 'plaintext' });
  const store = storeOf(answers.keys(), spread(answers.size, readFrom(answers)), { window: answers.size });
  const known = new KnownReferences(store);
  const times: number[] = [];
  const documents = new OpenDocuments(
    {
      index: () => known.index,
      *report(document) {
        if (document.getText() === content) times.push(performance.now());
        yield;
      },
    },
    () => undefined,
  );
  store.onDidChange(() => {
    known.invalidate();
    documents.requestAll();
  });
  await store.refreshAll();
  await sleep(1000);
  documents.dispose();
  store.dispose();
  if (times.length === 0) {
    throw new Error('no pass at all');
  }
  return mostInASecond(times);
}
