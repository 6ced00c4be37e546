import * as vscode from 'vscode';
import { parseBaseUrl, versionPrefix } from '../api/baseUrl.js';
import { commandIds } from '../host/ids.js';
import { nameProblem, type Organization, sameName } from '../host/organizations/organization.js';
import { nameProblemSentence } from '../host/organizations/refusals.js';
import type { Services } from '../host/services.js';
import { hostOf, sentences } from '../host/text.js';
import { lastAttempt } from '../model/deployment.js';
import { validateBaseUrl } from './baseUrlQuestion.js';
import { readToken } from './bearerToken.js';
import { signInPrefill } from './prefill.js';
import { tell } from './say.js';
import { askInSteps, type TextQuestion, warning } from './steps.js';
import { validateToken } from './tokenQuestion.js';

interface Draft {
  readonly baseUrl: string;
  readonly token: string;
  readonly name: string;
}

/**
 * Base URL, access token, name. Nothing is sent to anybody before all three are given. Returns the organization's id, or nothing
 * if it was dismissed.
 */
export async function signIn(services: Services, prefill?: unknown): Promise<string | undefined> {
  const { organizations, settings, store } = services;
  await organizations.ready;
  const given = signInPrefill(prefill);
  const start: Draft = { baseUrl: given.baseUrl ?? settings.baseUrl, token: '', name: given.name ?? '' };
  const answers = await askInSteps<Draft>(vscode.l10n.t('Sign In'), start, [
    { field: 'baseUrl', question: baseUrlQuestion },
    { field: 'token', question: tokenQuestion },
    { field: 'name', question: (draft) => nameQuestion(draft, organizations.list) },
  ]);
  const token = answers && readToken(answers.token);
  const baseUrl = answers && parseBaseUrl(answers.baseUrl);
  if (!baseUrl?.ok || token?.kind !== 'token') return undefined;

  const name = answers!.name.trim();
  const replaced = organizationOf(name, baseUrl.url, organizations.list) !== undefined;
  const before = Date.now();
  const organization = await organizations.signIn({ name, baseUrl: baseUrl.url, token: token.token });
  // No operation of the service can test a token: reading what is listed is the only way to find out. What the first
  // automatic round has read with it in the meantime is not read twice.
  const unread = store.deployments.filter((deployment) => (lastAttempt(deployment) ?? -Infinity) < before);
  void store.refreshAll(unread.map(({ id }) => id));
  sayDone(services, organization, replaced);
  return organization.id;
}

function baseUrlQuestion(): TextQuestion {
  const example = `https://host.example${versionPrefix}`;
  return {
    prompt: vscode.l10n.t('The base URL of the API. Everything of this organization is sent there and nowhere else.'),
    placeholder: example,
    validate: validateBaseUrl,
    required: vscode.l10n.t('Enter the base URL of the API, like {example}.', { example }),
  };
}

function tokenQuestion({ baseUrl }: Draft): TextQuestion {
  return {
    prompt: vscode.l10n.t('The access token. It is kept in the keyring of this machine, and only sent to {host}.', {
      host: hostOf(baseUrl.trim()),
    }),
    password: true,
    validate: validateToken,
    required: vscode.l10n.t('Paste an access token.'),
  };
}

function nameQuestion({ baseUrl }: Draft, organizations: readonly Organization[]): TextQuestion {
  return {
    prompt: vscode.l10n.t('A name for this organization, as you will see it here.'),
    offered: hostOf(baseUrl.trim()),
    validate: (name) => validateName(name, baseUrl, organizations),
    required: vscode.l10n.t('Enter a name.'),
  };
}

function validateName(name: string, typedBaseUrl: string, organizations: readonly Organization[]) {
  const parsed = parseBaseUrl(typedBaseUrl);
  const baseUrl = parsed.ok ? parsed.url : typedBaseUrl;
  const problem = nameProblem(name, baseUrl, organizations);
  if (problem) return nameProblemSentence(problem);
  const known = organizationOf(name, baseUrl, organizations);
  return (
    known && warning(vscode.l10n.t('The token of “{name}” will be replaced. To keep it, choose another name.', known))
  );
}

function organizationOf(name: string, baseUrl: string, organizations: readonly Organization[]) {
  return organizations.find(
    (organization) =>
      organization.source === 'keyring' && organization.baseUrl === baseUrl && sameName(organization.name, name),
  );
}

function sayDone(services: Services, organization: Organization, replaced: boolean): void {
  const values = { name: organization.name, host: hostOf(organization.baseUrl) };
  const done = replaced
    ? vscode.l10n.t('The token of “{name}” ({host}) is replaced.', values)
    : vscode.l10n.t('You are signed in to “{name}” ({host}). This workspace uses it now.', values);
  if (services.store.deployments.length > 0) {
    tell(services, done);
    return;
  }
  tell(
    services,
    sentences(
      done,
      vscode.l10n.t('The token has not been checked yet: that happens with the first deployment that is read.'),
    ),
    {
      title: vscode.l10n.t('Add Deployment…'),
      command: commandIds.addDeployment,
    },
  );
}
