import * as vscode from 'vscode';
import { type Answerer, whoAnswered } from '../api/answerer/whoAnswered.js';
import { authorizationTemplate } from '../api/authorization.js';
import type { ConnectionStep, PeerRole } from '../api/call.js';
import { type ConnectionCause, type Failure, hostAndPort } from '../api/failure.js';
import {
  type ExtraCertificatesProblem,
  extraCertificatesVariable,
} from '../api/network/extraCertificates.js';
import type { Route } from '../api/network/route.js';
import {
  type Action,
  checkConnectionAction,
  type Remedy,
  remedyAction,
  settingAction,
} from '../host/actions.js';
import { showErrorMessage, showMessage, withProgress } from '../host/messages.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { connectionAdvice, connectionWord, generalStepAdvice } from '../host/text/connection.js';
import {
  baseUrlAdvice,
  failureWords,
  isPageForUnknownId,
  pageForUnknownIdWords,
  whoAnsweredText,
} from '../host/text/failure.js';
import {
  absoluteTime,
  capitalized,
  clockTime,
  joinSentences,
  joinWithDots,
  listText,
  numberText,
} from '../host/text/format.js';
import { organizationName } from '../host/text/organization.js';
import { blamesBaseUrl } from '../host/text/tls.js';
import { inertNote, inertPlain } from '../model/inertText.js';
import { currentOrganization } from './organizations.js';
import { sendAs } from './sendAs.js';

const maxLineChars = 2000;
/** For each part of a foreign text. An address has two parts, a host and a path. */
const maxForeignChars = 100;

/** Makes a foreign text safe to show: redacts it before it is cut, and breaks its links. */
type MakeInert = (text: string, maxChars?: number) => string;

/**
 * A line of the result: a step of the connection, with the failure of the request if it is that of
 * this step; or a request that was not sent because of a pause (`until`: epoch ms).
 */
type Step =
  | (ConnectionStep & { readonly failure?: Failure })
  | { readonly kind: 'notSent'; readonly until: number; readonly failure?: never };

/** The result of a check. All foreign texts in it are inert. */
interface CheckResult {
  /** Why the request failed; `undefined` if it did not. */
  readonly failure: Failure | undefined;
  readonly steps: readonly Step[];
  readonly organization: Organization;
  /** Whether the check requested a made-up deployment ID, because no deployment is listed. */
  readonly isIdMadeUp: boolean;
}

/** What is wrong with the connection, in words. */
interface Diagnosis {
  readonly reason: string;
  /** What to do about it. */
  readonly advice: string | undefined;
  /** The whole message, if it is not `reason` and `advice`. */
  readonly sentence?: string;
  /** The button of the message. `usual`: that of the failure. `undefined`: none. */
  readonly button: Action | 'usual' | undefined;
}

type PageFailure = Extract<Failure, { readonly kind: 'notFromPlatform' }>;

/**
 * Check Connection: sends one request, shows its steps and a verdict in a read-only text, and the
 * verdict in a message. Shows nothing if the user cancels.
 */
export async function checkConnection(services: Services): Promise<void> {
  const { deploymentList, log, readOnlyTexts, store } = services;
  const organization = await currentOrganization(services);
  const makeInert: MakeInert = (text, maxChars) => inertNote(log.redact(text), maxChars);
  const connectionSteps: ConnectionStep[] = [];
  const requestFailure = await sendCheck(services, organization, (step) => {
    const inertStep = withInertIssuer(step, makeInert);
    connectionSteps.push(inertStep);
    return stepLine(inertStep);
  });
  if (requestFailure?.kind === 'cancelled') return;

  const sharedFailure = requestFailure && store.asSharedFailure(organization.id, requestFailure);
  if (sharedFailure?.kind === 'tokenRejected') {
    store.tokenRejected(organization.id, sharedFailure);
  } else if (!sharedFailure || !isConnectionFailure(sharedFailure)) {
    store.tokenAccepted(organization.id);
  }

  const failure = sharedFailure && withInertTexts(sharedFailure, makeInert);
  const name = makeInert(organizationName(organization));
  const result: CheckResult = {
    failure,
    steps: failure ? withFailure(connectionSteps, failure) : connectionSteps,
    organization: { ...organization, name },
    isIdMadeUp: deploymentList.listed.length === 0,
  };
  const diagnosis = diagnosisOf(result);

  const { lines, cursorLine } = resultLines(result, diagnosis);
  const text = lines.map((line) => inertPlain(log.redact(line), maxLineChars)).join('\n');
  await readOnlyTexts.show(vscode.l10n.t('Check Connection'), text, cursorLine);

  const copyButton = {
    title: vscode.l10n.t('Copy Text'),
    run: () => vscode.env.clipboard.writeText(text),
  };
  if (!diagnosis) return showMessage(vscode.l10n.t('Connection OK.'), copyButton);
  // A button needs the foreign texts as they came, so it is made of the failure before these are
  // inert.
  const button =
    diagnosis.button === 'usual' ? usualButton(sharedFailure, organization) : diagnosis.button;
  showErrorMessage(wholeSentence(diagnosis), button ? [button, copyButton] : [copyButton]);
}

/**
 * Sends the request with a progress notification. Returns why it failed; `undefined` if it did not.
 * `onStep` returns the text that the notification shows for the step.
 */
function sendCheck(
  services: Services,
  organization: Organization,
  onStep: (step: ConnectionStep) => string,
): Promise<Failure | undefined> {
  const { client, deploymentList } = services;
  return withProgress(vscode.l10n.t('Checking connection'), (report, cancellation) => {
    // No event reports what another tab of a browser has changed.
    const onPhase = () => services.organizations.forgetSignedOutElsewhere();
    const options = { onPhase, onStep: (step: ConnectionStep) => report(onStep(step)) };
    // A check sends the token, so a sign-out or another token stops it, in this or another window.
    return sendAs(services, {
      organization,
      operation: 'authorization',
      cancellation,
      send: (target, { signal }) =>
        client.check(target, { signal, ...options }, deploymentList.listed[0]?.id),
    });
  });
}

/**
 * The lines of the read-only text, and the index of the line for the cursor: that of the failed
 * step, or the empty line above the verdict.
 */
function resultLines(
  result: CheckResult,
  diagnosis: Diagnosis | undefined,
): { readonly lines: readonly string[]; readonly cursorLine: number } {
  const { organization, steps } = result;
  const header = [
    vscode.l10n.t('Connection to {url}', { url: organization.baseUrl }),
    vscode.l10n.t('Organization: {name}', { name: organization.name }),
    vscode.l10n.t('Checked: {time}', { time: absoluteTime(Date.now()) }),
    '',
  ];
  const failedIndex = steps.findIndex(isFailed);
  const lines = [
    ...header,
    ...steps.map(stepLine),
    '',
    ...verdictLines(result, diagnosis),
    vscode.l10n.t('This text contains no token and no password.'),
  ];
  const cursorLine = header.length + (failedIndex === -1 ? steps.length : failedIndex);
  return { lines, cursorLine };
}

/**
 * The reason, who answered, and what to do; "Connection OK." and who answered if the connection is
 * good. For a made-up ID, the answer that no such deployment exists is no failure.
 */
function verdictLines(result: CheckResult, diagnosis: Diagnosis | undefined): readonly string[] {
  const { failure, steps, organization, isIdMadeUp } = result;
  const isUnsent = steps.some(({ kind }) => kind === 'notSent');
  const answerer = pageForMadeUpId(result) ? 'unclear' : answererOf(failure, steps);
  const answererLines = isUnsent ? [] : [whoAnsweredText(answerer)];
  if (diagnosis) {
    const adviceLines = diagnosis.advice ? [diagnosis.advice] : [];
    return [diagnosis.reason, ...answererLines, ...adviceLines];
  }

  const ok = vscode.l10n.t('Connection OK.');
  if (!failure || isIdMadeUp) return [ok, ...answererLines];
  // The connection is good, but the platform denies the requested deployment, or it is gone.
  const { name, meaning, next } = failureWords(failure, organization);
  return [ok, joinSentences(name, meaning), ...answererLines, next ?? ''];
}

/**
 * Returns the failure if it is a web page for a made-up ID, which does not show whether the base
 * URL is right.
 */
function pageForMadeUpId({ failure, isIdMadeUp }: CheckResult): PageFailure | undefined {
  return isIdMadeUp && failure && isPageForUnknownId(failure) ? failure : undefined;
}

/**
 * An HTTP status shows that something has answered, even if the connection ended before the rest of
 * the answer, which makes the request fail without an answer.
 */
function answererOf(failure: Failure | undefined, steps: readonly Step[]): Answerer {
  const answerer = whoAnswered(failure);
  const hasStatus = steps.some((step) => step.kind === 'http' && step.status !== undefined);
  return answerer === 'nobody' && hasStatus ? 'unclear' : answerer;
}

/**
 * The server that answered chose the title of its page, the realm of its challenge, and the target
 * of its redirect.
 */
function withInertTexts(failure: Failure, makeInert: MakeInert): Failure {
  if (!('foreign' in failure) || failure.foreign === undefined) return failure;
  const texts: readonly [string, string][] = Object.entries(failure.foreign);
  const inertTexts = texts.map(([name, text]) => [name, makeInert(text, 2 * maxForeignChars)]);
  return { ...failure, foreign: Object.fromEntries(inertTexts) };
}

/** The server that answered chose the names in its certificate. */
function withInertIssuer(step: ConnectionStep, makeInert: MakeInert): ConnectionStep {
  if (step.kind !== 'tls' || !step.certificate) return step;
  const issuer = makeInert(step.certificate.issuer);
  return { ...step, certificate: { ...step.certificate, issuer } };
}

/**
 * Adds the failure to the step of the request. If no request was made, adds such a step, unless a
 * step before it says why.
 */
function withFailure(steps: readonly ConnectionStep[], failure: Failure): readonly Step[] {
  const last = steps.at(-1);
  if (last?.kind === 'http') return [...steps.slice(0, -1), { ...last, failure }];
  if (failure.kind === 'rateLimited') return [...steps, { kind: 'notSent', until: failure.until }];
  const hasFailedStep = steps.some((step) => causeOf(step) !== undefined);
  if (hasFailedStep) return steps;
  return [...steps, { kind: 'http', viaEditor: false, duration: 0, failure }];
}

/** Returns `undefined` if the connection is good, even if the request failed. */
function diagnosisOf(result: CheckResult): Diagnosis | undefined {
  const { failure, steps, organization } = result;
  const page = pageForMadeUpId(result);
  if (page) return baseUrlQuestion(page);
  if (!failure) return undefined;

  const isAnswered = 'status' in failure || failure.kind === 'invalidHttp';
  if (!isAnswered) return stepDiagnosis(failure, steps, organization);
  return isConnectionFailure(failure) ? answerDiagnosis(failure, organization) : undefined;
}

/** "Is the base URL right? For a made-up ID, a web page was the answer (404). If the base URL …" */
function baseUrlQuestion(failure: PageFailure): Diagnosis {
  const { question, reason } = pageForUnknownIdWords(failure);
  return {
    reason: joinSentences(question, reason),
    advice: vscode.l10n.t('If the base URL is wrong, sign in with the right one.'),
    button: 'usual',
  };
}

/** For a request that was answered: "Server error (503). The problem is probably temporary. …" */
function answerDiagnosis(failure: Failure, organization: Organization): Diagnosis {
  const { name, meaning, doubt, next, remedy, sentence } = failureWords(failure, organization);
  const texts = { reason: joinSentences(name, meaning, doubt), advice: next, sentence };
  if ('status' in failure && failure.status === 407) {
    return { ...texts, button: settingAction('http.proxy') };
  }
  return { ...texts, button: isJustDone(remedy) ? checkAgainAction() : 'usual' };
}

/**
 * For a request that was not answered: "First failed step: DNS lookup of my.host. Name not
 * found (ENOTFOUND). …"
 */
function stepDiagnosis(
  failure: Failure,
  steps: readonly Step[],
  organization: Organization,
): Diagnosis {
  const failedStep = steps.find(isFailed) ?? steps.at(-1)!;
  const cause = causeOf(failedStep);
  const why = cause ? connectionWord(cause) : failureWords(failure).word;
  const reason = joinSentences(
    vscode.l10n.t('First failed step: {step}.', { step: stepParts(failedStep).name }),
    vscode.l10n.t('{reason}.', { reason: capitalized(why) }),
  );
  if (cause) return { reason, ...causeAdvice(cause, organization) };

  const { next, remedy } = failureWords(failure, organization);
  if (!isJustDone(remedy)) {
    return { reason, advice: next, button: remedyAction(remedy, organization) };
  }
  const advice = vscode.l10n.t('Check again. If it happens again, ask your network administrator.');
  return { reason, advice, button: checkAgainAction() };
}

function causeAdvice(
  cause: ConnectionCause,
  organization: Organization,
): Pick<Diagnosis, 'advice' | 'button'> {
  const stepAdvice = connectionAdvice(cause) ?? generalStepAdvice(cause, organization);
  const urlAdvice = blamesBaseUrl(cause) ? baseUrlAdvice(organization).next : '';
  const setting = proxySetting(cause);
  return {
    advice: joinSentences(stepAdvice, urlAdvice),
    button: setting === undefined ? checkAgainAction() : settingAction(setting),
  };
}

/** The message's text: "Is the base URL right? …" */
function wholeSentence({ reason, advice, sentence }: Diagnosis): string {
  return sentence ?? joinSentences(reason, advice);
}

/** Returns the button that other messages about this failure have; `undefined` if there is none. */
function usualButton(failure: Failure | undefined, organization: Organization): Action | undefined {
  return failure && remedyAction(failureWords(failure, organization).remedy, organization);
}

/** Whether the usual button would do what the command has just done. */
function isJustDone(remedy: Remedy | undefined): boolean {
  return remedy === 'checkConnection' || remedy === 'refresh';
}

/**
 * Whether the failure is one of the connection. A 403 or 404 is about a deployment or the token's
 * rights, so the connection is good, unless a web page came with the status.
 */
function isConnectionFailure(failure: Failure): boolean {
  if (failure.kind !== 'notPermitted' && failure.kind !== 'notFound') return true;
  return failure.doubt !== undefined;
}

/**
 * Returns the ID of the setting with the proxy's address or credentials; `undefined` if an
 * environment variable has it, or none of them. If only VS Code knows the proxy, the advice for a
 * 407 is to set it in `http.proxy`.
 */
function proxySetting({ source, status }: ConnectionCause): string | undefined {
  if (source === undefined) return status === 407 ? 'http.proxy' : undefined;
  return source.startsWith('http.') ? source : undefined;
}

function checkAgainAction(): Action {
  return { ...checkConnectionAction, title: vscode.l10n.t('Check Again') };
}

function isFailed(step: Step): boolean {
  if (causeOf(step) !== undefined) return true;
  return step.failure !== undefined && isConnectionFailure(step.failure);
}

/** Returns why no connection could be made at this step; `undefined` if one was. */
function causeOf(step: Step): ConnectionCause | undefined {
  if (step.kind === 'notSent') return undefined;
  if ('cause' in step) return step.cause;
  return step.failure?.kind === 'unreachable' ? step.failure.cause : undefined;
}

/** "✔ DNS lookup of host.example · 192.0.2.1 · 12 ms" */
function stepLine(step: Step): string {
  const { name, details } = stepParts(step);
  const cause = causeOf(step);
  // The details of a proxy's step contain the status of its response already.
  const hasProxyStatus = step.kind === 'proxy' && cause?.status !== undefined;
  const reason = cause && !hasProxyStatus ? connectionWord(cause) : undefined;
  const duration = 'duration' in step ? millisecondsText(step.duration) : undefined;
  return joinWithDots(`${markOf(step)} ${name}`, ...details, reason, duration);
}

/** "12 ms" */
function millisecondsText(durationMs: number): string {
  return vscode.l10n.t('{time} ms', { time: numberText(Math.round(durationMs)) });
}

function markOf(step: Step): string {
  if (isFailed(step)) return '✖';
  switch (step.kind) {
    case 'route':
    case 'notSent':
      return '•';
    case 'certificates':
    case 'extraCertificates':
      return '⚠';
    default:
      return '✔';
  }
}

/** The parts of a step's line, without its mark, reason, and duration. */
interface StepParts {
  /** "DNS lookup of host.example" */
  readonly name: string;
  /** "192.0.2.1"; `undefined` for a detail that is not known. */
  readonly details: readonly (string | undefined)[];
}

function stepParts(step: Step): StepParts {
  switch (step.kind) {
    case 'route':
      return routeParts(step);
    case 'certificates':
      return {
        name: vscode.l10n.t(
          'System certificates not readable ({code}); only those of VS Code are trusted',
          { code: step.code },
        ),
        details: [],
      };
    case 'extraCertificates':
      return { name: extraCertificatesText(step.problem), details: [] };
    case 'dns':
      return {
        name: vscode.l10n.t('DNS lookup of {host}', { host: peerText(step) }),
        details: [listText(step.addresses)],
      };
    case 'tcp':
      return {
        name: vscode.l10n.t('TCP connection to {host}', { host: peerText(step) }),
        details: [step.address === step.host ? undefined : step.address],
      };
    case 'tls':
      return tlsParts(step);
    case 'proxy': {
      const host = peerText({ ...step, role: 'proxy' });
      return {
        name: vscode.l10n.t('Tunnel through {host}', { host }),
        details: [statusText(step.status ?? step.cause?.status)],
      };
    }
    case 'notSent':
      return {
        name: vscode.l10n.t('GET {path}', { path: authorizationTemplate }),
        details: [vscode.l10n.t('not sent: paused until {time}', { time: clockTime(step.until) })],
      };
    case 'http':
      return httpParts(step);
  }
}

type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

/** "Route: direct (no proxy configured) · if that fails, through VS Code" */
function routeParts({ route, hasCredentials, mayTryEditor }: StepOf<'route'>): StepParts {
  const mayFallBack = mayTryEditor && route.kind !== 'editor';
  return {
    name: vscode.l10n.t('Route: {route}', { route: routeText(route) }),
    details: [
      hasCredentials ? vscode.l10n.t('with credentials') : undefined,
      mayFallBack ? vscode.l10n.t('if that fails, through VS Code') : undefined,
    ],
  };
}

/** "TLS handshake with host.example · TLSv1.3 · issued by CN=ca.example · valid from … to …" */
function tlsParts(step: StepOf<'tls'>): StepParts {
  const name = vscode.l10n.t('TLS handshake with {host}', { host: peerText(step) });
  const { certificate, protocol } = step;
  if (!certificate) return { name, details: [protocol] };
  const { issuer, validFrom, validTo } = certificate;
  const validity = { from: absoluteTime(validFrom), to: absoluteTime(validTo) };
  return {
    name,
    details: [
      protocol,
      vscode.l10n.t('issued by {issuer}', { issuer }),
      vscode.l10n.t('valid from {from} to {to}', validity),
    ],
  };
}

/**
 * "GET /deployments/{deploymentId}/authorization · responded with 302 · redirect to host.example,
 * …"
 */
function httpParts(step: StepOf<'http'>): StepParts {
  const path = authorizationTemplate;
  return {
    name: step.viaEditor
      ? vscode.l10n.t('GET {path} through VS Code', { path })
      : vscode.l10n.t('GET {path}', { path }),
    details: [statusText(step.status), answerText(step)],
  };
}

/**
 * "redirect to host.example, not followed"; `undefined` if the status or the cause says all about
 * the answer.
 */
function answerText(step: StepOf<'http'>): string | undefined {
  const { failure } = step;
  if (!failure) return undefined;
  const redirectTarget = failure.kind === 'redirected' ? failure.foreign?.address : undefined;
  if (redirectTarget) {
    return vscode.l10n.t('redirect to {host}, not followed', { host: redirectTarget });
  }
  if (failure.kind === 'notFromPlatform') return webPageText(failure.foreign?.title);
  if ('doubt' in failure && failure.doubt === 'webPage') return webPageText(failure.foreign?.title);

  if (causeOf(step) !== undefined) return undefined;
  const isInvalid = failure.kind === 'unusable' || failure.kind === 'invalidHttp';
  const isStatusEnough = step.status !== undefined && !isInvalid;
  return isStatusEnough ? undefined : failureWords(failure).word;
}

/** "a web page (“Error”)" */
function webPageText(title: string | undefined): string {
  return title ? vscode.l10n.t('a web page (“{title}”)', { title }) : vscode.l10n.t('a web page');
}

/** "The file in NODE_EXTRA_CA_CERTS holds no certificate in PEM format" */
function extraCertificatesText(problem: ExtraCertificatesProblem): string {
  const variable = extraCertificatesVariable;
  switch (problem.kind) {
    case 'unreadable':
      return vscode.l10n.t(
        'The file in {variable} cannot be read ({code}), so its certificates are not trusted',
        { variable, code: problem.code },
      );
    case 'noCertificate':
      return vscode.l10n.t('The file in {variable} holds no certificate in PEM format', {
        variable,
      });
    case 'damaged':
      return vscode.l10n.t(
        'The file in {variable} holds a certificate that cannot be read; it and those after it are not trusted',
        { variable },
      );
    case 'tooLate':
      return vscode.l10n.t(
        'The file in {variable} could not be read when VS Code started; restart VS Code',
        { variable },
      );
  }
}

interface StepPeer {
  readonly role: PeerRole;
  readonly host: string;
  readonly port?: number;
}

/** "my.host:443", "proxy my.proxy:3128"; without a port "my.host" */
function peerText({ role, host, port }: StepPeer): string {
  const peer = hostAndPort({ host, port });
  return role === 'proxy' ? vscode.l10n.t('proxy {host}', { host: peer }) : peer;
}

/** "responded with 200"; `undefined` without a response. */
function statusText(status: number | undefined): string | undefined {
  return status === undefined ? undefined : vscode.l10n.t('responded with {status}', { status });
}

/** "through proxy proxy.example:3128 (HTTPS_PROXY)" */
function routeText(route: Route): string {
  switch (route.kind) {
    case 'editor': {
      const source = route.source;
      return vscode.l10n.t('through VS Code ({source} names a SOCKS proxy)', { source });
    }
    case 'unusable':
      return vscode.l10n.t({ message: 'none', comment: 'Network route' });
    case 'proxy': {
      const values = { proxy: hostAndPort(route), source: route.source };
      return route.usesTls
        ? vscode.l10n.t('through HTTPS proxy {proxy} ({source})', values)
        : vscode.l10n.t('through proxy {proxy} ({source})', values);
    }
    case 'direct': {
      const reasons = {
        loopback: vscode.l10n.t('platform on this machine'),
        proxySupportOff: vscode.l10n.t('http.proxySupport is off'),
        noProxy: vscode.l10n.t('host listed in http.noProxy or NO_PROXY'),
        noProxyNamed: vscode.l10n.t('no proxy configured'),
      };
      return vscode.l10n.t('direct ({reason})', { reason: reasons[route.why] });
    }
  }
}
