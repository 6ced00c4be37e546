import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerHistory } from '../../../src/api/answerer/answerHistory.js';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import { systemClock } from '../../../src/model/base/time.js';
import { MutesForEveryone } from '../../../src/model/problems/mutes.js';
import { ProblemMemory } from '../../../src/model/problems/problemMemory.js';
import { Store } from '../../../src/model/store/store.js';
import { answerOf } from '../../support/answers.js';
import { heapInUse } from '../../support/heapInUse.js';
import { MemoryState } from '../../support/memoryState.js';
import { deployments, lots } from '../data.js';
import type { Benchmark } from '../rows.js';

export const memory: Benchmark = async () => {
  const texts = new Map([...deployments(lots)].map(([id, one]) => [id, JSON.stringify(one)]));
  const json = [...texts.values()].reduce((sum, text) => sum + text.length, 0) / lots;
  const store = new Store({
    ...systemClock,
    memory: new ProblemMemory({
      ...systemClock,
      state: new MemoryState(),
      log: console,
      muteEntries: { current: new MutesForEveryone([]), onDidChange: new Emitter<void>().event },
    }),
    history: new AnswerHistory(),
    pausedUntil: () => undefined,
    hasFocus: () => true,
  });
  store.setListed([...texts.keys()].map((id) => ({ id })));
  // Each answer is parsed on its own, so that they share nothing.
  let sequence = 0;
  const read = async (id: string) => {
    sequence += 1;
    const value: DeploymentAuthorization = JSON.parse(texts.get(id)!);
    return answerOf(value, { sentAt: Date.now(), sequence });
  };
  store.setOrganization({ id: 'bench', read });
  const before = await heapInUse(() => sleep(100));
  await store.refresh();
  const held = ((await heapInUse(() => sleep(100))) - before) / lots;
  // Still in use.
  store.dispose();
  return [
    {
      what: 'memory per loaded deployment',
      against: 'the size of its JSON',
      measured: held / json,
      target: 3,
      unit: '×',
      detail: `${Math.round(held)} : ${Math.round(json)} bytes`,
    },
  ];
};
