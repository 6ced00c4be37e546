import { strict as assert } from 'node:assert';
import type * as Deployments from '../../../../src/host/text/deployment.js';
import type * as Format from '../../../../src/host/text/format.js';
import { inLanguage, type Language } from '../../../support/languages.js';

const minute = 60_000;
const none = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };

interface Words {
  readonly language: Language;
  readonly spoken: string;
  readonly afterStop: string;
  readonly names: string;
  readonly ago: string;
  readonly duration: string;
  readonly counts: string;
}

const languages: readonly Words[] = [
  {
    language: 'de',
    spoken: 'Billing sync, Deployment, gestört, Fehler: Finance Slack',
    afterStop: 'Eins. Zwei, drei',
    names: '`slack`, `acc_1`',
    ago: 'vor 5 Minuten',
    duration: '1 Std. 5 Min.',
    counts: '3 gestört, 1 unbekannt und 2 stummgeschaltet',
  },
  {
    language: 'ja',
    spoken: 'Billing sync、デプロイメント、要対応、エラー: Finance Slack',
    afterStop: '一。二、三',
    names: '`slack`、`acc_1`',
    ago: '5 分前',
    duration: '1 時間 5 分',
    counts: '要対応 3 件、不明 1 件、ミュート中 2 件',
  },
  {
    language: 'zh-cn',
    spoken: 'Billing sync，部署，需要处理，出错：Finance Slack',
    afterStop: '一。二，三',
    names: '`slack`，`acc_1`',
    ago: '5 分钟前',
    duration: '1 小时 5 分钟',
    counts: '3 个需要处理、1 个未知、2 个已屏蔽',
  },
];

describe('in its language', () => {
  for (const { language, ...words } of languages) {
    describe(language, () => {
      let format: typeof Format;
      let deployments: typeof Deployments;

      before(async function () {
        // Two small bundles; a machine that is busy with two workbenches needs longer for them.
        this.timeout(60_000);
        format = await inLanguage(language, 'src/host/text/format.ts');
        deployments = await inLanguage(language, 'src/host/text/deployment.ts');
      });

      it('a spoken name has commas of the language, in place of dots, too', () => {
        const [name = '', kind = '', state, cause] = words.spoken.split(/(?:, |、|，)/);
        assert.equal(format.spokenParts(name, undefined, kind, '', `${state} · ${cause}`), words.spoken);
      });

      it('a full stop is followed by no comma', () => {
        const [first = '', second, third] = words.afterStop.split(/(?<=[.。]) ?|(?:, |、|，)/);
        assert.equal(format.spokenParts(first, second, third), words.afterStop);
      });

      it('two names are joined with its comma', () => {
        assert.equal(format.withCommas('`slack`', '`acc_1`'), words.names);
      });

      it('an age has a space where the texts have one', () => {
        assert.equal(format.relativeTime(0, 5 * minute), words.ago);
      });

      it('a duration has a space where the texts have one', () => {
        const time = [
          { unit: 'hour', amount: 1 },
          { unit: 'minute', amount: 5 },
        ] as const;
        assert.equal(format.durationText(time), words.duration);
      });

      it('deployments are counted by state', () => {
        const counts = { ...none, total: 6, failing: 3, unknown: 1, muted: 2 };
        assert.equal(deployments.countsText(counts), words.counts);
      });
    });
  }
});
