import * as vscode from 'vscode';
import { ApiError } from '../../api/failure.js';
import { UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import type { Deployment } from '../../model/deployment.js';
import { Findings } from '../../model/findings.js';
import { codeSpan } from '../../model/inertText.js';
import { authorizationResult } from '../../model/toolResult.js';
import { idMessage } from '../deployments/addDeployment.js';
import { isSameTarget, signalOf, waitingSignal } from '../meant.js';
import { currentOrganization } from '../organizations/switchOrganization.js';
import {
  type FailureFields,
  failureFields,
  organizationSpans,
  questionItem,
  requireCurrent,
  type Tool,
  type ToolInput,
} from './tool.js';

/** Reads one deployment for a language model. A listed one is refreshed, so that the person's tree shows the same. */
export function authorizationTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Reading the authorization of a deployment'),
    title: vscode.l10n.t('Read the authorization of a deployment?'),
    ask: async (input) => {
      const id = idOf(input);
      const asked = services.organizations.current;
      return {
        about: JSON.stringify([asked?.id]),
        text: question(id, asked),
        item: questionItem(id, asked),
        read: async (token) => {
          requireCurrent(services, asked);
          const organization = asked ?? (await currentOrganization(services));
          const wrong = idMessage(services, id);
          if (wrong !== undefined) throw new UserError(wrong);
          const listed = services.store.get(id) !== undefined;
          const read = listed
            ? await readListed(services, id, token)
            : await readUnlisted(services, organization.id, id, token);
          return resultOf(services, id, read);
        },
      };
    },
  };
}

function question(id: string, organization: Organization | undefined): string {
  return organization
    ? vscode.l10n.t('Deployment “{id}” of the organization “{name}” ({host}). Nothing is changed.', {
        id: codeSpan(id),
        ...organizationSpans(organization),
      })
    : vscode.l10n.t('Deployment “{id}”. Nothing is sent, since you are not signed in to an organization.', {
        id: codeSpan(id),
      });
}

function idOf({ deploymentId }: ToolInput): string {
  return typeof deploymentId === 'string' ? deploymentId.trim() : '';
}

/** What came of a read, and what is known now. */
interface Read extends Pick<Deployment, 'answer' | 'failure'> {
  /** The answer was there before, or was given for a token that has been replaced since. */
  readonly old: boolean;
}

/** A read that is cancelled, as a replaced token does, leaves what was known: that is neither its answer nor its failure. */
async function readListed(
  { store }: Services,
  id: string,
  cancellation: vscode.CancellationToken,
): Promise<Read | undefined> {
  const before = store.get(id);
  const { answer, failure } = (await store.refresh(id, signalOf(cancellation))) ?? {};
  return {
    ...(answer && { answer }),
    ...(failure && failure !== before?.failure && { failure }),
    old: answer === before?.answer,
  };
}

async function readUnlisted(
  { organizations, client }: Services,
  organizationId: string,
  id: string,
  cancellation: vscode.CancellationToken,
): Promise<Read | undefined> {
  const target = organizations.target(organizationId, 'access');
  if (!target) return undefined;
  const waiting = waitingSignal(cancellation, organizations.onDidChange, () =>
    isSameTarget(target, organizations.target(organizationId, 'access')),
  );
  try {
    const { value: authorization, ...rest } = await client.getDeploymentAuthorization(target, id, {
      signal: waiting.signal,
      urgent: true,
      onPhase: waiting.onPhase,
    });
    const now = organizations.target(organizationId, 'access');
    // Signed out in the meantime: nothing that was read with that token is given to anybody.
    if (!now) return undefined;
    // Nobody has seen this deployment here before, so its problems are as old as this answer.
    const findings = new Findings(authorization, id, () => rest.receivedAt, rest);
    return { answer: { authorization, findings, ...rest }, old: !isSameTarget(target, now) };
  } catch (error) {
    if (waiting.changed) return undefined;
    if (error instanceof ApiError) return { failure: { failure: error.failure, at: Date.now() }, old: false };
    throw error;
  } finally {
    waiting.dispose();
  }
}

function resultOf({ organizations }: Services, id: string, read: Read | undefined): object {
  const failure =
    read?.failure &&
    failureFields(read.failure.failure, {
      operation: 'authorization',
      ...(organizations.current && { organization: organizations.current }),
    });
  if (read?.answer) return authorizationResult(id, read.answer, failure ?? (read.old ? notReadAnew() : undefined));
  if (failure?.redirectedTo !== undefined) return { error: failure.sentence, redirectedTo: failure.redirectedTo };
  throw new UserError(
    failure?.sentence ?? vscode.l10n.t('Nothing was read: the organization changed, or it was cancelled.'),
  );
}

function notReadAnew(): FailureFields {
  return { sentence: vscode.l10n.t('It was not read anew: the token was replaced meanwhile, or it was cancelled.') };
}
