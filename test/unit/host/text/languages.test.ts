import { strict as assert } from 'node:assert';
import type * as Causes from '../../../../src/host/text/cause.js';
import type * as Deployments from '../../../../src/host/text/deployment.js';
import type * as Format from '../../../../src/host/text/format.js';
import type * as IgnoredTexts from '../../../../src/host/text/ignored.js';
import type * as Mutes from '../../../../src/host/text/mutes.js';
import { Findings } from '../../../../src/model/findings/findings.js';
import { nothingRemembered } from '../../../../src/model/findings/state.js';
import { inLanguage, type Language } from '../../../support/languages.js';

const minute = 60_000;
const none = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };

/** The expected texts of one language. */
interface Words {
  readonly language: Language;
  readonly spoken: string;
  readonly afterStop: string;
  readonly names: string;
  readonly ago: string;
  readonly duration: string;
  /** The last day of a mute in this year, and one in the next. */
  readonly utcDays: readonly [string, string];
  /** Of a problem that is muted for everyone: in a row, and in a hover. */
  readonly muted: readonly [string, string];
  readonly counts: string;
  readonly list: string;
  readonly ignored: string;
  readonly ofUnknownNumber: string;
  readonly oldCountsWithTime: string;
  /** As above, but with a number that leaves no room for the time. */
  readonly oldCounts: string;
}

const languages: readonly Words[] = [
  {
    language: 'de',
    spoken: 'Billing sync, Deployment, gestört, Fehler: Finance Slack',
    afterStop: 'Eins. Zwei, drei',
    names: '`slack`, `acc_1`',
    ago: 'vor 5 Minuten',
    duration: '1 Std. 5 Min.',
    utcDays: ['31. Dez.', '15. Jan. 2027'],
    muted: [
      'für alle stummgeschaltet bis 31. Dez. · FIN-1234',
      'Für alle stummgeschaltet in a.json bis 31. Dez. 2026 (UTC): „FIN-1234“.',
    ],
    counts: '3 gestört, 1 unbekannt und 2 stummgeschaltet',
    list: 'a und b',
    ignored:
      '1 Deployment in acme.code-workspace wird ignoriert, weil dieser Arbeitsbereich nicht vertrauenswürdig ist. ',
    ofUnknownNumber:
      'Deployments in a, b, c und 2 weitere werden ignoriert, weil dieser Arbeitsbereich nicht vertrauenswürdig ist. ',
    oldCountsWithTime: '7 gestört, Liste ignoriert · Stand 11:49',
    oldCounts: '1.234 gestört, Liste ignoriert',
  },
  {
    language: 'ja',
    spoken: 'Billing sync、デプロイメント、要対応、エラー: Finance Slack',
    afterStop: '一。二、三',
    names: '`slack`、`acc_1`',
    ago: '5 分前',
    duration: '1 時間 5 分',
    utcDays: ['12月31日', '2027年1月15日'],
    muted: [
      '全員に対してミュート中 (12月31日 まで) · FIN-1234',
      'a.json により、2026年12月31日 (UTC) まで全員に対してミュート中です: 「FIN-1234」。',
    ],
    counts: '要対応 3 件、不明 1 件、ミュート中 2 件',
    list: 'a、b',
    ignored:
      'このワークスペースは信頼されていないため、次の設定は無視されます: 1 件のデプロイメント (acme.code-workspace)。',
    ofUnknownNumber:
      'このワークスペースは信頼されていないため、次の設定は無視されます: デプロイメント (a、b、c、他 2 件)。',
    oldCountsWithTime: '要対応 7 件、ワークスペースのリストは無視 · 11:49 時点',
    oldCounts: '要対応 1,234 件、ワークスペースのリストは無視 · 11:49 時点',
  },
  {
    language: 'zh-cn',
    spoken: 'Billing sync，部署，需要处理，出错：Finance Slack',
    afterStop: '一。二，三',
    names: '`slack`，`acc_1`',
    ago: '5 分钟前',
    duration: '1 小时 5 分钟',
    utcDays: ['12月31日', '2027年1月15日'],
    muted: [
      '已为所有人屏蔽至 12月31日 · FIN-1234',
      '已在 a.json 中为所有人屏蔽至 2026年12月31日 (UTC)：“FIN-1234”。',
    ],
    counts: '3 个需要处理、1 个未知、2 个已屏蔽',
    list: 'a 和 b',
    ignored: '由于此工作区不受信任，将忽略以下设置：1 个部署 (acme.code-workspace)。',
    ofUnknownNumber: '由于此工作区不受信任，将忽略以下设置：部署 (a、b、c 和另外 2 个)。',
    oldCountsWithTime: '7 个需要处理，已忽略工作区列表 · 截至 11:49',
    oldCounts: '1,234 个需要处理，已忽略工作区列表 · 截至 11:49',
  },
];

for (const { language, ...words } of languages) {
  describe(`the texts in ${language}`, () => {
    let format: typeof Format;
    let deployments: typeof Deployments;
    let causes: typeof Causes;
    let ignoredTexts: typeof IgnoredTexts;
    let mutes: typeof Mutes;

    before(async function () {
      // Two small bundles; a machine that is busy with two workbenches needs longer for them.
      this.timeout(60_000);
      format = await inLanguage(language, 'src/host/text/format.ts');
      deployments = await inLanguage(language, 'src/host/text/deployment.ts');
      causes = await inLanguage(language, 'src/host/text/cause.ts');
      ignoredTexts = await inLanguage(language, 'src/host/text/ignored.ts');
      mutes = await inLanguage(language, 'src/host/text/mutes.ts');
    });

    it('have commas of the language between the parts of a spoken name', () => {
      const [name = '', kind = '', state, cause] = words.spoken.split(/(?:, |、|，)/);
      const spoken = format.joinForScreenReader(name, undefined, kind, '', `${state} · ${cause}`);
      assert.equal(spoken, words.spoken);
    });

    it('have no comma behind a full stop', () => {
      const [first = '', second, third] = words.afterStop.split(/(?<=[.。]) ?|(?:, |、|，)/);
      assert.equal(format.joinForScreenReader(first, second, third), words.afterStop);
    });

    it('have a comma of the language between two names', () => {
      assert.equal(format.joinWithCommas('`slack`', '`acc_1`'), words.names);
    });

    describe('with a time of the morning', () => {
      const morning = new Date(2026, 10, 20, 8, 0).getTime();

      it('show the time of day on the whole day', () => {
        const evening = new Date(2026, 10, 20, 20, 5).getTime();
        const inTheMorning = format.shortTimesLongestFirst(morning, morning);
        const inTheEvening = format.shortTimesLongestFirst(morning, evening);
        assert.deepEqual(inTheEvening, inTheMorning);
      });

      it('do not show the time of day after midnight', () => {
        const afterMidnight = new Date(2026, 10, 21, 0, 5).getTime();
        const onTheDay = format.shortTimesLongestFirst(morning, morning);
        const onTheNextDay = format.shortTimesLongestFirst(morning, afterMidnight);
        assert.notDeepEqual(onTheNextDay, onTheDay);
      });
    });

    it(`show an age as “${words.ago}”`, () => {
      assert.equal(format.relativeTime(0, 5 * minute), words.ago);
    });

    it(`show a duration as “${words.duration}”`, () => {
      const time = [
        { unit: 'hour', amount: 1 },
        { unit: 'minute', amount: 5 },
      ] as const;
      assert.equal(format.durationText(time), words.duration);
    });

    it(`name days in UTC as “${words.utcDays[0]}” and “${words.utcDays[1]}”`, () => {
      const lastSecondOfYear = Date.parse('2026-12-31T23:59:59Z');
      const days = ['2026-12-31', '2027-01-15'].map((day) =>
        format.utcDayText(day, lastSecondOfYear),
      );
      assert.deepEqual(days, words.utcDays);
    });

    it('say until when and why a problem is muted for everyone', () => {
      const at = Date.parse('2026-11-20T12:00:00Z');
      const forEveryone = { until: '2026-12-31', reason: 'FIN-1234' };
      const memory = {
        ...nothingRemembered,
        muteOf: () => ({ until: at, isUntilChange: false, forEveryone }),
      };
      const answer = { accounts: [{ error: {} }], requirements: [] };
      const [problem] = new Findings({ value: answer, decodeIssues: [] }, 'a').problems;
      const said = [
        mutes.mutedWord(problem, memory, at),
        mutes.mutedText(problem!, { memory, now: at }, () => 'a.json'),
      ];
      assert.deepEqual(said, words.muted);
    });

    it(`count deployments by state as “${words.counts}”`, () => {
      const counts = { ...none, total: 6, failing: 3, unknown: 1, muted: 2 };
      assert.equal(deployments.allCountsText(counts), words.counts);
    });

    it(`join two Latin words as “${words.list}”`, () => {
      assert.equal(format.listText(['a', 'b'], 'long'), words.list);
    });

    it('name ignored deployments with their number and files', () => {
      const list = { count: 1, files: ['acme.code-workspace'] };
      const text = ignoredTexts.ignoredText({ deployments: list });
      const beginning = text.slice(0, words.ignored.length);
      assert.equal(beginning, words.ignored);
    });

    it('name ignored deployments without a number when that is unknown', () => {
      const list = { count: undefined, files: ['a', 'b', 'c', 'd', 'e'] };
      const text = ignoredTexts.ignoredText({ deployments: list });
      const beginning = text.slice(0, words.ofUnknownNumber.length);
      assert.equal(beginning, words.ofUnknownNumber);
    });

    /** The verdict of so many failing deployments 11 minutes later, while a list is ignored. */
    function oldVerdict(failing: number) {
      const at = new Date(2026, 10, 20, 11, 49).getTime();
      const counts = { ...none, total: failing, failing, isListIgnored: true } as const;
      const verdicts = deployments.verdictsWithIgnoredList(counts);
      return causes.verdictWithTime(verdicts, at, at + 11 * minute);
    }

    it('say with old counts that a list is ignored', () => {
      assert.equal(oldVerdict(7), words.oldCountsWithTime);
    });

    it('say with large old counts that a list is ignored', () => {
      assert.equal(oldVerdict(1234), words.oldCounts);
    });
  });
}
