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

export async function checkConnection(services: Services): Promise<void> {
  const { client, deploymentList, log, readOnlyTexts, store } = services;
  const organization = await currentOrganization(services);
  const note: Note = (text, maxChars) => inertNote(log.redact(text), maxChars);
  const seen: ConnectionStep[] = [];
  const failed = await withProgress(
    vscode.l10n.t('Checking connection'),
    (report, cancellation) => {
      const onStep = (step: ConnectionStep): void => {
        const shown = withInertIssuer(step, note);
        seen.push(shown);
        report(stepLine(shown));
      };
      // No event tells of what another tab of a browser has changed.
      const onPhase = () => services.organizations.forgetSignedOutElsewhere();
      // A check carries the token, so a sign-out or another token ends it, here or in another window.
      return sendAs(services, {
        organization,
        operation: 'authorization',
        cancellation,
        send: (target, { signal }) =>
          client.check(target, { signal, onPhase, onStep }, deploymentList.listed[0]?.id),
      });
    },
  );
  if (failed?.kind === 'cancelled') return;
  const judged = failed && store.asSharedFailure(organization.id, failed);
  if (judged?.kind === 'tokenRejected') store.tokenRejected(organization.id, judged);
  else if (!judged || !isConnectionFailure(judged)) store.tokenAccepted(organization.id);
  const failure = judged && withInertTexts(judged, note);
  const steps = failure ? withFailure(seen, failure) : seen;
  const name = note(organizationName(organization));
  // Without a listed deployment one was asked for that does not exist.
  const isMadeUp = deploymentList.listed.length === 0;
  const found: Found = { failure, steps, organization: { ...organization, name }, isMadeUp };
  const diagnosis = diagnosisOf(found);
  const verdict = diagnosis ? wholeSentence(diagnosis) : vscode.l10n.t('Connection OK.');
  // Foreign texts are inert in what is shown, and are what they were in what a button does.
  const usual = judged && remedyAction(failureWords(judged, organization).remedy, organization);
  const action = diagnosis && 'action' in diagnosis ? diagnosis.action : usual;
  const lines = [
    vscode.l10n.t('Connection to {url}', { url: organization.baseUrl }),
    vscode.l10n.t('Organization: {name}', { name }),
    vscode.l10n.t('Checked: {time}', { time: absoluteTime(Date.now()) }),
    '',
    ...steps.map(stepLine),
    '',
    ...verdictLines(found, diagnosis),
    vscode.l10n.t('This text contains no token and no password.'),
  ];
  const text = lines.map((line) => inertPlain(log.redact(line), maxLineChars)).join('\n');
  // Above the verdict if nothing failed. At the start of a line, where VS Code highlights no word.
  const failedStep = steps.find(isFailed);
  const line = lines.indexOf(failedStep ? stepLine(failedStep) : '', 4);
  await readOnlyTexts.show(vscode.l10n.t('Check Connection'), text, line);
  const copy = {
    title: vscode.l10n.t('Copy Text'),
    run: () => vscode.env.clipboard.writeText(text),
  };
  if (diagnosis) showErrorMessage(verdict, [...(action ? [action] : []), copy]);
  else showMessage(verdict, copy);
}

const maxLineChars = 2000;

/**
 * What a check has found. Its foreign texts are inert. `isMadeUp`: the deployment that was asked
 * for.
 */
interface Found {
  readonly failure: Failure | undefined;
  readonly steps: readonly Step[];
  readonly organization: Organization;
  readonly isMadeUp: boolean;
}

/** The reason, who answered, and what to do. */
function verdictLines(found: Found, diagnosis: Diagnosis | undefined): readonly string[] {
  const { failure, steps, organization, isMadeUp } = found;
  const isUnsent = steps.some(({ kind }) => kind === 'notSent');
  const who = whoAnsweredText(pageForUnknownId(found) ? 'unclear' : answererOf(failure, steps));
  const answered = isUnsent ? [] : [who];
  if (diagnosis)
    return [diagnosis.reason, ...answered, ...(diagnosis.step ? [diagnosis.step] : [])];
  const ok = vscode.l10n.t('Connection OK.');
  if (!failure || isMadeUp) return [ok, ...answered];
  // The connection is good, but the deployment that was read on it is denied or gone.
  const { name, means, next = '' } = failureWords(failure, organization);
  return [ok, joinSentences(name, means), ...answered, next];
}

function pageForUnknownId({
  failure,
  isMadeUp,
}: Found): Parameters<typeof pageForUnknownIdWords>[0] | undefined {
  return isMadeUp && failure && isPageForUnknownId(failure) ? failure : undefined;
}

/** Makes a foreign name safe to show: it is redacted before it is cut, and has no link. */
type Note = (text: string, maxChars?: number) => string;

/** Whoever has sent a status has answered, even if nothing more came. */
function answererOf(failure: Failure | undefined, steps: readonly Step[]): Answerer {
  const who = whoAnswered(failure);
  const hasStatus = steps.some((step) => step.kind === 'http' && step.status !== undefined);
  return who === 'nobody' && hasStatus ? 'unclear' : who;
}

/** Whoever answered chose the title of a page, the realm of a challenge, and the target of a redirect. */
function withInertTexts(failure: Failure, note: Note): Failure {
  if (!('foreign' in failure) || failure.foreign === undefined) return failure;
  const texts: readonly [string, string][] = Object.entries(failure.foreign);
  const foreign = Object.fromEntries(
    texts.map(([name, text]) => [name, note(text, 2 * maxForeignChars)]),
  );
  return { ...failure, foreign };
}

/** Whoever answered chose the names in its certificate. */
function withInertIssuer(step: ConnectionStep, note: Note): ConnectionStep {
  if (step.kind !== 'tls' || !step.certificate) return step;
  return { ...step, certificate: { ...step.certificate, issuer: note(step.certificate.issuer) } };
}

/** Of each part of a foreign text. An address has a host and a path. */
const maxForeignChars = 100;

/** `notSent`: the request, in a pause. `until`: epoch ms. */
type Step =
  | (ConnectionStep & { readonly failure?: Failure })
  | { readonly kind: 'notSent'; readonly until: number; readonly failure?: never };

/** The failure is that of the request, unless a step before it says why there was none. */
function withFailure(steps: readonly ConnectionStep[], failure: Failure): readonly Step[] {
  const last = steps.at(-1);
  if (last?.kind === 'http') return [...steps.slice(0, -1), { ...last, failure }];
  if (failure.kind === 'rateLimited') return [...steps, { kind: 'notSent', until: failure.until }];
  return steps.some(causeOf)
    ? steps
    : [...steps, { kind: 'http', viaEditor: false, duration: 0, failure }];
}

function diagnosisOf(found: Found): Diagnosis | undefined {
  const { failure, steps, organization } = found;
  const page = pageForUnknownId(found);
  if (page) return questionOfBaseUrl(page);
  return failure && diagnose(failure, steps, organization);
}

/**
 * What the failure comes to; `undefined` if the connection is good all the same. `action`: its
 * button, if that is not the usual one.
 */
function diagnose(
  failure: Failure,
  steps: readonly Step[],
  organization: Organization,
): Diagnosis | undefined {
  const isAnswered = 'status' in failure || failure.kind === 'invalidHttp';
  if (!isAnswered) return firstFailed(failure, steps, organization);
  if (!isConnectionFailure(failure)) return undefined;
  const { name, means, doubt, next, remedy, sentence } = failureWords(failure, organization);
  const texts = { reason: joinSentences(name, means, doubt), step: next, sentence };
  if ('status' in failure && failure.status === 407)
    return { ...texts, action: settingAction('http.proxy') };
  return { ...texts, ...(isJustDone(remedy) && { action: checkAgain() }) };
}

interface Diagnosis {
  readonly reason: string;
  /** What to do about it. */
  readonly step: string | undefined;
  /** For the message, if it is not the reason and the step. */
  readonly sentence?: string;
  readonly action?: Action | undefined;
}

function wholeSentence({ reason, step, sentence }: Diagnosis): string {
  return sentence ?? joinSentences(reason, step);
}

function questionOfBaseUrl(failure: Parameters<typeof pageForUnknownIdWords>[0]): Diagnosis {
  const { question, reason } = pageForUnknownIdWords(failure);
  return {
    reason: joinSentences(question, reason),
    step: vscode.l10n.t('If the base URL is wrong, sign in with the right one.'),
  };
}

/** Whether the usual button would do what has just been done. */
function isJustDone(remedy: Remedy | undefined): boolean {
  return remedy === 'checkConnection' || remedy === 'refresh';
}

/** A 403 or 404 is about a deployment or the token's rights, so the connection is good, unless a web page came with it. */
function isConnectionFailure(failure: Failure): boolean {
  if (failure.kind !== 'notPermitted' && failure.kind !== 'notFound') return true;
  return failure.doubt !== undefined;
}

function firstFailed(
  failure: Failure,
  steps: readonly Step[],
  organization: Organization,
): Diagnosis {
  const failed = steps.find(isFailed) ?? steps.at(-1)!;
  const cause = causeOf(failed);
  const why = cause ? connectionWord(cause) : failureWords(failure).word;
  const reason = joinSentences(
    vscode.l10n.t('First failed step: {step}.', { step: stepTexts(failed)[0] }),
    vscode.l10n.t('{reason}.', { reason: capitalized(why) }),
  );
  if (!cause) {
    const { next, remedy } = failureWords(failure, organization);
    if (!isJustDone(remedy))
      return { reason, step: next, action: remedyAction(remedy, organization) };
    const step = vscode.l10n.t('Check again. If it happens again, ask your network administrator.');
    return { reason, step, action: checkAgain() };
  }
  const setting = proxySetting(cause);
  const advice = connectionAdvice(cause) ?? generalStepAdvice(cause, organization);
  const step = joinSentences(advice, blamesBaseUrl(cause) ? baseUrlAdvice(organization).next : '');
  return { reason, step, action: setting === undefined ? checkAgain() : settingAction(setting) };
}

/** Where VS Code alone knows the proxy, the advice for a 407 is to set it in `http.proxy`. */
function proxySetting({ source, status }: ConnectionCause): string | undefined {
  if (source === undefined) return status === 407 ? 'http.proxy' : undefined;
  return source.startsWith('http.') ? source : undefined;
}

function checkAgain(): Action {
  return { ...checkConnectionAction, title: vscode.l10n.t('Check Again') };
}

function isFailed(step: Step): boolean {
  return (
    causeOf(step) !== undefined || (step.failure !== undefined && isConnectionFailure(step.failure))
  );
}

function causeOf(step: Step): ConnectionCause | undefined {
  if (step.kind === 'notSent') return undefined;
  if ('cause' in step) return step.cause;
  return step.failure?.kind === 'unreachable' ? step.failure.cause : undefined;
}

function stepLine(step: Step): string {
  const cause = causeOf(step);
  const mark = markOf(step);
  // The status of a proxy's answer stands in the line already.
  const isSaid = step.kind === 'proxy' && cause?.status !== undefined;
  const reason = cause && !isSaid ? connectionWord(cause) : undefined;
  const took =
    'duration' in step
      ? vscode.l10n.t('{time} ms', { time: numberText(Math.round(step.duration)) })
      : undefined;
  const [name, ...found] = stepTexts(step);
  return joinWithDots(`${mark} ${name}`, ...found, reason, took);
}

function markOf(step: Step): string {
  if (isFailed(step)) return '✖';
  if (step.kind === 'route' || step.kind === 'notSent') return '•';
  return step.kind === 'certificates' || step.kind === 'extraCertificates' ? '⚠' : '✔';
}

function extraCertificatesText(problem: ExtraCertificatesProblem): string {
  const variable = extraCertificatesVariable;
  switch (problem.kind) {
    case 'unreadable':
      return vscode.l10n.t(
        'The file in {variable} cannot be read ({code}), so its certificates are not trusted',
        {
          variable,
          code: problem.code,
        },
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
        {
          variable,
        },
      );
  }
}

function stepTexts(step: Step): readonly [string, ...(string | undefined)[]] {
  switch (step.kind) {
    case 'route':
      return [
        vscode.l10n.t('Route: {route}', { route: routeText(step.route) }),
        step.credentials ? vscode.l10n.t('with credentials') : undefined,
        step.mayTryEditor && step.route.kind !== 'editor'
          ? vscode.l10n.t('if that fails, through VS Code')
          : undefined,
      ];
    case 'certificates':
      return [
        vscode.l10n.t(
          'System certificates not readable ({code}); only those of VS Code are trusted',
          {
            code: step.code,
          },
        ),
      ];
    case 'extraCertificates':
      return [extraCertificatesText(step.problem)];
    case 'dns':
      return [
        vscode.l10n.t('DNS lookup of {host}', { host: peerText(step) }),
        listText(step.addresses),
      ];
    case 'tcp':
      return [
        vscode.l10n.t('TCP connection to {host}', { host: peerText(step) }),
        step.address === step.host ? undefined : step.address,
      ];
    case 'tls': {
      const { certificate } = step;
      return [
        vscode.l10n.t('TLS handshake with {host}', { host: peerText(step) }),
        step.protocol,
        certificate && vscode.l10n.t('issued by {issuer}', { issuer: certificate.issuer }),
        certificate &&
          vscode.l10n.t('valid from {from} to {to}', {
            from: absoluteTime(certificate.validFrom),
            to: absoluteTime(certificate.validTo),
          }),
      ];
    }
    case 'proxy':
      return [
        vscode.l10n.t('Tunnel through {host}', { host: peerText({ ...step, role: 'proxy' }) }),
        statusText(step.status ?? step.cause?.status),
      ];
    case 'notSent':
      return [
        vscode.l10n.t('GET {path}', { path: authorizationTemplate }),
        vscode.l10n.t('not sent: paused until {time}', { time: clockTime(step.until) }),
      ];
    case 'http':
      return [
        step.viaEditor
          ? vscode.l10n.t('GET {path} through VS Code', { path: authorizationTemplate })
          : vscode.l10n.t('GET {path}', { path: authorizationTemplate }),
        statusText(step.status),
        ...httpTexts(step),
      ];
  }
}

function httpTexts(step: Extract<Step, { kind: 'http' }>): readonly (string | undefined)[] {
  const { failure } = step;
  const address = failure?.kind === 'redirected' ? failure.foreign?.address : undefined;
  if (address) return [vscode.l10n.t('redirect to {host}, not followed', { host: address })];
  const isPage =
    failure?.kind === 'notFromPlatform' ||
    (failure && 'doubt' in failure && failure.doubt === 'webPage');
  if (isPage) return [webPageText(failure.foreign?.title)];
  const isInvalid = failure?.kind === 'unusable' || failure?.kind === 'invalidHttp';
  const isSaid = causeOf(step) !== undefined || (step.status !== undefined && !isInvalid);
  return failure && !isSaid ? [failureWords(failure).word] : [];
}

function webPageText(title: string | undefined): string {
  return title ? vscode.l10n.t('a web page (“{title}”)', { title }) : vscode.l10n.t('a web page');
}

function peerText({
  role,
  host,
  port,
}: {
  readonly role: PeerRole;
  readonly host: string;
  readonly port?: number;
}) {
  const peer = hostAndPort({ host, port });
  return role === 'proxy' ? vscode.l10n.t('proxy {host}', { host: peer }) : peer;
}

function statusText(status: number | undefined): string | undefined {
  return status === undefined ? undefined : vscode.l10n.t('responded with {status}', { status });
}

function routeText(route: Route): string {
  if (route.kind === 'editor') {
    return vscode.l10n.t('through VS Code ({source} names a SOCKS proxy)', { source: route.from });
  }
  if (route.kind === 'unusable')
    return vscode.l10n.t({ message: 'none', comment: 'Network route' });
  if (route.kind === 'proxy') {
    const words = { proxy: hostAndPort(route), source: route.from };
    return route.tls
      ? vscode.l10n.t('through HTTPS proxy {proxy} ({source})', words)
      : vscode.l10n.t('through proxy {proxy} ({source})', words);
  }
  const reason = {
    loopback: vscode.l10n.t('platform on this machine'),
    proxySupportOff: vscode.l10n.t('http.proxySupport is off'),
    noProxy: vscode.l10n.t('host listed in http.noProxy or NO_PROXY'),
    noProxyNamed: vscode.l10n.t('no proxy configured'),
  }[route.why];
  return vscode.l10n.t('direct ({reason})', { reason });
}
