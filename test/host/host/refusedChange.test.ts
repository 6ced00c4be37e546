import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import {
  type RefusingScope,
  readOnlyError,
  reasonsOf,
  setTwiceError,
} from '../../../src/host/list/refusedChange.js';

/** A settings file with this name. */
function place(name: string): RefusingScope {
  const file = { uri: vscode.Uri.file(`/${name}`), name, isWorkspaceFile: false };
  const openAction = { title: 'Open Settings', command: 'vscode.open' };
  return {
    file,
    uniqueName: name,
    name,
    logName: name,
    setting: 'automationPlatform.deployments',
    openAction,
  };
}

describe('the reasons why files refuse a change', () => {
  for (const [count, places] of [
    [1, 'f1 is'],
    [2, 'f1 and f2 are'],
    [20, 'f1, f2, f3, and 17 more are'],
  ] as const) {
    it(`are one sentence when each file has the same one: ${places}`, () => {
      const refusals = Array.from(
        { length: count },
        (_, at) => readOnlyError(place(`f${at + 1}`)).refusals,
      ).flat();
      assert.equal(reasonsOf(refusals), `${places} read-only.`);
    });
  }

  it('are a sentence for each different one', () => {
    const twice = (name: string, key: string) => setTwiceError(place(name), key).refusals;
    const refusals = [
      ...readOnlyError(place('a')).refusals,
      ...twice('b', 'k'),
      ...twice('c', 'l'),
      ...twice('d', 'k'),
    ];
    const merge = 'Merge the two';
    assert.equal(
      reasonsOf(refusals),
      `a is read-only. b and d contain “k” twice. ${merge} in each of them, then try again. c contains “l” twice. ${merge}, then try again.`,
    );
  });
});
