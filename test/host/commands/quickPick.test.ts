import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { pickChecked, pickFrom, pickMany, pickOne } from '../../../src/commands/quickPick.js';
import { answeredBy, type Key, keys } from '../../support/window/quickInputKeys.js';
import { settle } from '../../support/window/windowRecorder.js';

const labels = ['alpha', 'beta', 'gamma', 'delta'];
const items = labels.map((label) => ({ label }));
const options = { title: 'Title', placeholder: 'Placeholder' };
const { enter, escape, down, space } = keys;
const suggest = (...suggested: readonly string[]) =>
  items.filter(({ label }) => suggested.includes(label));

/** In VS Code's own list. */
describe('a list', () => {
  afterEach(escape);

  const many: readonly [
    title: string,
    pressed: readonly Key[],
    suggested: readonly string[],
    taken: readonly string[],
  ][] = [
    ['takes the first row on Enter when none is checked', [enter], [], ['alpha']],
    ['takes the row that the arrows have highlighted', [down, down, enter], [], ['gamma']],
    [
      'takes the checked rows, whichever is highlighted',
      [down, space, down, space, down, enter],
      [],
      ['beta', 'gamma'],
    ],
    ['takes a suggested row', [enter], ['gamma'], ['gamma']],
    [
      'takes the row that is checked, and not the suggested one',
      [down, space, enter],
      ['gamma'],
      ['delta'],
    ],
    ['takes several suggested rows', [enter], ['beta', 'delta'], ['beta', 'delta']],
    ['takes nothing when what was checked is unchecked', [down, space, space, enter], [], []],
    ['takes nothing when it is dismissed', [down, space, escape], ['beta', 'delta'], []],
  ];
  for (const [title, pressed, suggested, taken] of many) {
    it(`with check boxes ${title}`, async () => {
      const picked = await answeredBy(pickMany(items, options, suggest(...suggested)), ...pressed);
      assert.deepEqual(
        picked.map(({ label }) => label),
        taken,
      );
    });
  }

  it('with check boxes takes those that are checked from the start', async () => {
    const checked = items.map((item, at) => ({ ...item, picked: at !== 1 }));
    const picked = await answeredBy(pickMany(checked, options), enter);
    assert.deepEqual(
      picked.map(({ label }) => label),
      ['alpha', 'gamma', 'delta'],
    );
  });

  const one: readonly [
    title: string,
    pressed: readonly Key[],
    suggested: readonly string[],
    taken: string | undefined,
  ][] = [
    ['takes the first row on Enter', [enter], [], 'alpha'],
    ['takes a suggested row on Enter', [enter], ['gamma'], 'gamma'],
    ['takes the row that the arrows have highlighted', [down, enter], ['gamma'], 'delta'],
    ['takes nothing when it is dismissed', [escape], ['gamma'], undefined],
  ];
  for (const [title, pressed, suggested, taken] of one) {
    it(`without check boxes ${title}`, async () => {
      const picked = await answeredBy(pickOne(items, options, suggest(...suggested)), ...pressed);
      assert.equal(picked?.label, taken);
    });
  }

  describe('that takes checked rows only', () => {
    let list: vscode.QuickPick<vscode.QuickPickItem>;
    let titles: string[];
    const title = () => async () => void titles.push(list.title ?? '');
    beforeEach(() => {
      titles = [];
      list = Object.assign(vscode.window.createQuickPick(), {
        title: 'Title',
        items,
        canSelectMany: true,
      });
    });

    for (const [what, pressed] of [
      ['while none is checked', [enter]],
      ['when what was checked is unchecked', [space, space, enter]],
      ['after the arrows', [down, enter]],
    ] as const) {
      it(`stays open on Enter ${what}, and says how to check one`, async () => {
        const taken = await answeredBy(
          pickChecked(list),
          ...pressed,
          title(),
          space,
          title(),
          enter,
        );
        assert.deepEqual(titles, ['Press Space to select. Title', 'Title']);
        assert.equal(taken.length, 1);
      });
    }

    it('takes those that are checked from the start', async () => {
      list.selectedItems = items.slice(0, 2);
      assert.equal((await answeredBy(pickChecked(list), enter)).length, 2);
    });

    it('takes nothing when it is dismissed', async () => {
      assert.deepEqual(await answeredBy(pickChecked(list), enter, escape), []);
    });
  });

  describe('with check boxes in which the user types', () => {
    let list: vscode.QuickPick<vscode.QuickPickItem>;
    beforeEach(() => {
      list = vscode.window.createQuickPick();
      list.items = items;
      list.canSelectMany = true;
    });

    const type = (text: string) => async () => {
      const typed = new Promise((resolve) => list.onDidChangeValue(resolve));
      list.value = text;
      await typed;
      await settle();
    };
    const take = async (suggested: readonly string[], ...pressed: readonly Key[]) => {
      const taken = await answeredBy(pickFrom(list, suggest(...suggested)), ...pressed);
      return taken.map(({ label }) => label);
    };

    it('highlights the first match on Enter, and takes it on the next one', async () => {
      assert.deepEqual(await take([], type('ta'), enter, enter), ['beta']);
    });

    it('stays open on Enter when nothing matches', async () => {
      assert.deepEqual(await take([], type('zeta'), enter, type('ta'), enter, enter), ['beta']);
    });

    it('unchecks suggested rows, which the user may no longer see', async () => {
      assert.deepEqual(await take(['alpha', 'gamma'], type('delta'), enter, enter), ['delta']);
    });

    it('keeps what the user has checked', async () => {
      assert.deepEqual(await take([], down, space, type('delta'), enter), ['beta']);
    });
  });
});
