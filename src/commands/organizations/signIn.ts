import * as vscode from 'vscode';
import { parseBaseUrl, versionPrefix } from '../../api/baseUrl.js';
import { ApiError, type Failure } from '../../api/failure.js';
import { addDeploymentAction, type SignInPrefill } from '../../host/actions.js';
import { showMessage, withProgress } from '../../host/messages.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Organizations, SignIn } from '../../host/organizations/organizations.js';
import { nameProblem } from '../../host/organizations/refusals.js';
import type { Services } from '../../host/services.js';
import { connectionWord } from '../../host/text/connection.js';
import { failureWords } from '../../host/text/failure.js';
import { sentences } from '../../host/text/format.js';
import { hostOf } from '../../host/text/organization.js';
import { lastAttempt } from '../../model/deployment.js';
import { readToken } from '../../model/tokens.js';
import { type Again, askInSteps, type Message, note, type Question, warning } from '../questions.js';
import { signalOf } from '../waitingCall.js';

/**
 * Base URL, access token, name; for an organization that is known already, only its new token. Nothing is sent before all are
 * given, and the token is tried before it is saved. Returns the organization's id, or nothing if it was dismissed.
 */
export async function signIn(services: Services, prefill: SignInPrefill): Promise<string | undefined> {
  const { organizations, settings } = services;
  await organizations.ready;
  let draft: SignIn = { baseUrl: prefill.baseUrl ?? settings.baseUrl, token: '', name: prefill.name ?? '' };
  const replaced = organizations.find(draft);
  const questions = questionsOf(services, replaced);
  let anyway = false;
  let again: Again | undefined;
  for (;;) {
    const answers = await askInSteps(vscode.l10n.t('Sign In'), draft, questions, again);
    const parsed = answers && parseBaseUrl(answers.baseUrl);
    const pasted = answers && readToken(answers.token);
    if (!parsed?.ok || pasted?.kind !== 'token') return undefined;
    draft = answers!;
    const input = { name: draft.name, baseUrl: parsed.url, token: pasted.token };
    if (anyway) return save(services, input, replaced?.id);
    const trial = await tryToken(services, input, replaced !== undefined);
    if (!trial) return undefined;
    if ('status' in trial) return save(services, input, replaced?.id, trial.status);
    again = {
      from: trial.field === 'token' && !replaced ? 1 : 0,
      reason: trial.reason,
      anyway: { title: vscode.l10n.t('Save Anyway'), chosen: () => (anyway = true) },
    };
  }
}

/** `replaced`: the id of the organization that gets the token. `status`: of the trial; absent if it is saved without a successful one. */
async function save(services: Services, input: SignIn, replaced?: string, status?: number | '2xx'): Promise<string> {
  const { organizations, store } = services;
  const known = replaced ?? organizations.find(input)?.id;
  const before = Date.now();
  const { id } = await organizations.signIn(input, known);
  // The name as it is shown, which has a number if another organization has the same.
  const name = organizations.get(id)?.name ?? input.name;
  // What the first automatic round has read meanwhile is not read twice.
  const unread = store.deployments.filter((deployment) => (lastAttempt(deployment) ?? -Infinity) < before);
  void store.refresh(unread.map((deployment) => deployment.id));

  const signedIn = known
    ? vscode.l10n.t('Replaced the token of “{name}”.', { name })
    : vscode.l10n.t('Signed in to “{name}”.', { name });
  const values = { host: hostOf(input.baseUrl), status: status ?? '' };
  const done =
    status === undefined
      ? vscode.l10n.t('Saved the token of “{name}” without a successful check.', { name })
      : sentences(signedIn, vscode.l10n.t('{host} answered {status}. The token was not rejected.', values));
  showMessage(done, ...(store.deployments.length === 0 ? [addDeploymentAction] : []));
  return id;
}

/**
 * What one request with a new token came to: a status that does not reject it (`2xx`: it was answered in full, so the number is not
 * known), or the answer to correct. `undefined`: cancelled.
 */
type Trial = { readonly status: number | '2xx' } | { readonly field: 'token' | 'baseUrl'; readonly reason: string };

/** No operation of the service tests a token, so one is asked for that no deployment is likely to have. */
const madeUpId = 'sign-in-check';

/** Sends one request with a token that is not saved yet. Its organization is made up, so that a 429 pauses no real one. */
async function tryToken({ client }: Services, { baseUrl, token }: SignIn, isUrlFixed: boolean) {
  const target = { organizationId: crypto.randomUUID(), baseUrl, token };
  const host = hostOf(baseUrl);
  const title = vscode.l10n.t('Checking the token with {host}', { host });
  return withProgress(title, async (_, cancellation): Promise<Trial | undefined> => {
    try {
      const call = { signal: signalOf(cancellation), urgent: true, isProbe: true };
      await client.getDeploymentAuthorization(target, madeUpId, call);
      return { status: '2xx' };
    } catch (error) {
      if (error instanceof ApiError) return trialOf(error.failure, host, isUrlFixed);
      throw error;
    }
  });
}

/** Any response of the service but 401 counts for the token, also an error: nothing else says that it is wrong. */
function trialOf(failure: Failure, host: string, isUrlFixed: boolean): Trial | undefined {
  if (failure.kind === 'cancelled') return undefined;
  const { name } = failureWords(failure);
  if (failure.kind === 'tokenRejected') {
    return { field: 'token', reason: sentences(name, vscode.l10n.t('Paste another token or choose Save Anyway.')) };
  }
  const notReached = (...reasons: readonly (string | undefined)[]): Trial => {
    const next = isUrlFixed
      ? vscode.l10n.t('Try again or choose Save Anyway.')
      : vscode.l10n.t('Correct the base URL or choose Save Anyway.');
    return { field: 'baseUrl', reason: sentences(...reasons, next) };
  };
  if (failure.kind === 'unreachable') {
    const { cause, viaEditor } = failure;
    return notReached(
      name,
      vscode.l10n.t('{host}: {cause}.', { host, cause: connectionWord(cause) }),
      viaEditor &&
        vscode.l10n.t('Retrying through VS Code also failed: {cause}.', { cause: connectionWord(viaEditor) }),
    );
  }
  if (!('status' in failure) || failure.kind === 'redirected') return notReached(name);
  if (failure.status === 407) return notReached(vscode.l10n.t('Proxy authentication required (407).'));
  return { status: failure.status };
}

const exampleUrl = `https://host.example${versionPrefix}`;

/** `replaced`: the organization that gets a new token; its base URL and name stay. */
function questionsOf({ organizations }: Services, replaced: Organization | undefined): readonly Question<SignIn>[] {
  const what = replaced
    ? vscode.l10n.t('The new access token of “{name}”.', { name: replaced.name })
    : vscode.l10n.t('The access token.');
  const token: Question<SignIn> = {
    field: 'token',
    question: ({ baseUrl }) => {
      const values = { host: hostOf(baseUrl.trim()) };
      const stored = vscode.l10n.t('It is stored in this machine’s keyring and only sent to {host}.', values);
      return { prompt: sentences(what, stored), password: true, validate: validateToken };
    },
  };
  if (replaced) return [token];
  const baseUrl: Question<SignIn> = {
    field: 'baseUrl',
    question: () => ({
      prompt: vscode.l10n.t('The base URL of the API. The token is only sent there.'),
      placeholder: exampleUrl,
      validate: validateBaseUrl,
    }),
  };
  const name: Question<SignIn> = {
    field: 'name',
    question: (draft) => ({
      prompt: vscode.l10n.t('A name for this organization.'),
      offered: hostOf(draft.baseUrl.trim()),
      validate: (typed) => validateName({ ...draft, name: typed }, organizations),
    }),
  };
  return [baseUrl, token, name];
}

function validateBaseUrl(value: string): string | undefined {
  if (value.trim() === '') return vscode.l10n.t('Enter the base URL, like {example}.', { example: exampleUrl });
  const parsed = parseBaseUrl(value);
  if (parsed.ok) return undefined;
  const scheme = 'https://';
  return {
    notAUrl: vscode.l10n.t('Enter a full URL, like {example}.', { example: exampleUrl }),
    scheme: vscode.l10n.t('Only https is supported. Start the URL with {scheme}.', { scheme }),
    insecure: vscode.l10n.t('http is only supported for this machine. Start the URL with {scheme}.', { scheme }),
    credentials: vscode.l10n.t('Remove the user name and password.'),
    query: vscode.l10n.t('Remove the query string.'),
    fragment: vscode.l10n.t('Remove the # and everything after it.'),
    path: vscode.l10n.t('End the URL with the version prefix {prefix}.', { prefix: versionPrefix }),
  }[parsed.problem];
}

/** What is wrong with a token while it is being entered. The token itself is never in the message. */
export function validateToken(value: string): Message {
  const pasted = readToken(value);
  if (pasted.kind === 'token') {
    return pasted.cleaned ? note(vscode.l10n.t('Only the token is used, without the text around it.')) : undefined;
  }
  return {
    empty: vscode.l10n.t('Paste an access token.'),
    gaps: vscode.l10n.t('A token has no spaces or line breaks. Paste only the token.'),
    illegal: vscode.l10n.t('A token cannot have these characters. Copy it again.'),
    tooLong: vscode.l10n.t('This is too long for a token. Paste only the token.'),
  }[pasted.kind];
}

function validateName(draft: SignIn, organizations: Pick<Organizations, 'find' | 'list'>): Message {
  const parsed = parseBaseUrl(draft.baseUrl);
  const problem = nameProblem(draft.name, parsed.ok ? parsed.url : draft.baseUrl, organizations.list);
  if (problem) return problem;
  const known = organizations.find(draft);
  return (
    known && warning(vscode.l10n.t('This replaces the token of “{name}”. To keep it, choose another name.', known))
  );
}
