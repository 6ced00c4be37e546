import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { parseBaseUrl, type UnusableBaseUrl, versionPrefix } from '../api/entered/baseUrl.js';
import { withoutQuotes } from '../api/entered/pastedText.js';
import type { Failure } from '../api/failure.js';
import { reloadWindowAction, type SignInPrefill } from '../host/actions.js';
import { showStatusBarMessage } from '../host/messages.js';
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

type Draft = Record<keyof SignIn, string>;

type Credentials = Pick<SignIn, 'baseUrl' | 'token'>;

/** Credentials that were sent once, and the result. */
interface CheckedCredentials {
  readonly credentials: Credentials;
  /** `undefined`: the platform did not reject the token, or the user saves it anyway. */
  readonly failure?: Failure | undefined;
  /** Whether the user chose to save the token although the check failed. */
  readonly isSavedAnyway?: boolean;
}

/** The state of the dialog from its opening until it is answered or dismissed. */
interface DialogState {
  /** What the user has entered so far. */
  readonly draft: Draft;
  /**
   * The organization whose token is replaced, so that the base URL and the name are fixed;
   * `undefined` if the dialog asks for all three.
   */
  readonly replaced: Organization | undefined;
  readonly confirmPlaceholder: (text: string) => Promise<boolean>;
  /** The check that ended last; `undefined` before it, and once the user chose Try Again. */
  checked: CheckedCredentials | undefined;
  /** Whether the user has just chosen Try Again, so that the token is submitted at once. */
  isTryingAgain: boolean;
}

/**
 * The Sign In dialog: asks for base URL, token, and name (or for the token alone, if it replaces
 * one), checks the token with one request, and saves it. The commands own one dialog, which
 * outlives its runs.
 */
export class SignInDialog {
  /**
   * The base URL that the user typed before dismissing the dialog, which is suggested next time;
   * empty if there is none. A token is not kept.
   */
  private typedUrl = '';

  constructor(private readonly services: Services) {}

  /**
   * Opens the dialog. Returns the organization's ID; `undefined` if the user dismissed the dialog.
   * Rejects if the keyring does not answer or refuses to save.
   */
  async run(prefill: SignInPrefill = {}): Promise<string | undefined> {
    await this.services.organizations.ensureKeyringAnswers();
    const state = this.initialState(prefill);
    const { draft, replaced } = state;
    const initialUrl = draft.baseUrl;
    const questions = this.questionsFor(state);
    const tokenStep = questions.findIndex(({ field }) => field === 'token');

    let firstStep = 0;
    let failure: Failure | undefined;
    do {
      const isAnswered = await askInSteps(vscode.l10n.t('Sign In'), draft, questions, firstStep);
      if (draft.baseUrl !== initialUrl) this.typedUrl = draft.baseUrl;
      if (!isAnswered) return undefined;
      failure = state.checked?.failure;
      if (failure) {
        const option = await chooseOption(failure, draft, replaced !== undefined);
        applyOption(state, option);
        firstStep = stepOf(option, tokenStep);
      }
    } while (failure);

    const { checked } = state;
    if (!checked) return undefined;
    const signIn = { ...checked.credentials, name: draft.name };
    const id = await this.save(signIn, replaced, checked.isSavedAnyway === true);
    this.typedUrl = '';
    return id;
  }

  private initialState(prefill: SignInPrefill): DialogState {
    const { organizations, settings } = this.services;
    const signedIn = organizations.getFromKeyring(prefill.organizationId ?? '');
    const { baseUrl, name } = signedIn ?? prefill;
    const draft: Draft = {
      baseUrl: baseUrl ?? (this.typedUrl || settings.baseUrl),
      token: '',
      name: name ?? '',
    };
    return {
      draft,
      replaced: signedIn ?? organizations.findByNameAndUrl(draft),
      confirmPlaceholder: placeholderConfirmation(),
      checked: undefined,
      isTryingAgain: false,
    };
  }

  private questionsFor(state: DialogState): readonly Question<keyof SignIn>[] {
    const { draft, replaced } = state;
    const url: Question<keyof SignIn> = {
      field: 'baseUrl',
      question: () => this.urlQuestionOfWindow(draft, failureOfDraft(state)),
    };
    const token: Question<keyof SignIn> = {
      field: 'token',
      question: () => ({
        ...tokenQuestion(draft, replaced?.name, failureOfDraft(state)),
        isSubmittedAtOnce: state.isTryingAgain,
        confirm: state.confirmPlaceholder,
        onEnter: (_, signal) => this.checkToken(state, signal),
      }),
    };
    const name: Question<keyof SignIn> = {
      field: 'name',
      question: () =>
        state.checked?.failure ? undefined : nameQuestion(draft, this.services.organizations),
    };
    return replaced ? [token] : [url, token, name];
  }

  private urlQuestionOfWindow(draft: SignIn, failure: Failure | undefined): TextQuestion {
    const question = urlQuestion(draft, failure);
    if (!this.services.organizations.lacksSignInOfOtherWindow) return question;
    const prompt = joinSentences(question.prompt, signedInElsewhereText());
    return { ...question, prompt, titleButton: { ...reloadWindowAction(), icon: 'refresh' } };
  }

  /**
   * Checks the credentials of the draft, which has the token of the box by now, and remembers the
   * result. Returns the error below the box if the token is rejected; any other failure ends the
   * step, and leads to the options.
   */
  private async checkToken(state: DialogState, signal: AbortSignal): Promise<string | undefined> {
    const { draft, replaced } = state;
    const isUrlFixed = replaced !== undefined;
    const credentials = credentialsIn(draft);
    state.isTryingAgain = false;
    // Enter with the token that was just checked leads to the options, or to the name.
    if (!credentials || isDraftChecked(state)) return undefined;

    const failure = await this.sendCheck(credentials, isUrlFixed, signal);
    if (signal.aborted) return undefined;
    state.checked = { credentials, failure };
    return failure?.kind === 'tokenRejected' ? tokenError(failure, draft, isUrlFixed) : undefined;
  }

  /**
   * Sends one request with a token that is not saved yet. Returns `undefined` if the platform did
   * not reject the token. The request's organization does not exist, so that a 429 pauses no
   * organization of the user.
   */
  private async sendCheck(
    credentials: Credentials,
    isUrlFixed: boolean,
    signal: AbortSignal,
  ): Promise<Failure | undefined> {
    const target = { organizationId: crypto.randomUUID(), ...credentials };
    const failure = await this.services.client.check(target, { signal });
    return failure && isTokenAccepted(failure, isUrlFixed) ? undefined : failure;
  }

  /** Saves the sign-in, refreshes, and reports the result in the status bar. Returns the ID. */
  private async save(
    signIn: SignIn,
    replaced: Organization | undefined,
    isUnchecked: boolean,
  ): Promise<string> {
    const { organizations, store } = this.services;
    const isReplacing = (replaced ?? organizations.findByNameAndUrl(signIn)) !== undefined;
    const savingAt = Date.now();
    const { id, name } = replaced
      ? await organizations.replaceToken(replaced.id, signIn.token)
      : await organizations.signIn(signIn);

    // The first automatic refresh may have read some deployments meanwhile; these are not read
    // twice.
    const unread = store.deployments.filter(
      (deployment) => (lastAttemptAt(deployment) ?? -Infinity) < savingAt,
    );
    void store.refresh(unread.map((deployment) => deployment.id));

    const sentence = isUnchecked
      ? vscode.l10n.t('Saved the token for “{name}” without a successful check.', { name })
      : savedText(name, signIn.baseUrl, isReplacing);
    showStatusBarMessage(sentence);
    return id;
  }
}

/** "Signed in to “Acme”. host.example did not reject the token." */
function savedText(name: string, baseUrl: string, isReplacing: boolean): string {
  const saved = isReplacing
    ? vscode.l10n.t('Replaced the token for “{name}”.', { name })
    : vscode.l10n.t('Signed in to “{name}”.', { name });
  const checked = vscode.l10n.t('{host} did not reject the token.', { host: hostOf(baseUrl) });
  return joinSentences(saved, checked);
}

/** Whether the credentials in the draft are those that were checked last. */
function isDraftChecked({ draft, checked }: DialogState): boolean {
  return isDeepStrictEqual(credentialsIn(draft), checked?.credentials);
}

/**
 * Returns why the check of the draft's credentials failed; `undefined` if the user has changed
 * them.
 */
function failureOfDraft(state: DialogState): Failure | undefined {
  return isDraftChecked(state) ? state.checked?.failure : undefined;
}

/** Prepares the state for the step to which the user returns. */
function applyOption(state: DialogState, option: Option): void {
  const { checked } = state;
  state.isTryingAgain = option === 'tryAgain';
  if (option === 'tryAgain') state.checked = undefined;
  if (option === 'saveAnyway' && checked) {
    state.checked = { credentials: checked.credentials, isSavedAnyway: true };
  }
}

/** Returns the index of the question to which the option leads. */
function stepOf(option: Option, tokenStep: number): number {
  switch (option) {
    case 'changeBaseUrl':
      return 0;
    case 'tryAgain':
    case 'changeToken':
      return tokenStep;
    case 'saveAnyway':
      return tokenStep + 1;
  }
}

/**
 * Returns the credentials as they are sent and saved; `undefined` while one of them is unusable.
 */
function credentialsIn(draft: SignIn): Credentials | undefined {
  const parsed = parseBaseUrl(draft.baseUrl);
  const token = usableToken(draft.token);
  return parsed.ok && token !== undefined ? { baseUrl: parsed.url, token } : undefined;
}

/**
 * Returns the base URL as it is sent and saved if it is valid, otherwise as the user has entered
 * it.
 */
function baseUrlIn({ baseUrl }: SignIn): string {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? parsed.url : baseUrl;
}

/**
 * Whether the response to the check shows that the token was not rejected. Redirects, a 407, and
 * web pages with 2xx or 403 do not show it. The check requests a deployment that does not exist, so
 * a web page with 404 does not show whether the base URL is right: the dialog asks about it, unless
 * the base URL is fixed.
 */
function isTokenAccepted(failure: Failure, isUrlFixed: boolean): boolean {
  if (!('status' in failure) || failure.kind === 'tokenRejected') return false;
  const { status } = failure;
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect || status === 407) return false;
  if (failure.kind !== 'notFromPlatform') return true;
  if (status === 404) return isUrlFixed;
  return status >= 400 && status !== 403;
}

interface FailureTexts {
  /** "Not from the platform (403)." */
  readonly name: string;
  /**
   * What the failure probably means, and what helps. The next steps of `failureWords` are left out,
   * except for a proxy's 407, because the dialog has its own steps.
   */
  readonly reason: string;
}

function failureTexts(failure: Failure, draft: SignIn, isUrlFixed: boolean): FailureTexts {
  const baseUrl = baseUrlIn(draft);
  const organization: Organization = {
    id: '',
    name: hostOf(baseUrl),
    baseUrl,
    source: 'keyring',
    hasSessionToken: false,
  };
  const { name, meaning, next, doubt } = failureWords(withoutSameRetry(failure), organization);
  if (failure.kind === 'tokenRejected') return { name, reason: doubt ?? '' };
  if (isPageForUnknownId(failure)) {
    const { question, reason } = pageForUnknownIdWords(failure);
    return { name: question, reason };
  }
  if (failure.kind === 'unreachable') {
    // The dialog has a step of its own for changing the base URL, so no advice repeats that.
    const advice = unreachableAdvice(failure, (cause) => !blamesBaseUrl(cause));
    const help = advice ?? signInAdvice(failure.cause, isUrlFixed);
    return { name, reason: joinSentences(meaning, help) };
  }
  const isFromProxy = 'status' in failure && failure.status === 407;
  return { name, reason: joinSentences(meaning, isFromProxy ? next : undefined) };
}

/**
 * Leaves out that VS Code's own connection failed in the same way: the list of options has no room
 * for it.
 */
function withoutSameRetry(failure: Failure): Failure {
  if (failure.kind !== 'unreachable' || !failure.viaEditor) return failure;
  const { kind, cause, viaEditor } = failure;
  return connectionWord(cause) === connectionWord(viaEditor) ? { kind, cause } : failure;
}

/** "Timed out. host.example sent no complete response within 30 sec." */
function reasonText(failure: Failure, draft: SignIn, isUrlFixed: boolean): string {
  const { name, reason } = failureTexts(failure, draft, isUrlFixed);
  return joinSentences(name, reason);
}

/** What the user can do about a check that failed. */
type Option = 'tryAgain' | 'changeToken' | 'changeBaseUrl' | 'saveAnyway';

/** Returns all options, the one that probably helps first. */
function optionsFor(failure: Failure): readonly Option[] {
  if (isPageForUnknownId(failure))
    return ['saveAnyway', 'changeBaseUrl', 'changeToken', 'tryAgain'];
  const isBaseUrlSuspect = failure.kind === 'unreachable' && blamesBaseUrl(failure.cause);
  if (isBaseUrlSuspect) return ['changeBaseUrl', 'tryAgain', 'changeToken', 'saveAnyway'];
  const isGatewaySuspect = failure.kind === 'tokenRejected' && failure.doubt !== undefined;
  if (isGatewaySuspect) return ['changeToken', 'changeBaseUrl', 'saveAnyway', 'tryAgain'];
  return ['tryAgain', 'changeToken', 'changeBaseUrl', 'saveAnyway'];
}

/**
 * Lists what to do about a failure, without Change Base URL if that is fixed. Esc returns to the
 * box that probably has to be corrected.
 */
async function chooseOption(failure: Failure, draft: SignIn, isUrlFixed: boolean): Promise<Option> {
  const { name, reason } = failureTexts(failure, draft, isUrlFixed);
  const items: Readonly<Record<Option, vscode.QuickPickItem>> = {
    // VS Code cuts a long detail, but shows it whole in a hover, and a screen reader reads it
    // whole.
    tryAgain: { label: vscode.l10n.t('Try Again'), detail: inertLabel(reason || name, 500) },
    changeToken: { label: vscode.l10n.t('Change Token') },
    changeBaseUrl: {
      label: vscode.l10n.t('Change Base URL'),
      description: inertLabel(baseUrlIn(draft)),
    },
    saveAnyway: { label: vscode.l10n.t('Save Anyway') },
  };
  const options = optionsFor(failure).filter((option) => option !== 'changeBaseUrl' || !isUrlFixed);
  const nameWithoutStop = name.replace(/[.。]$/, '');
  const chosen = await vscode.window.showQuickPick(
    options.map((option) => ({ ...items[option], option })),
    {
      title: inertLabel(joinWithDots(vscode.l10n.t('Sign In'), nameWithoutStop), 200),
      placeHolder: vscode.l10n.t('Select what to do next'),
      ignoreFocusOut: true,
    },
  );
  if (chosen) return chosen.option;
  const isTokenSuspect = isUrlFixed || failure.kind === 'tokenRejected';
  return isTokenSuspect ? 'changeToken' : 'changeBaseUrl';
}

/** `failure`: of the check of the credentials in the draft. */
function urlQuestion(draft: SignIn, failure: Failure | undefined): TextQuestion {
  return {
    prompt: vscode.l10n.t('The base URL of the API. The token is sent only there.'),
    placeholder: vscode.l10n.t('Base URL, for example {example}', { example: exampleUrl }),
    error: failure && failure.kind !== 'tokenRejected' ? urlError(failure, draft) : undefined,
    validate: validateBaseUrl,
  };
}

/** "Timed out. host.example sent no complete response within 30 sec. Check the base URL." */
function urlError(failure: Failure, draft: SignIn): string {
  const hasAdvice =
    isPageForUnknownId(failure) ||
    (failure.kind === 'unreachable' && signInAdvice(failure.cause, false) !== undefined);
  return joinSentences(
    reasonText(failure, draft, false),
    hasAdvice ? '' : vscode.l10n.t('Check the base URL.'),
  );
}

/**
 * `replacedName`: name of the organization whose token is replaced, if one is. `failure`: of the
 * check of the credentials in the draft.
 */
function tokenQuestion(
  draft: SignIn,
  replacedName: string | undefined,
  failure: Failure | undefined,
): TextQuestion {
  const host = hostOf(baseUrlIn(draft));
  const isUrlFixed = replacedName !== undefined;
  return {
    prompt: joinSentences(
      replacedName === undefined
        ? vscode.l10n.t('The access token.')
        : vscode.l10n.t('The new access token for “{name}”.', { name: replacedName }),
      vscode.l10n.t('It is stored in VS Code’s secret storage and sent only to {host}.', { host }),
    ),
    placeholder: vscode.l10n.t('Access token'),
    password: true,
    error: failure && tokenError(failure, draft, isUrlFixed),
    validate: validateToken,
    busyMessage: vscode.l10n.t('Checking the token with {host}', { host }),
  };
}

/** "Token rejected (401). Paste another token, or press Enter for more options." */
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
      const signIn = { ...draft, name };
      const nameError = organizations.nameError(signIn);
      if (nameError !== undefined) return nameError;
      const replaced = organizations.findByNameAndUrl(signIn);
      if (!replaced) return undefined;
      return warning(
        vscode.l10n.t('This replaces the token for “{name}”. To keep it, choose another name.', {
          name: replaced.name,
        }),
      );
    },
  };
}

/** Returns the error below the box of the base URL; `undefined` for a usable base URL. */
function validateBaseUrl(value: string): string | undefined {
  if (withoutQuotes(value) === '')
    return vscode.l10n.t('Enter the base URL, for example {example}.', { example: exampleUrl });
  const parsed = parseBaseUrl(value);
  return parsed.ok ? undefined : baseUrlProblemText(parsed);
}

/** "Only https is supported. Start the URL with https://." */
function baseUrlProblemText(unusable: UnusableBaseUrl): string {
  const scheme = 'https://';
  switch (unusable.problem) {
    case 'placeholder':
      return vscode.l10n.t(
        'This is a placeholder that was not filled in. Enter a full URL, for example {example}.',
        { example: exampleUrl },
      );
    case 'character':
      return vscode.l10n.t('A base URL cannot contain {character}. Remove or replace it.', {
        character: characterName(unusable.character),
      });
    case 'twoSchemes':
      return vscode.l10n.t('Start the URL with {scheme} only once.', { scheme });
    case 'changedHost':
      return vscode.l10n.t('This host is not written in full. Write it out.');
    case 'dots':
      return vscode.l10n.t('Remove “.” and “..” from the path.');
    case 'notAUrl':
      return vscode.l10n.t('Enter a full URL, for example {example}.', { example: exampleUrl });
    case 'scheme':
      return vscode.l10n.t('Only https is supported. Start the URL with {scheme}.', { scheme });
    case 'insecure':
      return vscode.l10n.t(
        'http is only supported for this machine. Start the URL with {scheme}.',
        { scheme },
      );
    case 'credentials':
      return vscode.l10n.t('Remove the user name and password.');
    case 'query':
      return vscode.l10n.t('Remove the query string.');
    case 'fragment':
      return vscode.l10n.t('Remove the # and everything after it.');
    case 'path':
      return vscode.l10n.t('End the URL with {prefix}.', { prefix: versionPrefix });
  }
}
