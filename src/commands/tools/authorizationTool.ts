import * as vscode from 'vscode';
import { ApiError } from '../../api/failure.js';
import { UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import type { Deployment } from '../../model/deployment.js';
import { codeSpan } from '../../model/inertText.js';
import { Findings } from '../../model/problems/findings.js';
import { authorizationResult } from '../../model/toolResult.js';
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
          return resultOf(services, id, await read(services, organization, id, token));
        },
        vscode.l10n.t('Deployment {id}. You are not signed in, so nothing is sent.', what),
      );
    },
  };
}

/** What came of a read, and what is known now. */
interface Read extends Pick<Deployment, 'answer' | 'failure'> {
  /** The answer was there before. */
  readonly old?: boolean;
}

/** A read that is cancelled, as a replaced token does, leaves what was known: that is neither its answer nor its failure. */
async function readListed(
  { store }: Services,
  _: Organization,
  id: string,
  cancellation: vscode.CancellationToken,
): Promise<Read> {
  const before = store.get(id);
  const { answer, failure } = (await store.refresh(id, signalOf(cancellation))) ?? {};
  return {
    ...(answer && { answer, old: answer === before?.answer }),
    ...(failure && failure !== before?.failure && { failure }),
  };
}

async function readUnlisted(
  { organizations, client }: Services,
  organization: Organization,
  id: string,
  cancellation: vscode.CancellationToken,
): Promise<Read> {
  try {
    const answer = await sendAs(organizations, organization, 'access', cancellation, (target, { signal, onPhase }) =>
      client.getDeploymentAuthorization(target, id, { signal, urgent: true, onPhase }),
    );
    // What was read with a token that is gone is given to nobody.
    if (!answer) return {};
    const { value: authorization, ...rest } = answer;
    // Nobody has seen this deployment here before, so its problems are as old as this answer.
    const findings = new Findings(authorization, id, () => rest.receivedAt, rest);
    return { answer: { authorization, findings, ...rest } };
  } catch (error) {
    if (error instanceof ApiError) return { failure: { failure: error.failure, at: Date.now() } };
    throw error;
  }
}

function resultOf({ organizations }: Services, id: string, { answer, failure, old }: Read): object {
  const { current } = organizations;
  const failed = failure
    ? failureFields(failure.failure, { operation: 'authorization', ...(current && { organization: current }) })
    : { error: nothingRead() };
  if (answer) return authorizationResult(id, answer, failure || old ? failed : undefined);
  return failed;
}
