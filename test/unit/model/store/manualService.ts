import type { Answer } from '../../../../src/api/answer.js';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import { ApiError, type Failure } from '../../../../src/api/failure.js';
import type { Call } from '../../../../src/api/send.js';
import type { ReadDeployment } from '../../../../src/model/store/reads.js';
import type { ManualClock } from '../manualClock.js';

interface Asked {
  readonly id: string;
  readonly call: Call;
  readonly answer: (authorization: DeploymentAuthorization) => void;
  readonly fail: (failure: Failure) => void;
}

export const good: DeploymentAuthorization = { accounts: [], requirements: [{ binding: 'n', satisfied: true }] };
export const bad: DeploymentAuthorization = { accounts: [], requirements: [{ binding: 'n', satisfied: false }] };

export function failed(code: string): DeploymentAuthorization {
  return { accounts: [{ id: 'acc_1', label: 'Finance', error: { code } }], requirements: [] };
}

/** Keeps what it was asked, and answers when and as the test says; like a bad server it also answers the cancelled. */
export class ManualService {
  readonly asked: Asked[] = [];

  constructor(private readonly clock: ManualClock) {}

  readonly read: ReadDeployment = (id, call) =>
    new Promise<Answer<DeploymentAuthorization>>((resolve, reject) => {
      this.asked.push({
        id,
        call,
        answer: (value) => resolve({ value, decodeIssues: [], receivedAt: this.clock.now() }),
        fail: (failure) => reject(new ApiError(failure)),
      });
    });

  get ids(): readonly string[] {
    return this.asked.map(({ id }) => id);
  }

  /** The newest read of this deployment. */
  of(id: string): Asked {
    const asked = this.asked.findLast((candidate) => candidate.id === id);
    if (asked === undefined) throw new Error(`${id} was not asked for`);
    return asked;
  }
}
