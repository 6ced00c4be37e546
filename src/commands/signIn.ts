import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { parseBaseUrl, versionPrefix } from '../api/entered/baseUrl.js';
import { withoutQuotes } from '../api/entered/pastedText.js';
import type { Failure } from '../api/failure.js';
import { reloadWindowAction, type SignInPrefill } from '../host/actions.js';
import { mention } from '../host/messages.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Organizations, SignIn } from '../host/organizations/organizations.js';
import type { Services } from '../host/services.js';
import { characterName } from '../host/text/characters.js';
import { connectionWord, signInAdvice, unreachableAdvice } from '../host/text/connection.js';
import { failureWords, isPageForUnknownId, pageForUnknownIdWords } from '../host/text/failure.js';
import { joinSentences, joinWithDots } from '../host/text/format.js';
import { hostOf } from '../host/text/organization.js';
import { blamesBaseUrl } from '../host/text/tls.js';
import { lastAttemptAt } from '../model/findings/deployment.js';
import { inertLabel } from '../model/inertText.js';
import { signedInElsewhereText } from './organizations.js';
import { placeholderConfirmation, usableToken, validateToken } from './pastedToken.js';
import { askInSteps, type Question, type TextQuestion, warning } from './questions.js';

const exampleUrl = `https://host.example${versionPrefix}`;

/** The token that was tried last. `failure`: why it was rejected or the platform was not reached. */
interface Tried {
  readonly credentials: Credentials;
  readonly failure?: Failure | undefined;
  readonly isSavedAnyway?: boolean;
}

interface SaveOptions {
  /** The organization that the dialog was opened for. */
  readonly replaced: Organization | undefined;
  readonly isUnchecked: boolean;
}

export class SignInDialog {
  /** Offered again after the dialog was dismissed. A token is not kept. */
  private typedUrl = '';

  constructor(private readonly services: Services) {}

  /** Returns the organization's id, or nothing if it was dismissed. */
  async run(prefill: SignInPrefill = {}): Promise<string | undefined> {
    const { organizations, settings } = this.services;
    await organizations.ensureKeyringAnswers();
    const { organizationId = '' } = prefill;
    const given = organizations.getFromKeyring(organizationId) ?? prefill;
    const baseUrl = given.baseUrl ?? (this.typedUrl || settings.baseUrl);
    const draft = { baseUrl, token: '', name: given.name ?? '' };
    const replaced =
      organizations.getFromKeyring(organizationId) ?? organizations.findByNameAndUrl(draft);
    let tried: Tried | undefined;
    let isTriedAgain = false;
    const confirmPlaceholder = placeholderConfirmation();
    const isTried = () => isDeepStrictEqual(credentialsIn(draft), tried?.credentials);
    const failureNow = () => (isTried() ? tried?.failure : undefined);
    const url: Question<keyof SignIn> = {
      field: 'baseUrl',
      question: () => this.urlQuestion(draft, failureNow()),
    };
    const token: Question<keyof SignIn> = {
      field: 'token',
      question: () => ({
        ...tokenQuestion(draft, replaced?.name, failureNow()),
        isSubmittedAtOnce: isTriedAgain,
        confirm: confirmPlaceholder,
        onEnter: async (_, signal) => {
          const credentials = credentialsIn(draft);
          isTriedAgain = false;
          // The same token once more is the way to the options, or to the name.
          if (!credentials || isTried()) return undefined;
          const failure = await this.tryOut(credentials, replaced !== undefined, signal);
          if (signal.aborted) return undefined;
          tried = { credentials, failure };
          return failure?.kind === 'tokenRejected'
            ? tokenError(failure, draft, replaced !== undefined)
            : undefined;
        },
      }),
    };
    const name: Question<keyof SignIn> = {
      field: 'name',
      question: () => (tried?.failure ? undefined : nameQuestion(draft, organizations)),
    };
    const questions = replaced ? [token] : [url, token, name];
    const tokenStep = questions.indexOf(token);
    for (let from = 0; ; ) {
      const isDismissed = !(await askInSteps(vscode.l10n.t('Sign In'), draft, questions, from));
      if (draft.baseUrl !== baseUrl) this.typedUrl = draft.baseUrl;
      if (isDismissed) return undefined;
      if (!tried?.failure) break;
      const option = await chooseOption(tried.failure, draft, replaced !== undefined);
      isTriedAgain = option === 'tryAgain';
      if (isTriedAgain) tried = undefined;
      if (tried && option === 'saveAnyway')
        tried = { credentials: tried.credentials, isSavedAnyway: true };
      from = {
        tryAgain: tokenStep,
        changeToken: tokenStep,
        changeBaseUrl: 0,
        saveAnyway: tokenStep + 1,
      }[option];
    }
    if (!tried) return undefined;
    const input = { ...tried.credentials, name: draft.name };
    const id = await this.save(input, { replaced, isUnchecked: tried.isSavedAnyway === true });
    this.typedUrl = '';
    return id;
  }

  private urlQuestion(draft: SignIn, failure: Failure | undefined): TextQuestion {
    const question = urlQuestion(draft, failure);
    if (!this.services.organizations.lacksSignIn) return question;
    const prompt = joinSentences(question.prompt, signedInElsewhereText());
    return { ...question, prompt, titleButton: { ...reloadWindowAction(), icon: 'refresh' } };
  }

  /** One request with a token that is not saved yet. The organization is made up, so that a 429 pauses no real one. */
  private async tryOut(
    credentials: Credentials,
    isUrlFixed: boolean,
    signal: AbortSignal,
  ): Promise<Failure | undefined> {
    const target = { organizationId: crypto.randomUUID(), ...credentials };
    const failure = await this.services.client.check(target, { signal });
    return failure && isAnswered(failure, isUrlFixed) ? undefined : failure;
  }

  private async save(input: SignIn, { replaced, isUnchecked }: SaveOptions): Promise<string> {
    const { organizations, store } = this.services;
    const known = replaced ?? organizations.findByNameAndUrl(input);
    const before = Date.now();
    const { id, name } = replaced
      ? await organizations.replaceToken(replaced.id, input.token)
      : await organizations.signIn(input);
    // What the first automatic round has read meanwhile is not read twice.
    const unread = store.deployments.filter(
      (deployment) => (lastAttemptAt(deployment) ?? -Infinity) < before,
    );
    void store.refresh(unread.map((deployment) => deployment.id));

    const signedIn = known
      ? vscode.l10n.t('Replaced the token for “{name}”.', { name })
      : vscode.l10n.t('Signed in to “{name}”.', { name });
    mention(
      isUnchecked
        ? vscode.l10n.t('Saved the token for “{name}” without a successful check.', { name })
        : joinSentences(
            signedIn,
            vscode.l10n.t('{host} did not reject the token.', { host: hostOf(input.baseUrl) }),
          ),
    );
    return id;
  }
}

type Credentials = Pick<SignIn, 'baseUrl' | 'token'>;

/** As they are sent and saved; `undefined` while one of them is unusable. */
function credentialsIn({ baseUrl, token }: SignIn): Credentials | undefined {
  const parsed = parseBaseUrl(baseUrl);
  const usable = usableToken(token);
  return parsed.ok && usable !== undefined ? { baseUrl: parsed.url, token: usable } : undefined;
}

/** As it is sent and saved, once it is valid. */
function baseUrlIn({ baseUrl }: SignIn): string {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? parsed.url : baseUrl;
}

/**
 * Returns whether a response shows that the token was not rejected. Redirects, a 407, and web pages with
 * 2xx or 403 do not show it. A web page with 404 shows nothing of the base URL, since a deployment was asked
 * for that does not exist: so that is asked about, unless the base URL is fixed.
 */
function isAnswered(failure: Failure, isUrlFixed: boolean): boolean {
  if (!('status' in failure) || failure.kind === 'tokenRejected') return false;
  const { status } = failure;
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect || status === 407) return false;
  if (failure.kind !== 'notFromPlatform') return true;
  if (status === 404) return isUrlFixed;
  return status >= 400 && status !== 403;
}

/**
 * `name`: "Not from the platform (403).". `reason`: what it probably means, and what helps, without the
 * next steps of one that is signed in: the dialog has its own.
 */
function failureTexts(
  failure: Failure,
  draft: SignIn,
  isUrlFixed: boolean,
): { readonly name: string; readonly reason: string } {
  const baseUrl = baseUrlIn(draft);
  const organization = {
    id: '',
    name: hostOf(baseUrl),
    baseUrl,
    source: 'keyring',
    hasSessionToken: false,
  } as const;
  const { name, means, next, doubt } = failureWords(withoutSameRetry(failure), organization);
  if (failure.kind === 'tokenRejected') return { name, reason: doubt ?? '' };
  if (isPageForUnknownId(failure)) {
    const { question, reason } = pageForUnknownIdWords(failure);
    return { name: question, reason };
  }
  if (failure.kind === 'unreachable') {
    // Where the base URL can be changed, the dialog has that for a step of its own.
    const advice = unreachableAdvice(failure, (cause) => !blamesBaseUrl(cause));
    return {
      name,
      reason: joinSentences(means, advice ?? signInAdvice(failure.cause, isUrlFixed)),
    };
  }
  const isProxys = 'status' in failure && failure.status === 407;
  return { name, reason: joinSentences(means, isProxys ? next : undefined) };
}

/** Leaves out that VS Code's own connection failed in the same way: the list has no room for it. */
function withoutSameRetry(failure: Failure): Failure {
  if (failure.kind !== 'unreachable' || !failure.viaEditor) return failure;
  const { kind, cause, viaEditor } = failure;
  return connectionWord(cause) === connectionWord(viaEditor) ? { kind, cause } : failure;
}

function reasonText(failure: Failure, draft: SignIn, isUrlFixed: boolean): string {
  const { name, reason } = failureTexts(failure, draft, isUrlFixed);
  return joinSentences(name, reason);
}

type Option = 'tryAgain' | 'changeToken' | 'changeBaseUrl' | 'saveAnyway';

const usualOptions = ['tryAgain', 'changeToken', 'changeBaseUrl', 'saveAnyway'] as const;

/** In the order of what probably helps. */
function optionsFor(failure: Failure): readonly Option[] {
  if (isPageForUnknownId(failure))
    return ['saveAnyway', 'changeBaseUrl', 'changeToken', 'tryAgain'];
  const isOfBaseUrl = failure.kind === 'unreachable' && blamesBaseUrl(failure.cause);
  if (isOfBaseUrl) return ['changeBaseUrl', 'tryAgain', 'changeToken', 'saveAnyway'];
  const isGateways = failure.kind === 'tokenRejected' && failure.doubt !== undefined;
  return isGateways ? ['changeToken', 'changeBaseUrl', 'saveAnyway', 'tryAgain'] : usualOptions;
}

/** What to do about a failure. Esc leads back to what has to be corrected, as far as it can be. */
async function chooseOption(failure: Failure, draft: SignIn, isUrlFixed: boolean): Promise<Option> {
  const { name, reason } = failureTexts(failure, draft, isUrlFixed);
  const items: Readonly<Record<Option, vscode.QuickPickItem>> = {
    // VS Code shows a detail that it has to cut whole in a hover, and a screen reader says it.
    tryAgain: { label: vscode.l10n.t('Try Again'), detail: inertLabel(reason || name, 500) },
    changeToken: { label: vscode.l10n.t('Change Token') },
    changeBaseUrl: {
      label: vscode.l10n.t('Change Base URL'),
      description: inertLabel(baseUrlIn(draft)),
    },
    saveAnyway: { label: vscode.l10n.t('Save Anyway') },
  };
  const options = optionsFor(failure).filter((option) => option !== 'changeBaseUrl' || !isUrlFixed);
  const chosen = await vscode.window.showQuickPick(
    options.map((option) => ({ ...items[option], option })),
    {
      title: inertLabel(joinWithDots(vscode.l10n.t('Sign In'), name.replace(/[.。]$/, '')), 200),
      placeHolder: vscode.l10n.t('Select what to do next'),
      ignoreFocusOut: true,
    },
  );
  return (
    chosen?.option ??
    (isUrlFixed || failure.kind === 'tokenRejected' ? 'changeToken' : 'changeBaseUrl')
  );
}

function urlQuestion(draft: SignIn, failure: Failure | undefined): TextQuestion {
  return {
    prompt: vscode.l10n.t('The base URL of the API. The token is sent only there.'),
    placeholder: vscode.l10n.t('Base URL, for example {example}', { example: exampleUrl }),
    error: failure && failure.kind !== 'tokenRejected' ? urlError(failure, draft) : undefined,
    validate: validateBaseUrl,
  };
}

function urlError(failure: Failure, draft: SignIn): string {
  const hasStep =
    isPageForUnknownId(failure) ||
    (failure.kind === 'unreachable' && signInAdvice(failure.cause, false) !== undefined);
  return joinSentences(
    reasonText(failure, draft, false),
    hasStep ? '' : vscode.l10n.t('Check the base URL.'),
  );
}

function tokenQuestion(
  draft: SignIn,
  replaced: string | undefined,
  failure: Failure | undefined,
): TextQuestion {
  const host = hostOf(baseUrlIn(draft));
  return {
    prompt: joinSentences(
      replaced === undefined
        ? vscode.l10n.t('The access token.')
        : vscode.l10n.t('The new access token for “{name}”.', { name: replaced }),
      vscode.l10n.t('It is stored in VS Code’s secret storage and sent only to {host}.', { host }),
    ),
    placeholder: vscode.l10n.t('Access token'),
    password: true,
    error: failure && tokenError(failure, draft, replaced !== undefined),
    validate: validateToken,
    busyMessage: vscode.l10n.t('Checking the token with {host}', { host }),
  };
}

function tokenError(failure: Failure, draft: SignIn, isUrlFixed: boolean): string {
  return joinSentences(
    reasonText(failure, draft, isUrlFixed),
    failure.kind === 'tokenRejected'
      ? vscode.l10n.t('Paste another token, or press Enter for more options.')
      : vscode.l10n.t('Press Enter for more options.'),
  );
}

function nameQuestion(draft: SignIn, organizations: Organizations): TextQuestion {
  return {
    prompt: vscode.l10n.t('A name for this organization.'),
    placeholder: vscode.l10n.t('Organization name'),
    suggestedValue: hostOf(baseUrlIn(draft)),
    validate: (name) => {
      const named = { ...draft, name };
      const known = organizations.findByNameAndUrl(named);
      const replaces = vscode.l10n.t(
        'This replaces the token for “{name}”. To keep it, choose another name.',
        {
          name: known?.name ?? '',
        },
      );
      return organizations.nameError(named) ?? (known && warning(replaces));
    },
  };
}

function validateBaseUrl(value: string): string | undefined {
  if (withoutQuotes(value) === '')
    return vscode.l10n.t('Enter the base URL, for example {example}.', { example: exampleUrl });
  const parsed = parseBaseUrl(value);
  if (parsed.ok) return undefined;
  const character = parsed.problem === 'character' ? characterName(parsed.character) : '';
  const words = { example: exampleUrl, scheme: 'https://', character };
  return {
    placeholder: vscode.l10n.t(
      'This is a placeholder that was not filled in. Enter a full URL, for example {example}.',
      words,
    ),
    character: vscode.l10n.t('A base URL cannot contain {character}. Remove or replace it.', words),
    twoSchemes: vscode.l10n.t('Start the URL with {scheme} only once.', words),
    changedHost: vscode.l10n.t('This host is not written in full. Write it out.'),
    dots: vscode.l10n.t('Remove “.” and “..” from the path.'),
    notAUrl: vscode.l10n.t('Enter a full URL, for example {example}.', words),
    scheme: vscode.l10n.t('Only https is supported. Start the URL with {scheme}.', words),
    insecure: vscode.l10n.t(
      'http is only supported for this machine. Start the URL with {scheme}.',
      words,
    ),
    credentials: vscode.l10n.t('Remove the user name and password.'),
    query: vscode.l10n.t('Remove the query string.'),
    fragment: vscode.l10n.t('Remove the # and everything after it.'),
    path: vscode.l10n.t('End the URL with {prefix}.', { prefix: versionPrefix }),
  }[parsed.problem];
}
