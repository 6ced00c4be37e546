import * as fc from 'fast-check';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { DecodeIssue } from '../../../../src/api/decode.js';
import { Emitter } from '../../../../src/model/base/emitter.js';
import { type Deployment, withFindings } from '../../../../src/model/findings/deployment.js';
import type { Problem } from '../../../../src/model/findings/findings.js';
import type { State } from '../../../../src/model/findings/order.js';
import {
  nothingRemembered,
  type Remembered,
  stateOfFindings,
} from '../../../../src/model/findings/state.js';
import type { StoreChange } from '../../../../src/model/store/store.js';
import { childrenOf, type TreeElement } from '../../../../src/model/tree/elements.js';
import { answerOf } from '../../../support/answers.js';
import { answersOf } from '../../../support/window/accountAnswers.js';

/** A failed read of a deployment: the platform does not know it. */
export const failure = { failure: { kind: 'notFound', status: 404 }, at: 0 } as const;

/** Makes a deployment with this answer. `at`: epoch ms of sending; the answer that was sent last is the newest. */
export function read(
  id: string,
  value: DeploymentAuthorization,
  decodeIssues: readonly DecodeIssue[] = [],
  at = 0,
): Deployment {
  const answer = withFindings(answerOf(value, { decodeIssues, sentAt: at, sequence: at }), id);
  return {
    id,
    name: id,
    state: stateOfFindings(answer.findings, nothingRemembered),
    activity: 'idle',
    answer,
  };
}

/** Makes a deployment in this group, or in none. */
export function inGroup(id: string, group?: string, state: State = 'satisfied'): Deployment {
  return { id, name: id, state, activity: 'idle', ...(group !== undefined && { group }) };
}

/** Makes a memory in which these problems are muted until this time, and all problems were first seen at 1000. */
export function muting(
  isMuted: (problem: Problem) => boolean,
  until = 1,
  isUntilChange = false,
): Remembered {
  return {
    muteOf: (problem) => (isMuted(problem) ? { until, isUntilChange } : undefined),
    hasChangedSinceMuted: () => false,
    seenSince: () => 1000,
    notifies: () => false,
  };
}

/** Makes a store with these deployments; `replace()` gives it others. */
export function storeOf(...listed: readonly Deployment[]) {
  const changed = new Emitter<StoreChange>();
  let deployments = listed;
  let accountAnswers = answersOf(listed);
  return {
    get deployments() {
      return deployments;
    },
    get accountAnswers() {
      return accountAnswers;
    },
    get: (id: string) => deployments.find((one) => one.id === id),
    onDidChange: changed.event,
    replace: (...others: readonly Deployment[]) => {
      deployments = others;
      accountAnswers = answersOf(others);
      changed.fire('all');
    },
  };
}

/** Returns all rows below this one, each before its own children. */
export function below(element: TreeElement): readonly TreeElement[] {
  return childrenOf(element).flatMap((child) => [child, ...below(child)]);
}

/** Any text, often one that is hard to tell from another in an ID. */
export const anyText = fc.oneof(
  fc.constantFrom('a', 'b', '%', '', 'a:b', '#2'),
  fc.string({ unit: 'binary' }),
);
const word = fc.option(anyText, { nil: undefined });
const words = fc.array(anyText, { maxLength: 3 });
const error = fc.option(fc.record({ code: word, message: word }));
const satisfied = fc.constantFrom(true, false, undefined);
const connections = fc.array(fc.record({ connectionMethodId: word, requiredScopes: words }), {
  maxLength: 2,
});
const ids = { serviceId: word, binding: word, accountId: word, eligibleAccountIds: words };

/** Any answer that the platform may send. */
export const anyAuthorization: fc.Arbitrary<DeploymentAuthorization> = fc.record({
  accounts: fc.array(fc.record({ id: word, label: word, serviceId: word, scopes: words, error })),
  requirements: fc.array(fc.record({ ...ids, satisfied, connections })),
});
