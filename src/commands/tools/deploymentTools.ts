import * as vscode from 'vscode';
import type { Failure } from '../../api/failure.js';
import { toolNames } from '../../host/ids.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { causeFields } from '../../host/text/cause.js';
import {
  type DeploymentArgument,
  readDeploymentArgument,
} from '../../model/entered/askedDeployment.js';
import type { Ignored } from '../../model/entered/ignoredEntries.js';
import type { OwnerOf } from '../../model/entered/owners.js';
import { codeSpan } from '../../model/inertText.js';
import { authorizationResult, problemsResult } from '../../model/toolResult.js';
import { RequestFailed } from '../sendAs.js';
import { signalOf } from '../waitingCall.js';
import { currentQuestion, failedFields, nothingRead, type Tool } from './tool.js';
import { UnlistedReads } from './unlistedReads.js';

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
          vscode.l10n.t(
            'Problems in organization {name} ({host}) as they were last read. No request is sent.',
            asked,
          ),
        async (organization) => {
          const { ignoredSettings, memory, store } = services;
          const { cause } = store;
          const result = problemsResult(store.deployments, {
            now: Date.now(),
            ownerOf: (owned) => services.owners.of(owned),
            memory,
            fixSeenIn: fixSeenIn(services),
            ...(cause && { failed: causeFields(cause, organization) }),
          });
          return { ...ignoredFields(ignoredSettings.current), ...result };
        },
      ),
  };
}

/** The names of files are texts of the workspace, so they stand in a field of their own. */
function ignoredFields({ deployments }: Ignored): object {
  if (!deployments) return {};
  const reason = vscode.l10n.t(
    'The workspace is not trusted, so the deployments that its settings list were not read. Nothing is known of them.',
  );
  return {
    ignoredWorkspaceList: { reason, deployments: deployments.count, files: deployments.files },
  };
}

/** Reads one deployment for a language model. A listed one is refreshed, so that the person's tree shows the same. */
export function authorizationTool(services: Services): Tool {
  const { log, organizations, store } = services;
  const unlisted = new UnlistedReads(services);
  return {
    progress: vscode.l10n.t('Reading the authorization of a deployment'),
    title: vscode.l10n.t('Read the authorization of a deployment?'),
    ask: (input) => {
      // Some agents pass the ID by another name.
      const given = input['deploymentId'] ?? input;
      const asked = readDeploymentArgument(given, {
        listed: store.deployments,
        holdsToken: (text) => organizations.hasTokenIn(text),
        holdsSecret: (text) => log.redact(text) !== text,
      });
      if (asked.kind !== 'id') {
        const text = refusalText(asked, given);
        return currentQuestion(
          services,
          () => text,
          async () => refusalFields(asked),
        );
      }
      const { id } = asked;
      return currentQuestion(
        services,
        (words) =>
          vscode.l10n.t('Read deployment {id} from organization {name} ({host}).', {
            id: codeSpan(id),
            ...words,
          }),
        async (organization, token) => {
          if (store.get(id) !== undefined) return readListed(services, organization, id, token);
          const answer = await unlisted.read(organization, id, token);
          return authorizationResult(id, answer, { ownerOf: (owned) => services.owners.of(owned) });
        },
      );
    },
  };
}

type Refused = Exclude<DeploymentArgument, { kind: 'id' }>;

/** For the person. What may be a token is not shown. */
function refusalText({ kind }: Refused, given: unknown): string {
  if (typeof given !== 'string' || kind === 'secret') {
    return vscode.l10n.t(
      'The agent passed no deployment ID, so nothing is sent. The agent gets an error that says what to pass.',
    );
  }
  const text = codeSpan(given, 200);
  return vscode.l10n.t(
    '{text} is not the ID of one deployment, so nothing is sent. The agent gets an error that says what to pass.',
    {
      text,
    },
  );
}

/** What an agent can pass instead. IDs are texts of settings, so they stand in a field of their own. */
function refusalFields({ kind, ids }: Refused): object {
  const field = 'deploymentIds';
  const error = {
    otherForm: vscode.l10n.t('This is not the exact ID. Call again with the one in {field}.', {
      field,
    }),
    sharedLabel: vscode.l10n.t(
      'Several listed deployments have this label. Call again with one ID of {field}.',
      {
        field,
      },
    ),
    several: vscode.l10n.t(
      'This names several deployments. Call again for each, with one ID of {field}.',
      { field },
    ),
    secret: vscode.l10n.t(
      'This may hold a token. Pass only the ID of a deployment, never a token.',
    ),
    noId: vscode.l10n.t(
      'This is not the ID of one deployment. Pass an exact ID as {parameter}: {tool} gives those of deployments with problems.',
      { parameter: 'deploymentId', tool: toolNames.listProblems },
    ),
  }[kind];
  return { error, ...(ids.length > 0 && { [field]: ids }) };
}

function fixSeenIn({ impact }: Services) {
  return (deploymentId: string, accountId: string | undefined): string | undefined =>
    impact.newestIfWorking(deploymentId, accountId)?.deployment.id;
}

/** A read that is cancelled, as a replaced token does, leaves what was known: that is neither its answer nor its failure. */
async function readListed(
  services: Services,
  asked: Organization,
  id: string,
  token: vscode.CancellationToken,
) {
  const { memory, owners, store } = services;
  const ownerOf: OwnerOf = (owned) => owners.of(owned);
  const options = { memory, ownerOf, fixSeenIn: fixSeenIn(services) };
  const before = store.get(id);
  if (!store.rejectionOf(asked.id))
    await store.refresh([id], { urgent: true, apart: true, signal: signalOf(token) });
  const { answer, failedRead } = store.get(id) ?? {};
  const { cause } = store;
  if (answer && answer !== before?.answer) return authorizationResult(id, answer, options);
  const shared: Failure | undefined =
    cause?.kind === 'paused'
      ? { kind: 'rateLimited', status: 429, until: cause.until }
      : cause?.failure;
  const newFailure = failedRead === before?.failedRead ? shared : failedRead?.failure;
  const failed = newFailure
    ? failedFields(new RequestFailed(newFailure, asked, 'authorization'))
    : { error: nothingRead };
  return answer ? authorizationResult(id, answer, { stale: failed, ...options }) : failed;
}
