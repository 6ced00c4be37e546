import * as vscode from 'vscode';
import { ApiError, type Failure } from '../../api/failure.js';
import { UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import type { Deployment } from '../../model/deployment.js';
import { codeSpan } from '../../model/inertText.js';
import { Findings } from '../../model/problems/findings.js';
import { authorizationResult, type FailedRead } from '../../model/toolResult.js';
import { idMessage } from '../deployments/addDeployment.js';
import { sendAs, signalOf } from '../meant.js';
import { currentQuestion, failureFields, nothingRead, type Tool } from './tool.js';

/** Reads one deployment for a language model. A listed one is refreshed, so that the person's tree shows the same. */
export function authorizationTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Reading the authorization of a deployment'),
    title: vscode.l10n.t('Read the authorization of a deployment?'),
    ask: async ({ deploymentId }) => {
      const id = typeof deploymentId === 'string' ? deploymentId.trim() : '';
      const what = { id: codeSpan(id) };
      return currentQuestion(
        services,
        (asked) => vscode.l10n.t('Read deployment {id} from organization {name} ({host}).', { ...what, ...asked }),
        async (organization, token) => {
          const wrong = idMessage(services, id);
          if (wrong !== undefined) throw new UserError(wrong);
          const read = services.store.get(id) === undefined ? readUnlisted : readListed;
          const { answer, failed } = await read(services, organization, id, token);
          return answer ? authorizationResult(id, answer, failed) : (failed ?? { error: nothingRead() });
        },
        vscode.l10n.t('Deployment {id}. You are not signed in, so nothing is sent.', what),
      );
    },
  };
}

/** What is known now. `failed`: why that is nothing new. */
interface Read extends Pick<Deployment, 'answer'> {
  readonly failed?: FailedRead;
}

/** A read that is cancelled, as a replaced token does, leaves what was known: that is neither its answer nor its failure. */
async function readListed(
  { store }: Services,
  organization: Organization,
  id: string,
  cancellation: vscode.CancellationToken,
): Promise<Read> {
  const before = store.get(id);
  const { answer, failure } = (await store.refresh(id, signalOf(cancellation))) ?? {};
  if (failure && failure !== before?.failure) return { answer, failed: failedRead(failure.failure, organization) };
  return answer === before?.answer ? { answer, failed: { error: nothingRead() } } : { answer };
}

async function readUnlisted(
  { organizations, client }: Services,
  organization: Organization,
  id: string,
  cancellation: vscode.CancellationToken,
): Promise<Read> {
  try {
    const answer = await sendAs(organizations, organization, 'access', cancellation, (target, call) =>
      client.getDeploymentAuthorization(target, id, call),
    );
    // What was read with a token that is gone is given to nobody.
    if (!answer) return {};
    const { value: authorization, ...rest } = answer;
    // Nobody has seen this deployment here before, so its problems are as old as this answer.
    const findings = new Findings(authorization, id, () => rest.receivedAt, rest);
    return { answer: { authorization, findings, ...rest } };
  } catch (error) {
    if (error instanceof ApiError) return { failed: failedRead(error.failure, organization) };
    throw error;
  }
}

function failedRead(failure: Failure, organization: Organization): FailedRead {
  return failureFields(failure, organization);
}
