import { strict as assert } from 'node:assert';
import type * as Deployments from '../../../../src/host/text/deployment.js';
import type * as Groups from '../../../../src/host/text/groups.js';
import { inLanguage, type Language } from '../../../support/languages.js';

const none = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };

/** What is said of groups in one language. */
interface Words {
  readonly word: string;
  readonly sentence: string;
  readonly ofTotal: string;
  readonly others: string;
}

const languages: Readonly<Record<Language, Words>> = {
  en: {
    word: 'No group +1',
    sentence: 'payments: Finance Slack failed in 2 deployments.',
    ofTotal: '2 failing, 1 unknown of 40',
    others: '1,234 in other groups · 3 failing',
  },
  de: {
    word: 'Keine Gruppe +1',
    sentence: 'payments: Finance Slack failed in 2 deployments.',
    ofTotal: '2 gestört und 1 unbekannt von 40',
    others: '1.234 in anderen Gruppen · 3 gestört',
  },
  ja: {
    word: 'グループなし +1',
    sentence: 'payments: Finance Slack failed in 2 deployments.',
    ofTotal: '要対応 2 件、不明 1 件 (全 40 件)',
    others: '他のグループに 1,234 件 · 要対応 3 件',
  },
  'zh-cn': {
    word: '未分组 +1',
    sentence: 'payments：Finance Slack failed in 2 deployments.',
    ofTotal: '2 个需要处理、1 个未知 (共 40 个)',
    others: '其他组中有 1,234 个 · 3 个需要处理',
  },
};

for (const language of ['en', 'de', 'ja', 'zh-cn'] as const) {
  const expected = languages[language];

  describe(`what is said of groups in ${language}`, () => {
    let groups: typeof Groups;
    let deployments: typeof Deployments;

    before(async function () {
      // A machine that is busy with two workbenches needs longer for two bundles.
      this.timeout(60_000);
      groups = await inLanguage(language, 'src/host/text/groups.ts');
      deployments = await inLanguage(language, 'src/host/text/deployment.ts');
    });

    it(`names the chosen groups as “${expected.word}”`, () => {
      assert.equal(groups.groupsWord([undefined, 'payments'], 60), expected.word);
    });

    it(`names the groups before a sentence as “${expected.sentence}”`, () => {
      const sentence = 'Finance Slack failed in 2 deployments.';
      assert.equal(groups.sentenceWithGroups(['payments'], sentence), expected.sentence);
    });

    it(`counts the deployments of a group as “${expected.ofTotal}”`, () => {
      const counts = { ...none, total: 40, failing: 2, unknown: 1, healthy: 37 };
      assert.equal(deployments.countsOfTotal(counts), expected.ofTotal);
    });

    it(`counts the deployments of other groups as “${expected.others}”`, () => {
      const counts = { ...none, total: 1234, failing: 3, muted: 2, notYetRead: 4 };
      assert.equal(deployments.otherGroupsText(counts), expected.others);
    });
  });
}

describe('the word for the chosen groups', () => {
  let groups: typeof Groups;
  before(async () => {
    groups = await inLanguage('en', 'src/host/text/groups.ts');
  });

  it('is missing when all deployments count', () => {
    assert.equal(groups.groupsWord(undefined, 12), undefined);
  });

  it('is missing when no group is named', () => {
    assert.equal(groups.groupsWord([], 12), undefined);
  });

  it('keeps 12 characters of a name before counts', () => {
    const names = ['abcdefghijkl', 'abcdefghijklm'];
    const words = names.map((name) => groups.withGroups([name], '2 failing'));
    assert.deepEqual(words, ['abcdefghijkl · 2 failing', 'abcdefghijk… · 2 failing']);
  });

  it('keeps 60 characters of a name before a sentence', () => {
    const name = 'x'.repeat(60);
    assert.equal(groups.sentenceWithGroups([name], 'It works.'), `${name}: It works.`);
    const longer = groups.sentenceWithGroups([`${name}x`], 'It works.');
    assert.equal(longer, `${'x'.repeat(59)}…: It works.`);
  });

  it('leaves a sentence as it is when all deployments count', () => {
    assert.equal(groups.sentenceWithGroups(undefined, 'It works.'), 'It works.');
  });

  it('leaves counts as they are when all deployments count', () => {
    assert.equal(groups.withGroups(undefined, '7 failing'), '7 failing');
  });

  it('has no number when one group is chosen', () => {
    assert.equal(groups.groupsWord(['payments'], 12), 'payments');
  });

  it('has twelve characters of a longer name', () => {
    assert.equal(groups.groupsWord(['payments-and-billing', 'ops'], 12), 'payments-an… +1');
  });

  it('has a thousand groups as a number', () => {
    const names = Array.from({ length: 1235 }, (_, at) => `group ${at}`);
    assert.equal(groups.groupsWord(names, 12), 'group 0 +1,234');
  });

  it('has twelve characters of a name of invisible characters, which it makes visible', () => {
    assert.equal(groups.groupsWord(['\u202E'.repeat(12)], 12), '⟨U+202E⟩⟨U+…');
  });

  it('keeps what looks like a placeholder', () => {
    assert.equal(groups.sentenceWithGroups(['{text}'], 'It works.'), '{text}: It works.');
  });

  describe('in a text of at most 30 characters', () => {
    const fit = (name: string, counts: string) =>
      groups.withGroupsWithin([name, 'ops'], counts, 30);

    it('has twelve characters of a name when these fit', () => {
      assert.equal(fit('payments-and-billing', '7 failing'), 'payments-an… +1 · 7 failing');
    });

    it('has so many characters of a name as fit', () => {
      assert.equal(
        fit('payments-and-billing', '123 not read yet'),
        'payment… +1 · 123 not read yet',
      );
    });

    it('never cuts the counts', () => {
      const counts = '1 not read yet, 2 muted, 3 failing';
      assert.equal(fit('payments', counts), `… +1 · ${counts}`);
    });
  });
});
