import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { FileSettings } from '../../../src/check/list/fileSettings.js';
import {
  mutesOf,
  type OtherSettings,
  readMutesSetting,
  readOwnersSetting,
} from '../../../src/check/list/otherSettings.js';
import { positionText } from '../../../src/check/list/position.js';
import { withFindings } from '../../../src/model/findings/deployment.js';
import type { Problem } from '../../../src/model/findings/findings.js';
import { answerOf } from '../../support/answers.js';
import { failedAccount } from '../../support/platform/data.js';
import { now, rightEntries, token, wrongEntries } from '../model/entered/muteEntryCases.js';
import { muteAccount, settingsText } from './muteSettings.js';

const redact = (text: string) => text.replaceAll(token, '[redacted]');

const settingsOf = (text: string) =>
  new FileSettings(text, { file: 'a.json', isOfWorkspaceFile: false });
const readMutes = (mutes: readonly unknown[]) =>
  readMutesSetting(settingsOf(settingsText([], mutes)).get('mutes'), { now, redact });

const mutesIn = (
  files: readonly OtherSettings[],
  options: Partial<Parameters<typeof mutesOf>[1]> = {},
) => mutesOf(files, { plainIds: new Set(), leftOutIds: [], now, ...options });

const failedAnswer = (deploymentId: string) =>
  withFindings(answerOf(failedAccount()), deploymentId);

/** The problem of the failed account in a deployment. */
function problemIn(deploymentId: string): Problem {
  const [problem] = failedAnswer(deploymentId).findings.problems;
  assert.ok(problem);
  return problem;
}

async function fileOf(
  isOfWorkspaceFile: boolean,
  ids: readonly string[],
  hasMute: boolean,
): Promise<OtherSettings> {
  const { usable: mutes } = await readMutes(hasMute ? [muteAccount] : []);
  const listedIds = new Set(ids);
  return { file: 'a.json', isOfWorkspaceFile, listedIds, owners: new Map(), mutes };
}

describe('the mutes of a settings file', () => {
  const right = rightEntries.map(({ entry }) => entry);
  const wrong = wrongEntries.map(({ entry }) => entry);

  it('are none of the wrong entries', async () => {
    const { usable, malformed } = await readMutes(wrong);
    assert.equal(usable.size, 0);
    assert.equal(malformed.length, wrong.length);
  });

  it('are all right entries among wrong ones, at their places', async () => {
    const mixed = right.flatMap((entry) => [wrong[0], entry]);
    const { usable } = await readMutes(mixed);
    const places = Array.from(usable.values(), positionText);
    const expected = right.map((_, nth) => `a.json:${4 + 2 * nth + 1}:5`);
    assert.deepEqual(places, expected);
  });

  it('say of each wrong entry why it mutes nothing', async () => {
    const { malformed } = await readMutes(wrong);
    const expected = wrongEntries.map(
      ({ reason }) => `This entry mutes nothing, because ${reason}.`,
    );
    assert.deepEqual(
      malformed.map(({ text }) => text),
      expected,
    );
  });

  it('are none when the setting is absent', async () => {
    const { usable, malformed } = await readMutesSetting(undefined, { now, redact });
    assert.deepEqual([usable.size, malformed.length], [0, 0]);
  });

  it('are none when the setting is an entry in place of a list', async () => {
    const text = JSON.stringify({ 'automationPlatform.mutes': muteAccount });
    const { usable } = await readMutesSetting(settingsOf(text).get('mutes'), { now, redact });
    assert.equal(usable.size, 0);
  });

  it('hold for its own deployments, for plain IDs, and for those of workspace files', async () => {
    const ids = fc.subarray(['a', 'b', 'c', 'd']);
    const someFile = fc.record({ isWorkspace: fc.boolean(), ids, hasMute: fc.boolean() });
    const files = fc.array(someFile, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(files, ids, async (given, plainIds) => {
        const settings = given.map((one) => fileOf(one.isWorkspace, one.ids, one.hasMute));
        const mutes = mutesIn(await Promise.all(settings), { plainIds: new Set(plainIds) });
        const idsOfWorkspaces = given.filter((one) => one.isWorkspace).flatMap((one) => one.ids);
        for (const id of ['a', 'b', 'c', 'd']) {
          const isForAll = plainIds.includes(id) || idsOfWorkspaces.includes(id);
          const isMuted = given.some(
            (one) => one.hasMute && (one.isWorkspace || isForAll || one.ids.includes(id)),
          );
          assert.equal(mutes.muteOf(problemIn(id)) !== undefined, isMuted, id);
        }
      }),
    );
  });

  it('end with the last day', async () => {
    const { usable } = await readMutes([muteAccount]);
    const endsAt = Date.UTC(2027, 0, 1);
    const isMutedAt = (time: number) => {
      const file = { file: 'a.json', isOfWorkspaceFile: true, listedIds: new Set<string>() };
      const settings = { ...file, owners: new Map(), mutes: usable };
      return mutesIn([settings], { now: time }).muteOf(problemIn('a')) !== undefined;
    };
    assert.deepEqual([isMutedAt(endsAt - 1), isMutedAt(endsAt)], [true, false]);
  });

  it('are known to mute in a deployment that was checked when others were left out', async () => {
    const mutes = mutesIn([await fileOf(true, [], true)], { leftOutIds: ['b'] });
    const checked = { id: 'a', name: 'a', state: 'muted', activity: 'idle' } as const;
    const states = mutes.statesIn([{ ...checked, answer: failedAnswer('a') }]);
    assert.deepEqual([...states.values()], ['mutes']);
  });

  it('have the last day and the reason of the entry', async () => {
    const mutes = mutesIn([await fileOf(true, [], true)]);
    const { until, reason } = mutes.muteOf(problemIn('a'))?.forEveryone ?? {};
    const { until: lastDay, reason: why } = muteAccount;
    assert.deepEqual({ until, reason }, { until: lastDay, reason: why });
  });
});

describe('the owners of a settings file', () => {
  it('are none when the setting is absent', async () => {
    const { usable, malformed } = await readOwnersSetting(undefined, { now, redact });
    assert.deepEqual([usable.size, malformed.length], [0, 0]);
  });

  it('are redacted', async () => {
    const text = JSON.stringify({ 'automationPlatform.owners': { slack: `Li ${token}` } });
    const table = settingsOf(text).get('owners');
    const { usable } = await readOwnersSetting(table, { now, redact });
    assert.deepEqual([...usable], [['slack', 'Li [redacted]']]);
  });
});
