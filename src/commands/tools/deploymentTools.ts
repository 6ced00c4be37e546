import * as vscode from 'vscode';
import type { Call, Target } from '../../api/call.js';
import type { Failure } from '../../api/failure.js';
import { UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { causeFields } from '../../host/text/cause.js';
import type { OwnerOf } from '../../model/entered/owners.js';
import { withFindings } from '../../model/findings/deployment.js';
import { codeSpan } from '../../model/inertText.js';
import { authorizationResult, problemsResult } from '../../model/toolResult.js';
import { idMessage } from '../deployments/addDeployment.js';
import { RequestFailed, sendAs } from '../sendAs.js';
import { signalOf } from '../waitingCall.js';
import { currentQuestion, failedFields, nothingRead, type Tool } from './tool.js';

/** Tells a language model what is broken, so that it needs no ID to begin with. It gives what is known and sends nothing. */
export function problemsTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Listing problems'),
    title: vscode.l10n.t('List the problems of your deployments?'),
    maxItems: 50,
    ask: () =>
      currentQuestion(
        services,
        (asked) =>
          vscode.l10n.t('Problems in organization {name} ({host}) as they were last read. No request is sent.', asked),
        async (organization) => {
          const { deploymentList, memory, store } = services;
          const cause = store.cause ?? (deploymentList.untrusted && ({ kind: 'untrusted' } as const));
          return problemsResult(store.deployments, {
            now: Date.now(),
            ownerOf: (owned) => services.owners.of(owned),
            memory,
            ...(cause && { failed: causeFields(cause, organization) }),
          });
        },
      ),
  };
}

/** Reads one deployment for a language model. A listed one is refreshed, so that the person's tree shows the same. */
export function authorizationTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Reading the authorization of a deployment'),
    title: vscode.l10n.t('Read the authorization of a deployment?'),
    ask: ({ deploymentId }) => {
      const id = typeof deploymentId === 'string' ? deploymentId.trim() : '';
      return currentQuestion(
        services,
        (asked) =>
          vscode.l10n.t('Read deployment {id} from organization {name} ({host}).', { id: codeSpan(id), ...asked }),
        async (organization, token) => {
          const wrong = idMessage(services, id);
          if (wrong !== undefined) throw new UserError(wrong);
          const read = services.store.get(id) === undefined ? readUnlisted : readListed;
          return read(services, organization, id, token);
        },
      );
    },
  };
}

/** A read that is cancelled, as a replaced token does, leaves what was known: that is neither its answer nor its failure. */
async function readListed(services: Services, asked: Organization, id: string, token: vscode.CancellationToken) {
  const { memory, owners, store } = services;
  const ownerOf: OwnerOf = (owned) => owners.of(owned);
  const before = store.get(id);
  await store.refresh([id], { urgent: true, apart: true, signal: signalOf(token) });
  const { answer, failure } = store.get(id) ?? {};
  const { cause } = store;
  if (answer && answer !== before?.answer) return authorizationResult(id, answer, { memory, ownerOf });
  const shared: Failure | undefined =
    cause?.kind === 'paused' ? { kind: 'rateLimited', status: 429, until: cause.until } : cause?.failure;
  const newFailure = failure === before?.failure ? shared : failure?.failure;
  const failed = newFailure
    ? failedFields(new RequestFailed(newFailure, asked, 'authorization'))
    : { error: nothingRead };
  return answer ? authorizationResult(id, answer, { stale: failed, memory, ownerOf }) : failed;
}

async function readUnlisted(services: Services, asked: Organization, id: string, token: vscode.CancellationToken) {
  const send = (target: Target, call: Call) => services.client.getDeploymentAuthorization(target, id, call);
  const answer = await sendAs(services, asked, 'authorization', token, send);
  return authorizationResult(id, withFindings(answer, id), { ownerOf: (owned) => services.owners.of(owned) });
}
