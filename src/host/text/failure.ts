import { l10n } from 'vscode';
import { type Answerer, whoAnswered } from '../../api/answerer/whoAnswered.js';
import { isRecord } from '../../api/decode.js';
import { parseBaseUrl } from '../../api/entered/baseUrl.js';
import type { Failure, ForeignTexts, RefusalKind } from '../../api/failure.js';
import { shorten } from '../../model/inertText.js';
import type { FailureFields } from '../../model/toolResult.js';
import type { Remedy } from '../actions.js';
import type { Organization } from '../organizations/organization.js';
import { connectionAdvice, connectionWord, unreachableAdvice } from './connection.js';
import { environmentVariables } from './environment.js';
import { capitalized, clockTime, durationText, joinSentences } from './format.js';
import { hostOf } from './organization.js';
import { blamesBaseUrl } from './tls.js';

/**
 * What was requested: the authorization of a deployment, an install, or the revocation of an API
 * key. A 404 means something else for each, and an install needs another token than the others.
 */
type Operation = 'authorization' | 'install' | 'revocation';

type FailureOf<Kind extends Failure['kind']> = Extract<Failure, { readonly kind: Kind }>;

/** A failure with a status of 400 or more, except 429 and what is `notFromPlatform`. */
type Refusal = FailureOf<RefusalKind>;

/** What a failure means, and what to do about it. */
interface Advice {
  /** What the failure probably means: "The problem is probably temporary." */
  readonly meaning?: string | undefined;
  /** The next step: "Try again later." */
  readonly next?: string | undefined;
  /** The button or row command that takes this step. */
  readonly remedy?: Remedy | undefined;
}

/** What differs from one kind of failure to another. */
interface KindWords extends Advice {
  /** "Not found", without a status and without a full stop. */
  readonly word: string;
  /** In place of the word in first row, header, and status bar, which have little room: "Proxy". */
  readonly short?: string;
}

/** All texts about one failure. Each surface shows the ones that it has room for. */
export interface FailureWords {
  /** For a row: "Unreachable (DNS)". */
  readonly word: string;
  /** The word as a sentence, with the status: "Not found (404)." */
  readonly name: string;
  /** What the failure probably means; `undefined` if the name says all that is known. */
  readonly meaning: string | undefined;
  /** The next step; `undefined` if there is none. */
  readonly next: string | undefined;
  /** What speaks against the platform having sent the answer; `undefined` if nothing does. */
  readonly doubt: string | undefined;
  /** The button or row command that helps; `undefined` if none does. */
  readonly remedy: Remedy | undefined;
  /**
   * Name, meaning, next step, and doubt: "Server error (503). The problem is probably temporary. …"
   */
  readonly sentence: string;
}

/**
 * Returns all texts about a failed request, for a surface to choose from. `organization`: whose
 * request failed; without it, the texts do not name the organization, and only the advice about a
 * failed TLS handshake names its host.
 */
export function failureWords(
  failure: Failure,
  organization?: Organization,
  operation: Operation = 'authorization',
): FailureWords {
  const { word, meaning, next, remedy } = wordsOfKind(failure, { organization, operation });
  const name = failureName(failure, word);
  const doubt = doubtText(failure);
  const sentence = joinSentences(name, meaning, next, doubt);
  return { word, name, meaning, next, doubt, remedy, sentence };
}

/**
 * "Server error (503)", "Timed out": the word and the status, without host and text of the
 * platform.
 */
export function wordWithStatus(failure: Failure): string {
  const { word } = failureWords(failure);
  return 'status' in failure ? `${word} (${failure.status})` : word;
}

/**
 * The names of a failure for first row, header, and status bar, the longest first: "Server error
 * (503)" and "Server error", "Unreachable (DNS)" and "Unreachable", "Timed out".
 */
export function shortFailureNames(failure: Failure): readonly [string, ...string[]] {
  const { word, short = word } = wordsOfKind(failure, {
    organization: undefined,
    operation: 'authorization',
  });
  if (failure.kind === 'unreachable') return [short, l10n.t('Unreachable')];
  return 'status' in failure ? [`${short} (${failure.status})`, short] : [short];
}

/**
 * Returns the text without the codes of libraries, for a screen reader: "my.host: name not found."
 * for "my.host: name not found (ENOTFOUND)."
 */
export function withoutCodes(text: string, failure: Failure): string {
  let withoutThem = text;
  for (const code of codesOf(failure)) {
    withoutThem = withoutThem.replaceAll(` (${code})`, '').replaceAll(`(${code})`, '');
  }
  return withoutThem;
}

/**
 * ["ECONNRESET"]; of both ways if the request was retried through VS Code. Empty codes are left
 * out.
 */
function codesOf(failure: Failure): readonly string[] {
  if (failure.kind !== 'unreachable') return 'code' in failure ? [failure.code] : [];
  const codes: string[] = [];
  for (const cause of [failure.cause, failure.viaEditor]) {
    if (cause?.code) codes.push(cause.code);
  }
  return codes;
}

/**
 * For the row of one deployment: "Not found", "Timed out". The status stands there only where it
 * tells who may have answered: "Not from the platform (403)".
 */
export function failureWordInRow(failure: Failure): string {
  return failure.kind === 'notFromPlatform' ? wordWithStatus(failure) : failureWords(failure).word;
}

/** The next step as the label of a row of one deployment, which VS Code cuts: "Check the ID". */
export function nextStepLabel(failure: Failure, organization?: Organization): string {
  switch (failure.kind) {
    case 'notFound':
      return l10n.t('Check the ID');
    case 'notPermitted':
      return l10n.t('Ask for the permission');
    case 'timedOut':
      return l10n.t('Try again, or allow more time');
    case 'cancelled':
    case 'rateLimited':
    case 'serverError':
      return l10n.t('Try again later');
    default:
      return remedyLabel(failureWords(failure, organization).remedy);
  }
}

/**
 * "Sign in with a new token"; "Check the connection" also for all remedies that need no label here.
 * A remedy with a base URL leads to the sign-in dialog, which suggests that URL.
 */
function remedyLabel(remedy: Remedy | undefined): string {
  const isAboutBaseUrl = typeof remedy === 'object';
  if (isAboutBaseUrl) return l10n.t('Sign in with the right base URL');
  if (remedy === 'signIn') return l10n.t('Sign in with a new token');
  return remedy === 'showLog' ? l10n.t('See the log') : l10n.t('Check the connection');
}

/** "Timed out.", "Not found (404).", "Redirected (302) to login.example/start." */
function failureName(failure: Failure, word: string): string {
  if (!('status' in failure)) return l10n.t('{name}.', { name: word });
  const { status } = failure;
  const address = failure.kind === 'redirected' ? failure.foreign?.address : undefined;
  return address
    ? l10n.t('{name} ({status}) to {address}.', { name: word, status, address })
    : l10n.t('{name} ({status}).', { name: word, status });
}

/**
 * Whether the failure is a web page with 404. A check of the connection may request a deployment ID
 * that the extension has made up; then such a page is no evidence that the base URL is wrong.
 */
export function isPageForUnknownId(failure: Failure): failure is FailureOf<'notFromPlatform'> {
  return failure.kind === 'notFromPlatform' && failure.status === 404;
}

/**
 * For a failure for which `isPageForUnknownId` holds. `question`: "Is the base URL right?"
 * `reason`: "For a made-up ID, a web page (“Error”) was the answer (404)."
 */
export function pageForUnknownIdWords({ foreign }: FailureOf<'notFromPlatform'>): {
  readonly question: string;
  readonly reason: string;
} {
  const title = foreign?.title;
  return {
    question: l10n.t('Is the base URL right?'),
    reason: title
      ? l10n.t('For a made-up ID, a web page (“{title}”) was the answer (404).', { title })
      : l10n.t('For a made-up ID, a web page was the answer (404).'),
  };
}

/** What Check Connection says of who answered: "The platform probably answered." */
export function whoAnsweredText(answerer: Answerer): string {
  const texts: Readonly<Record<Answerer, string>> = {
    platform: l10n.t('The platform probably answered.'),
    unclear: l10n.t('The platform or a gateway in front of it answered.'),
    filter: l10n.t('A web filter or gateway probably answered, not the platform.'),
    webServer: l10n.t('Another web server probably answered, not the platform.'),
    signInPage: l10n.t('A sign-in page or another website probably answered, not the platform.'),
    proxy: l10n.t('The proxy answered, not the platform.'),
    nobody: l10n.t('The platform did not answer.'),
  };
  return texts[answerer];
}

/**
 * What follows the usual sentence about a status that the platform may not have sent: "The answer
 * was a web page (“Access blocked”); a web filter or gateway may have sent it." `undefined` if
 * nothing speaks against the platform.
 */
function doubtText(failure: Failure): string | undefined {
  if (!('doubt' in failure) || failure.doubt === undefined) return undefined;
  const { title, realm } = failure.foreign ?? {};
  return failure.kind === 'tokenRejected' ? gatewayDoubt(realm ?? title) : webPageDoubt(title);
}

/**
 * "If the token is right, a gateway in front of the platform asks for its own sign-in (“Acme
 * SSO”)."
 */
function gatewayDoubt(name: string | undefined): string {
  return name
    ? l10n.t(
        'If the token is right, a gateway in front of the platform asks for its own sign-in (“{name}”).',
        { name },
      )
    : l10n.t('If the token is right, a gateway in front of the platform asks for its own sign-in.');
}

function webPageDoubt(title: string | undefined): string {
  return title
    ? l10n.t('The answer was a web page (“{title}”); a web filter or gateway may have sent it.', {
        title,
      })
    : l10n.t('The answer was a web page; a web filter or gateway may have sent it.');
}

/**
 * For a tool's result: our sentence in `error`, and texts of the web page or gateway that answered
 * in fields of their own. `sentenceOf` writes the sentence; it gets the failure without these
 * texts.
 */
export function failureFields(
  failure: Failure,
  sentenceOf: (withoutForeignTexts: Failure) => string,
): FailureFields {
  const { foreign, ...withoutForeignTexts }: Failure & { readonly foreign?: ForeignTexts } =
    failure;
  const redirectedTo = foreign?.baseUrl ?? foreign?.address;
  const webPageTitle = foreign?.title;
  const realm = foreign?.realm;
  const response = answerText(failure);
  return {
    error: sentenceOf(withoutForeignTexts),
    ...(redirectedTo && { redirectedTo }),
    ...(webPageTitle && { webPageTitle }),
    ...(realm && { realm }),
    ...(response && { response: shorten(response, 300) }),
  };
}

/** What was requested, and of whom. */
interface RequestContext {
  /** Whose token the request had; `undefined` where the texts are to name none. */
  readonly organization: Organization | undefined;
  readonly operation: Operation;
}

/** The words of each kind of failure. TypeScript asks for a case for every kind. */
function wordsOfKind(failure: Failure, context: RequestContext): KindWords {
  switch (failure.kind) {
    case 'tokenRejected':
      return tokenRejectedWords(context);
    case 'notPermitted':
      return { word: l10n.t('Access denied'), ...notPermittedAdvice(context)[context.operation] };
    case 'notFound':
      return { word: l10n.t('Not found'), ...notFoundAdvice()[context.operation] };
    case 'clientError':
      return clientErrorWords(failure, context);
    case 'serverError':
      return serverErrorWords(context);
    case 'notFromPlatform':
      return notFromPlatformWords(failure, context);
    case 'rateLimited':
      return rateLimitedWords(failure, context);
    case 'redirected':
      return { word: l10n.t('Redirected'), ...redirectedAdvice(failure, context) };
    case 'unreachable':
      return unreachableWords(failure, context);
    case 'connectionLost':
      return connectionLostWords(failure, context);
    case 'invalidHttp':
      return invalidHttpWords(failure);
    case 'timedOut':
      return timedOutWords(failure, context);
    case 'cancelled':
      return { word: l10n.t('Cancelled'), remedy: retryRemedy(context) };
    case 'unusable':
      return unusableWords(failure);
  }
}

/** "my.host:8443", "the platform" */
function hostName({ organization }: RequestContext): string {
  return organization
    ? hostOf(organization.baseUrl)
    : l10n.t({ message: 'the platform', comment: 'Host' });
}

/** "Acme", without an organization "the platform" */
function tokenOwnerName(context: RequestContext): string {
  const { organization } = context;
  return organization ? shorten(organization.name) : hostName(context);
}

/** The command that does the same again; `undefined` for a revocation, which no button repeats. */
function retryRemedy({ operation }: RequestContext): Remedy | undefined {
  const remedies = {
    authorization: 'refresh',
    install: 'lookUpInstall',
    revocation: undefined,
  } as const;
  return remedies[operation];
}

/** "Check the connection to see which step fails." */
function findFailingStep(): string {
  return l10n.t('Check the connection to see which step fails.');
}

/** "Token rejected": "The access token for “Acme” has probably expired or been revoked." */
function tokenRejectedWords(context: RequestContext): KindWords {
  const word = l10n.t('Token rejected');
  const isUserSessionTokenRequired = context.operation === 'install';
  return isUserSessionTokenRequired
    ? { word, ...sessionTokenRejectedAdvice(context) }
    : { word, ...accessTokenRejectedAdvice(context) };
}

/** "Looking up an install requires a user session token, and “Acme” has none. …" */
function sessionTokenRejectedAdvice(context: RequestContext): Advice {
  const { organization } = context;
  const values = { name: tokenOwnerName(context) };
  const isTokenMissing = organization !== undefined && !organization.hasSessionToken;
  const meaning = isTokenMissing
    ? l10n.t('Looking up an install requires a user session token, and “{name}” has none.', values)
    : l10n.t(
        'Looking up an install requires a user session token. The token for “{name}” has probably expired.',
        values,
      );
  return { meaning, ...sessionTokenStep(organization) };
}

/** "The access token for “Acme” has probably expired or been revoked. Sign in with a new token." */
function accessTokenRejectedAdvice(context: RequestContext): Advice {
  const { organization } = context;
  const variable = environmentVariables.token;
  return {
    meaning: l10n.t('The access token for “{name}” has probably expired or been revoked.', {
      name: tokenOwnerName(context),
    }),
    next:
      organization?.source === 'environment'
        ? l10n.t('Set a valid token in {variable} and restart VS Code, or sign in.', { variable })
        : l10n.t('Sign in with a new token.'),
    remedy: 'signIn',
  };
}

/**
 * "Set the user session token of someone who can see the install." The environment's organization
 * is read-only, so its user has to sign in beside it.
 */
function sessionTokenStep(organization: Organization | undefined): Advice {
  if (organization?.source === 'environment') {
    return {
      next: l10n.t(
        'Sign in to the same base URL under another name, and set a user session token there.',
      ),
      remedy: 'signIn',
    };
  }
  return {
    next: l10n.t('Set the user session token of someone who can see the install.'),
    remedy: 'setSessionToken',
  };
}

type AdviceByOperation = Readonly<Record<Operation, Advice>>;

/** "The token for “Acme” probably lacks the permission to read this deployment. …" */
function notPermittedAdvice(context: RequestContext): AdviceByOperation {
  const values = { name: tokenOwnerName(context), permission: 'apiKey:delete' };
  return {
    authorization: {
      meaning: l10n.t(
        'The token for “{name}” probably lacks the permission to read this deployment.',
        values,
      ),
      next: l10n.t(
        'Ask an administrator for the permission, or switch to an organization that has it.',
      ),
      remedy: 'switchOrganization',
    },
    install: {
      meaning: l10n.t(
        'Looking up an install requires a user session token. This token is probably not one, or its user cannot see the install.',
      ),
      ...sessionTokenStep(context.organization),
    },
    revocation: {
      meaning: l10n.t('The token for “{name}” probably lacks the permission {permission}.', values),
      next: l10n.t('Sign in with a token that has this permission, or switch organizations.'),
      remedy: 'switchOrganization',
    },
  };
}

/** "The deployment was probably deleted, or its ID belongs to another organization. …" */
function notFoundAdvice(): AdviceByOperation {
  return {
    authorization: {
      meaning: l10n.t(
        'The deployment was probably deleted, or its ID belongs to another organization.',
      ),
      next: l10n.t('Check the ID, or switch to the organization it belongs to.'),
      remedy: 'switchOrganization',
    },
    install: {
      meaning: l10n.t(
        'The install has probably expired or been completed, or it belongs to another organization.',
      ),
      next: l10n.t('Ask for a new link.'),
      remedy: 'lookUpInstall',
    },
    revocation: {
      meaning: l10n.t('The key ID is probably unknown, or the key is already revoked.'),
      next: l10n.t('Check the key ID in the dashboard.'),
    },
  };
}

/** "Request refused": "The reason is unknown. See the log for details." */
function clientErrorWords(failure: Refusal, { operation }: RequestContext): KindWords {
  const { status } = failure;
  if (status === 407) return proxyAuthenticationWords(failure);
  const word = l10n.t('Request refused');
  const isInstallGone = status === 410 && operation === 'install';
  if (isInstallGone) return { word, ...notFoundAdvice().install };
  return {
    word,
    meaning: l10n.t('The reason is unknown.'),
    next: l10n.t('See the log for details.'),
    remedy: 'showLog',
  };
}

/** "Proxy authentication required": "Set the proxy in http.proxy and its credentials in …" */
function proxyAuthenticationWords({ status, schemes = [] }: Refusal): KindWords {
  return {
    word: l10n.t('Proxy authentication required'),
    short: l10n.t({ message: 'Proxy', comment: 'Proxy (407)' }),
    next: connectionAdvice({ step: 'proxy', code: '', host: '', status, schemes }),
    remedy: 'checkConnection',
  };
}

/** "Server error": "The problem is probably temporary. Try again later." */
function serverErrorWords(context: RequestContext): KindWords {
  return {
    word: l10n.t('Server error'),
    meaning: l10n.t('The problem is probably temporary.'),
    next: context.operation === 'revocation' ? undefined : l10n.t('Try again later.'),
    remedy: retryRemedy(context),
  };
}

/** "Rate limited": "Try again after 10:15 PM." */
function rateLimitedWords({ until }: FailureOf<'rateLimited'>, context: RequestContext): KindWords {
  return {
    word: l10n.t('Rate limited'),
    next: l10n.t('Try again after {time}.', { time: clockTime(until) }),
    remedy: retryRemedy(context),
  };
}

/** "Unreachable (DNS)": "my.host: name not found (ENOTFOUND). Check the connection to see …" */
function unreachableWords(failure: FailureOf<'unreachable'>, context: RequestContext): KindWords {
  const { cause, viaEditor } = failure;
  const host = hostName(context);
  const causeWord = connectionWord(cause);
  const words: Readonly<Record<typeof cause.step, string>> = {
    dns: l10n.t('Unreachable (DNS)'),
    refused: l10n.t('Unreachable (connection refused)'),
    tls: l10n.t('Unreachable (TLS)'),
    proxy: l10n.t('Unreachable (proxy)'),
    network: l10n.t('Unreachable'),
  };
  const isRefused = cause.step === 'refused';
  const firstTry = isRefused
    ? l10n.t('The platform at {host} is probably not running.', { host })
    : l10n.t('{host}: {cause}.', { host, cause: causeWord });
  const secondTry = viaEditor && retriedText(causeWord, connectionWord(viaEditor));
  const baseUrlStep = blamesBaseUrl(cause) ? baseUrlAdvice(context.organization).next : '';
  const knownStep = joinSentences(unreachableAdvice(failure), baseUrlStep);
  const word = words[cause.step];
  return {
    word,
    short: isRefused ? capitalized(causeWord) : word,
    meaning: joinSentences(firstTry, secondTry),
    next: knownStep === '' ? findFailingStep() : knownStep,
    remedy: 'checkConnection',
  };
}

/**
 * "Retrying through VS Code also failed: name not found (ENOTFOUND)." `ownCause`: why our own
 * connection failed.
 */
function retriedText(ownCause: string, editorsCause: string): string {
  return ownCause === editorsCause
    ? l10n.t('Retrying through VS Code failed in the same way.')
    : l10n.t('Retrying through VS Code also failed: {cause}.', { cause: editorsCause });
}

/**
 * "Connection lost": "my.host closed the connection before the response was complete (ECONNRESET)."
 */
function connectionLostWords(
  { code }: FailureOf<'connectionLost'>,
  context: RequestContext,
): KindWords {
  return {
    word: l10n.t('Connection lost'),
    meaning: l10n.t('{host} closed the connection before the response was complete ({code}).', {
      host: hostName(context),
      code,
    }),
    next: findFailingStep(),
    remedy: 'checkConnection',
  };
}

/** "Invalid response": "The response breaks the rules of HTTP (HPE_INVALID_CONSTANT). …" */
function invalidHttpWords({ code }: FailureOf<'invalidHttp'>): KindWords {
  return {
    word: l10n.t('Invalid response'),
    meaning:
      code === 'UND_ERR_HEADERS_OVERFLOW'
        ? l10n.t('The headers of the response are too large ({code}).', { code })
        : l10n.t('The response breaks the rules of HTTP ({code}).', { code }),
    next: l10n.t('Report this to whoever runs the platform or the gateway.'),
    remedy: 'checkConnection',
  };
}

/** "Timed out": "my.host sent no complete response within 30 sec. …" */
function timedOutWords(
  { after: afterMs }: FailureOf<'timedOut'>,
  context: RequestContext,
): KindWords {
  const time = durationText([{ unit: 'second', amount: Math.round(afterMs / 1000) }]);
  return {
    word: l10n.t('Timed out'),
    meaning: l10n.t('{host} sent no complete response within {time}.', {
      host: hostName(context),
      time,
    }),
    next: l10n.t('Try again, or allow more time in the settings.'),
    remedy: 'allowMoreTime',
  };
}

/**
 * "Invalid response": "The response is empty. Try again. If it happens again, check the
 * connection."
 */
function unusableWords({ reason }: FailureOf<'unusable'>): KindWords {
  const meanings: Readonly<Record<typeof reason, string>> = {
    empty: l10n.t('The response is empty.'),
    notJson: l10n.t(
      'The response is not JSON. It probably comes from a sign-in page or a proxy, or the base URL is wrong.',
    ),
    notModified: l10n.t('The response refers to an earlier one, probably in a cache on the way.'),
    noTarget: l10n.t('The redirect has no usable target.'),
    wrongShape: l10n.t(
      'The response lacks the expected fields. The base URL is probably wrong, or the platform has changed.',
    ),
    tooLarge: l10n.t('The response is too large.'),
    truncated: l10n.t('The response was cut off.'),
  };
  const isProbablyTemporary = reason === 'truncated' || reason === 'empty';
  return {
    word: l10n.t('Invalid response'),
    meaning: meanings[reason],
    next: isProbablyTemporary
      ? l10n.t('Try again. If it happens again, check the connection.')
      : l10n.t('Check the base URL and the connection.'),
    remedy: 'checkConnection',
  };
}

/**
 * "Not from the platform": "A web filter or gateway probably sent this web page (“Access blocked”).
 * …"
 */
function notFromPlatformWords(
  failure: FailureOf<'notFromPlatform'>,
  context: RequestContext,
): KindWords {
  const word = l10n.t('Not from the platform');
  const title = failure.foreign?.title;
  switch (whoAnswered(failure)) {
    case 'webServer':
      return { word, ...webServerAdvice(title, context) };
    case 'signInPage':
      return { word, ...signInPageAdvice(title) };
    default:
      // A web filter, and any answer of which no other sender is known.
      return title !== undefined && requiresClientCertificate(failure)
        ? { word, ...clientCertificateAdvice(title, context) }
        : { word, ...webFilterAdvice(title, context) };
  }
}

/**
 * "Another web server probably sent this web page (“nginx”), so the base URL is probably wrong. …"
 */
function webServerAdvice(title: string | undefined, { organization }: RequestContext): Advice {
  const meaning = title
    ? l10n.t(
        'Another web server probably sent this web page (“{title}”), so the base URL is probably wrong.',
        { title },
      )
    : l10n.t('Another web server probably sent this web page, so the base URL is probably wrong.');
  return { meaning, ...baseUrlAdvice(organization) };
}

/** "A sign-in page, a web filter, or another website probably sent this web page (“Sign in”). …" */
function signInPageAdvice(title: string | undefined): Advice {
  return {
    meaning: title
      ? l10n.t(
          'A sign-in page, a web filter, or another website probably sent this web page (“{title}”).',
          { title },
        )
      : l10n.t('A sign-in page, a web filter, or another website probably sent this web page.'),
    next: l10n.t('Check the base URL and the connection.'),
    remedy: 'checkConnection',
  };
}

/**
 * "The server requires a client certificate, which is not supported (“400 No required SSL …”). …"
 */
function clientCertificateAdvice(title: string, context: RequestContext): Advice {
  return {
    meaning: l10n.t(
      'The server requires a client certificate, which is not supported (“{title}”).',
      {
        title,
      },
    ),
    next: l10n.t('Ask whoever runs {host} for access without a client certificate.', {
      host: hostName(context),
    }),
    remedy: 'checkConnection',
  };
}

/** "A web filter or gateway probably sent this web page (“Access blocked”). …" */
function webFilterAdvice(title: string | undefined, context: RequestContext): Advice {
  return {
    meaning: title
      ? l10n.t('A web filter or gateway probably sent this web page (“{title}”).', { title })
      : l10n.t('A web filter or gateway probably sent this web page.'),
    next: askForAccess(context),
    remedy: 'checkConnection',
  };
}

/**
 * Whether the answer is the page that nginx sends with 400 to a client without a certificate, whose
 * handshake it let end.
 */
export function requiresClientCertificate({ foreign }: FailureOf<'notFromPlatform'>): boolean {
  return /\bNo required SSL certificate was sent\b/.test(foreign?.title ?? '');
}

/** "Ask your network administrator to let requests with a token through to my.host." */
function askForAccess(context: RequestContext): string {
  return l10n.t('Ask your network administrator to let requests with a token through to {host}.', {
    host: hostName(context),
  });
}

/**
 * What to do if the base URL is probably wrong: "Sign in with the right base URL." The base URL of
 * an organization that is signed in cannot be changed, so the user signs in anew.
 */
export function baseUrlAdvice(
  organization: Organization | undefined,
): Pick<KindWords, 'next' | 'remedy'> {
  const variable = environmentVariables.baseUrl;
  return {
    next:
      organization?.source === 'environment'
        ? l10n.t('Correct {variable} and restart VS Code, or sign in with the right base URL.', {
            variable,
          })
        : l10n.t('Sign in with the right base URL.'),
    remedy: organization ? { baseUrl: organization.baseUrl } : 'signIn',
  };
}

/**
 * "The platform has probably moved to https://new.example/api/v1. Sign in with its new base URL."
 */
function redirectedAdvice(
  { target, foreign }: FailureOf<'redirected'>,
  context: RequestContext,
): Advice {
  switch (target) {
    case 'moved':
      return movedAdvice(foreign?.baseUrl, context);
    case 'sameAddress':
      return {
        meaning: l10n.t(
          'The redirect leads back to the same address, probably from a gateway in front of the platform.',
        ),
        next: l10n.t('Report this to whoever runs the platform or the gateway.'),
        remedy: 'checkConnection',
      };
    case 'sameHost': {
      // The same step helps against an expired token.
      const { next, remedy } = tokenRejectedWords(context);
      const meaning = l10n.t('The token has probably expired, or a gateway wants a sign-in.');
      return { meaning, next, remedy };
    }
    case 'otherHost':
      return {
        meaning: foreign?.host
          ? l10n.t('This is probably a sign-in page at {host} in front of the platform.', {
              host: foreign.host,
            })
          : l10n.t('This is probably a sign-in page on another host in front of the platform.'),
        next: askForAccess(context),
        remedy: 'checkConnection',
      };
  }
}

/**
 * "The platform has probably moved to https://new.example/api/v1. Sign in with its new base URL."
 * `baseUrl`: the new one; `undefined` if it may not be shown. It may be one that a sign-in refuses.
 */
function movedAdvice(baseUrl: string | undefined, { organization }: RequestContext): Advice {
  const isUsable = baseUrl === undefined || parseBaseUrl(baseUrl).ok;
  return {
    meaning: baseUrl
      ? l10n.t('The platform has probably moved to {url}.', { url: baseUrl })
      : l10n.t('The platform has probably moved.'),
    next: isUsable
      ? l10n.t('Sign in with its new base URL.')
      : l10n.t('That is no usable base URL. Ask an administrator for the right one.'),
    remedy: baseUrl && isUsable ? { baseUrl } : baseUrlAdvice(organization).remedy,
  };
}

/**
 * "Response: “no access to dep_1”"; `undefined` if there is no text, or probably not the
 * platform's.
 */
export function responseSentence(failure: Failure): string | undefined {
  const text = answerText(failure);
  return text && l10n.t('Response: “{excerpt}”', { excerpt: shorten(text, 300) });
}

/**
 * "no access to dep_1": what the answer says, for the user to read. `undefined` if it has no text,
 * or if something other than the platform may have sent it: then our sentence has the web page's
 * title, and the page itself is for a browser.
 */
export function answerText(failure: Failure): string | undefined {
  const excerpt = 'excerpt' in failure ? failure.excerpt : undefined;
  if (!excerpt) return undefined;
  const isInDoubt = 'doubt' in failure && failure.doubt !== undefined;
  if (failure.kind === 'notFromPlatform' || isInDoubt) return undefined;
  return messageInExcerpt(excerpt);
}

/**
 * Returns "no access" for `{"message":"no access"}`, that is, the message of a JSON object that has
 * nothing else; any other text unchanged.
 */
export function messageInExcerpt(excerpt: string): string {
  const value = parsedJson(excerpt);
  if (!isRecord(value)) return excerpt;
  const keys = Object.keys(value);
  if (keys.length !== 1 || keys[0] !== 'message') return excerpt;
  const { message } = value;
  const hasText = typeof message === 'string' && message.trim() !== '';
  return hasText ? message : excerpt;
}

/** Returns `undefined` if the text is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
