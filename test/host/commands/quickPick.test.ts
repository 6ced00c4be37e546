import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import {
  pickAnyChecked,
  pickChecked,
  pickFrom,
  pickMany,
  pickOne,
  pickOneOrOthers,
} from '../../../src/commands/quickPick.js';
import { answeredBy, type Key, keys } from '../../support/window/quickInputKeys.js';
import { settle } from '../../support/window/windowRecorder.js';

const labels = ['alpha', 'beta', 'gamma', 'delta'];
const items = labels.map((label) => ({ label }));
const options = { title: 'Title', placeholder: 'Placeholder' };
const { enter, escape, down, space } = keys;
const suggest = (...suggested: readonly string[]) =>
  items.filter(({ label }) => suggested.includes(label));

// VS Code's own list is shown, and answered with keys.
describe('a list with check boxes', () => {
  afterEach(escape);

  const cases: readonly [
    title: string,
    pressed: readonly Key[],
    suggested: readonly string[],
    taken: readonly string[],
  ][] = [
    ['takes the first row on Enter when none is checked', [enter], [], ['alpha']],
    ['takes the row that the arrows have highlighted', [down, down, enter], [], ['gamma']],
    [
      'takes the checked rows when another row is highlighted',
      [down, space, down, space, down, enter],
      [],
      ['beta', 'gamma'],
    ],
    ['takes a suggested row', [enter], ['gamma'], ['gamma']],
    [
      'takes the checked row instead of the suggested row',
      [down, space, enter],
      ['gamma'],
      ['delta'],
    ],
    ['takes several suggested rows', [enter], ['beta', 'delta'], ['beta', 'delta']],
    ['takes nothing when the checked row is unchecked again', [down, space, space, enter], [], []],
    ['takes nothing when it is dismissed', [down, space, escape], ['beta', 'delta'], []],
  ];
  for (const [title, pressed, suggested, taken] of cases) {
    it(title, async () => {
      const picked = await answeredBy(pickMany(items, options, suggest(...suggested)), ...pressed);
      assert.deepEqual(
        picked.map(({ label }) => label),
        taken,
      );
    });
  }

  it('takes the rows that are checked from the start', async () => {
    const checked = items.map((item, at) => ({ ...item, picked: at !== 1 }));
    const picked = await answeredBy(pickMany(checked, options), enter);
    assert.deepEqual(
      picked.map(({ label }) => label),
      ['alpha', 'gamma', 'delta'],
    );
  });
});

describe('a list without check boxes', () => {
  afterEach(escape);

  const cases: readonly [
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
  for (const [title, pressed, suggested, taken] of cases) {
    it(title, async () => {
      const picked = await answeredBy(pickOne(items, options, suggest(...suggested)), ...pressed);
      assert.equal(picked?.label, taken);
    });
  }
});

describe('a list that takes checked rows only', () => {
  let list: vscode.QuickPick<vscode.QuickPickItem>;
  afterEach(escape);
  beforeEach(() => {
    list = Object.assign(vscode.window.createQuickPick(), {
      title: 'Title',
      items,
      canSelectMany: true,
    });
  });

  for (const [when, pressed, checked] of [
    ['when no row is checked', [enter], 'alpha'],
    ['when the checked row is unchecked again', [space, space, enter], 'alpha'],
    ['when the arrows have highlighted a row', [down, enter], 'beta'],
  ] as const) {
    it(`stays open on Enter ${when}`, async () => {
      const taken = await answeredBy(pickChecked(list), ...pressed, space, enter);

      assert.deepEqual(
        taken.map(({ label }) => label),
        [checked],
      );
    });

    it(`explains how to check a row on Enter ${when}`, async () => {
      const titles: string[] = [];
      const noteTitle = async () => {
        titles.push(list.title ?? '');
      };

      await answeredBy(pickChecked(list), ...pressed, noteTitle, space, noteTitle, enter);

      assert.deepEqual(titles, ['Press Space to select. Title', 'Title']);
    });
  }

  it('takes the rows that are checked from the start', async () => {
    list.selectedItems = items.slice(0, 2);

    const taken = await answeredBy(pickChecked(list), enter);

    assert.deepEqual(
      taken.map(({ label }) => label),
      ['alpha', 'beta'],
    );
  });

  it('takes nothing when it is dismissed', async () => {
    assert.deepEqual(await answeredBy(pickChecked(list), enter, escape), []);
  });
});

describe('a list that takes any number of checked rows', () => {
  afterEach(escape);

  for (const [title, pressed, checked, taken] of [
    ['takes nothing on Enter when no row is checked', [enter], [], []],
    ['takes nothing when the arrows have highlighted a row', [down, enter], [], []],
    ['takes the checked rows', [down, space, enter], [], ['beta']],
    ['takes the rows that are checked from the start', [enter], ['beta'], ['beta']],
    ['takes nothing when all rows are unchecked again', [space, enter], ['alpha'], []],
    ['tells that it is dismissed from nothing checked', [escape], ['alpha'], undefined],
  ] as const) {
    it(title, async () => {
      const withChecks = items.map((item) => ({
        ...item,
        picked: checked.some((label) => label === item.label),
      }));

      const picked = await answeredBy(pickAnyChecked(withChecks, options), ...pressed);

      assert.deepEqual(
        picked?.map(({ label }) => label),
        taken,
      );
    });
  }
});

describe('a list whose last row shows others', () => {
  afterEach(escape);

  for (const [title, pressed, taken] of [
    ['takes the first row on Enter', [enter], 'alpha'],
    ['takes the first of the others after its last row', [down, down, enter, enter], 'gamma'],
    ['takes nothing when it is dismissed', [escape], undefined],
    ['takes nothing when it is dismissed with the others', [down, down, enter, escape], undefined],
  ] as const) {
    it(title, async () => {
      const others = {
        item: { label: 'others' },
        title: 'Others',
        items: () => suggest('gamma', 'delta'),
      };

      const work = pickOneOrOthers(suggest('alpha', 'beta'), options, [], others);

      assert.equal((await answeredBy(work, ...pressed))?.label, taken);
    });
  }

  it('highlights a suggested row', async () => {
    const others = { item: { label: 'others' }, title: 'Others', items: () => items };

    const work = pickOneOrOthers(items, options, suggest('gamma'), others);

    assert.equal((await answeredBy(work, enter))?.label, 'gamma');
  });
});

describe('a list in which the user types', () => {
  let list: vscode.QuickPick<vscode.QuickPickItem>;
  afterEach(escape);
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
  /** Presses these keys. Returns the labels of the rows that are taken. */
  const takenAfter = async (suggested: readonly string[], ...pressed: readonly Key[]) => {
    const taken = await answeredBy(pickFrom(list, suggest(...suggested)), ...pressed);
    return taken.map(({ label }) => label);
  };

  it('takes the first match on the second Enter', async () => {
    assert.deepEqual(await takenAfter([], type('ta'), enter, enter), ['beta']);
  });

  it('stays open on Enter when no row matches', async () => {
    const taken = await takenAfter([], type('zeta'), enter, type('ta'), enter, enter);

    assert.deepEqual(taken, ['beta']);
  });

  it('unchecks suggested rows, which the user may no longer see', async () => {
    const taken = await takenAfter(['alpha', 'gamma'], type('delta'), enter, enter);

    assert.deepEqual(taken, ['delta']);
  });

  it('keeps the rows that the user has checked', async () => {
    const taken = await takenAfter([], down, space, type('delta'), enter);

    assert.deepEqual(taken, ['beta']);
  });
});
