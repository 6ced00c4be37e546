import * as vscode from 'vscode';
import { ApiError } from '../api/failure.js';
import type { Services } from '../host/services.js';
import { failureSentence, hostOf, organizationName, problemMessage, problemStep, sentences } from '../host/text.js';
import { UserError } from '../host/userError.js';
import type { Deployment, ReadAnswer } from '../model/deployment.js';
import { deriveFindings } from '../model/deriveFindings.js';
import { codeSpan } from '../model/inertText.js';
import { idMessage } from './addDeployment.js';
import { signalOf } from './signalOf.js';
import type { Tool, ToolInput } from './tool.js';
import { authorizationResult } from './toolResult.js';
import { isSameTarget, waitingSignal } from './waitingSignal.js';
import { currentOrganization } from './whichOrganization.js';

/** Reads one deployment for a language model. A listed one is refreshed, so that the person's tree shows the same. */
export function authorizationTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Reading the authorization of a deployment'),
    title: vscode.l10n.t('Read the authorization of a deployment?'),
    question: (input) => {
      const id = idOf(input);
      const organization = services.organizations.current;
      const text = organization
        ? vscode.l10n.t('Deployment “{id}” of the organization “{name}” ({host}). Nothing is changed.', {
            id: codeSpan(id),
            name: codeSpan(organizationName(organization)),
            host: codeSpan(hostOf(organization.baseUrl)),
          })
        : vscode.l10n.t('Deployment “{id}”. Nothing is sent, since you are not signed in to an organization.', {
            id: codeSpan(id),
          });
      return { organizationId: organization?.id, text };
    },
    run: async (input, token) => {
      const id = idOf(input);
      const organization = await currentOrganization(services);
      const wrong = idMessage(services, id);
      if (wrong !== undefined) throw new UserError(wrong);
      const listed = services.store.get(id) !== undefined;
      const read = listed
        ? await services.store.refresh(id, signalOf(token))
        : await readUnlisted(services, organization.id, id, token);
      return resultOf(services, id, read);
    },
  };
}

function idOf({ deploymentId }: ToolInput): string {
  return typeof deploymentId === 'string' ? deploymentId.trim() : '';
}

type Read = Pick<Deployment, 'answer' | 'failure'>;

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
    // Nobody has seen this deployment here before, so its problems are as old as this answer.
    const findings = deriveFindings(authorization, id, () => rest.receivedAt, rest);
    return { answer: { authorization, findings, ...rest } };
  } catch (error) {
    if (waiting.changed) return undefined;
    if (error instanceof ApiError) return { failure: { failure: error.failure, at: Date.now() } };
    throw error;
  } finally {
    waiting.dispose();
  }
}

function resultOf({ organizations }: Services, id: string, read: Read | undefined): string {
  const failure =
    read?.failure &&
    failureSentence(read.failure.failure, {
      operation: 'authorization',
      ...(organizations.current && { organization: organizations.current }),
    });
  if (read?.answer) {
    return authorizationResult(id, read.answer, {
      problems: problemSentences(read.answer),
      ...(failure !== undefined && { failure }),
    });
  }
  throw new UserError(failure ?? vscode.l10n.t('Nothing was read: the organization changed, or it was cancelled.'));
}

function problemSentences({ findings }: ReadAnswer): readonly string[] {
  return findings.problems.map((problem) => sentences(problemMessage(problem), problemStep(problem)));
}
