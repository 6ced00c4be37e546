import * as vscode from 'vscode';
import { type BaseUrlProblem, parseBaseUrl, versionPrefix } from '../../api/baseUrl.js';
import { commandIds } from '../../host/ids.js';
import { tell } from '../../host/messages.js';
import { nameProblem, type Organization, sameName } from '../../host/organizations/organization.js';
import { nameProblemSentence } from '../../host/organizations/refusals.js';
import type { Services } from '../../host/services.js';
import { sentences } from '../../host/text/format.js';
import { hostOf } from '../../host/text/organization.js';
import { lastAttempt } from '../../model/deployment.js';
import { readToken, signInPrefill } from '../../model/input.js';
import { askInSteps, note, type TextQuestion, warning } from '../questions.js';

/** Why a base URL can't be used, and what to change. */
function validateBaseUrl(value: string): string | undefined {
  const parsed = parseBaseUrl(value);
  return parsed.ok ? undefined : problemText(parsed.problem);
}

function problemText(problem: BaseUrlProblem): string {
  switch (problem) {
    case 'notAUrl':
      return vscode.l10n.t('This is not a whole URL. Enter one like {example}.', {
        example: `https://host.example${versionPrefix}`,
      });
    case 'scheme':
      return vscode.l10n.t('Only https can be used here. Begin with {scheme}.', { scheme: 'https://' });
    case 'insecure':
      return vscode.l10n.t(
        'http would send the token unprotected; it can be used for this machine only. Begin with {scheme}.',
        {
          scheme: 'https://',
        },
      );
    case 'credentials':
      return vscode.l10n.t('Take the user name and the password out of the URL. The token is asked for next.');
    case 'query':
      return vscode.l10n.t('Take the question mark, and what comes after it, off the URL.');
    case 'fragment':
      return vscode.l10n.t('Take the #, and what comes after it, off the URL.');
    case 'path':
      return vscode.l10n.t('The URL has to end in the version prefix: {prefix}.', { prefix: versionPrefix });
    default:
      return problem satisfies never;
  }
}

/** What is wrong with a token while it is being entered. The token itself is never in the message. */
export function validateToken(value: string): ReturnType<NonNullable<TextQuestion['validate']>> {
  const pasted = readToken(value);
  switch (pasted.kind) {
    case 'token':
      return pasted.cleaned
        ? note(vscode.l10n.t('Only the token itself is used, without the spaces and words around it.'))
        : undefined;
    case 'empty':
      return vscode.l10n.t('There is no token in this text yet.');
    case 'gaps':
      return vscode.l10n.t('There are spaces or line breaks within this text. Paste the token alone.');
    case 'illegal':
      return vscode.l10n.t(
        'This text has characters that no token can have. Copy the token again, and paste it alone.',
      );
    case 'tooLong':
      return vscode.l10n.t('This text is too long for a token. Paste the token alone.');
    default:
      return pasted satisfies never;
  }
}

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
  // No operation of the service tests a token, so what is listed is read with it. What the first automatic round has read
  // meanwhile is not read twice.
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
    tell(done);
    return;
  }
  tell(
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
