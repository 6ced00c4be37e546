import * as vscode from 'vscode';
import type { Failure } from '../../api/failure.js';
import { toolNames } from '../../host/ids.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { causeFields } from '../../host/text/cause.js';
import {
  type DeploymentArgument,
  readDeploymentArgument,
} from '../../model/entered/deploymentArgument.js';
import type { Ignored } from '../../model/entered/ignoredEntries.js';
import type { OwnerOf } from '../../model/entered/owners.js';
import { codeSpan } from '../../model/inertText.js';
import { authorizationResult, problemsResult } from '../../model/toolResult.js';
import { RequestFailed } from '../sendAs.js';
import { signalOf } from '../waitingCall.js';
import {
  cancelledText,
  failedFields,
  questionAboutCurrent,
  type Tool,
  type ToolQuestion,
} from './tool.js';
import { UnlistedReads } from './unlistedReads.js';

/**
 * Lists the problems that are known, so that a language model needs no ID to begin with. Sends no
 * request.
 */
export function problemsTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Listing problems'),
    title: vscode.l10n.t('List the problems of your deployments?'),
    maxItems: 50,
    questionFor: () =>
      questionAboutCurrent(
        services,
        (spans) =>
          vscode.l10n.t(
            'Problems in organization {name} ({host}) as they were last read. No request is sent.',
            spans,
          ),
        async (organization) => listProblems(services, organization),
      ),
  };
}

function listProblems(services: Services, organization: Organization): object {
  const { ignoredSettings, memory, owners, store } = services;
  const { cause } = store;
  const result = problemsResult(store.deployments, {
    now: Date.now(),
    ownerOf: (owned) => owners.ownerOf(owned),
    memory,
    fixSeenIn: fixSeenIn(services),
    failed: cause && causeFields(cause, organization),
    failureFieldsOf: (failure) =>
      failedFields(new RequestFailed(failure, organization, 'authorization')),
  });
  return { ...ignoredFields(ignoredSettings.current), ...result };
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

/**
 * Reads one deployment for a language model. A listed deployment is refreshed, so that the user's
 * tree shows the same.
 */
export function authorizationTool(services: Services): Tool {
  const { log, organizations, store } = services;
  const unlistedReads = new UnlistedReads(services);
  return {
    progress: vscode.l10n.t('Reading the authorization of a deployment'),
    title: vscode.l10n.t('Read the authorization of a deployment?'),
    questionFor: (input) => {
      // Some agents pass the ID by another name.
      const passed = input['deploymentId'] ?? input;
      const argument = readDeploymentArgument(passed, {
        listed: store.deployments,
        holdsToken: (text) => organizations.hasTokenIn(text),
        holdsSecret: (text) => log.redact(text) !== text,
      });
      return argument.kind === 'id'
        ? readQuestion(services, unlistedReads, argument.id)
        : refusal(services, argument, passed);
    },
  };
}

function readQuestion(
  services: Services,
  unlistedReads: UnlistedReads,
  deploymentId: string,
): ToolQuestion {
  const { owners, store } = services;
  return questionAboutCurrent(
    services,
    (spans) =>
      vscode.l10n.t('Read deployment {id} from organization {name} ({host}).', {
        id: codeSpan(deploymentId),
        ...spans,
      }),
    async (organization, cancellation) => {
      if (store.get(deploymentId) !== undefined) {
        return readListed(services, organization, deploymentId, cancellation);
      }
      const answer = await unlistedReads.read(organization, deploymentId, cancellation);
      return authorizationResult(deploymentId, answer, {
        ownerOf: (owned) => owners.ownerOf(owned),
      });
    },
  );
}

type RefusedArgument = Exclude<DeploymentArgument, { kind: 'id' }>;

/** A question after which nothing is sent: the agent gets an error that says what to pass. */
function refusal(services: Services, argument: RefusedArgument, passed: unknown): ToolQuestion {
  const text = refusalText(argument, passed);
  return questionAboutCurrent(
    services,
    () => text,
    async () => refusalFields(argument),
  );
}

/**
 * Says to the user "`dep_1, dep_2` is not the ID of one deployment, so nothing is sent. …" Does not
 * show a text that may be a token.
 */
function refusalText({ kind }: RefusedArgument, passed: unknown): string {
  if (typeof passed !== 'string' || kind === 'secret') {
    return vscode.l10n.t(
      'The agent passed no deployment ID, so nothing is sent. The agent gets an error that says what to pass.',
    );
  }
  const text = codeSpan(passed, 200);
  return vscode.l10n.t(
    '{text} is not the ID of one deployment, so nothing is sent. The agent gets an error that says what to pass.',
    { text },
  );
}

/**
 * Says to the agent what to pass instead: "This names several deployments. Call again for each,
 * with one ID of deploymentIds." IDs are texts of settings, so they have a field of their own.
 */
function refusalFields({ kind, ids }: RefusedArgument): object {
  const field = 'deploymentIds';
  const errors: Record<typeof kind, string> = {
    otherForm: vscode.l10n.t('This is not the exact ID. Call again with the one in {field}.', {
      field,
    }),
    sharedLabel: vscode.l10n.t(
      'Several listed deployments have this label. Call again with one ID of {field}.',
      { field },
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
  };
  const error = errors[kind];
  return ids.length > 0 ? { error, [field]: ids } : { error };
}

/**
 * Returns a function that finds the deployment whose newer answer says that an account works, which
 * has failed in the given deployment.
 */
function fixSeenIn({ impact }: Services) {
  return (deploymentId: string, accountId: string | undefined): string | undefined =>
    impact.newestIfWorking(deploymentId, accountId)?.deployment.id;
}

/**
 * Refreshes a listed deployment and returns its new answer. Without a new answer, returns why there
 * is none, and the former answer if there is one. Sends nothing if the token was rejected.
 */
async function readListed(
  services: Services,
  organization: Organization,
  deploymentId: string,
  cancellation: vscode.CancellationToken,
): Promise<object> {
  const { memory, owners, store } = services;
  const ownerOf: OwnerOf = (owned) => owners.ownerOf(owned);
  const options = { memory, ownerOf, fixSeenIn: fixSeenIn(services) };
  const before = store.get(deploymentId);
  if (!store.rejectionOf(organization.id)) {
    const signal = signalOf(cancellation);
    await store.refresh([deploymentId], { urgent: true, outsideProgress: true, signal });
  }

  const after = store.get(deploymentId);
  const answer = after?.answer;
  if (answer && answer !== before?.answer) {
    return authorizationResult(deploymentId, answer, options);
  }
  // A read that was cancelled, by the user or because the token was replaced, changes neither the
  // answer nor the failure.
  const hasNewFailure = after?.failedRead !== before?.failedRead;
  const failure = hasNewFailure ? after?.failedRead?.failure : sharedFailure(store);
  const failed = failure
    ? failedFields(new RequestFailed(failure, organization, 'authorization'))
    : { error: cancelledText };
  return answer ? authorizationResult(deploymentId, answer, { stale: failed, ...options }) : failed;
}

/** Returns the failure that stops all reads at present; `undefined` if there is none. */
function sharedFailure({ cause }: Services['store']): Failure | undefined {
  if (cause?.kind === 'paused') {
    return { kind: 'rateLimited', status: 429, until: cause.until };
  }
  return cause?.failure;
}
