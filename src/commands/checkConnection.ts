import * as vscode from 'vscode';
import { authorizationTemplate } from '../api/authorization.js';
import type { ConnectionCause, Failure } from '../api/failure.js';
import type { ConnectionStep } from '../api/network/check.js';
import type { Whose } from '../api/network/open.js';
import { type Action, checkConnectionAction, remedyAction, settingAction, UserError } from '../host/actions.js';
import { showErrorMessage, showMessage, withProgress } from '../host/messages.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { connectionWord, isUnsendable, proxyAdvice } from '../host/text/connection.js';
import { failureWords } from '../host/text/failure.js';
import { absoluteTime, heading, listText, numberText, parts, sentences } from '../host/text/format.js';
import { organizationName } from '../host/text/organization.js';
import { visibleControls } from '../model/inertText.js';
import { currentOrganization } from './organizations/currentOrganization.js';
import { sendAs } from './sendAs.js';

/** What happens on the way to the current organization's base URL, step by step, as a text to read and to copy. */
export async function checkConnection(services: Services): Promise<void> {
  const { deploymentList, log, readOnlyText } = services;
  const organization = await currentOrganization(services);
  const name = organizationName(organization);
  const steps: ConnectionStep[] = [];
  const done = await withProgress(vscode.l10n.t('Checking connection'), async (report, cancellation) => {
    // A check carries the token, so it ends when somebody signs out or replaces the token, here or in another window.
    const checked = await sendAs(services, organization, 'authorization', cancellation, async (target, { signal }) => {
      await services.checkConnection(target, signal, deploymentList.listed[0]?.id, (step) => {
        steps.push(step);
        report(stepLine(step));
      });
      return steps;
    });
    if (!checked) {
      throw new UserError(
        vscode.l10n.t('The check was stopped, because the sign-in to “{name}” has changed. Check again.', { name }),
        [checkConnectionAction],
      );
    }
    return !cancellation.isCancellationRequested;
  });
  if (!done) return;
  const trouble = troubleOf(steps, organization);
  const verdict = trouble?.sentence ?? vscode.l10n.t('Connection OK.');
  const lines = [
    vscode.l10n.t('Connection to {url}', { url: organization.baseUrl }),
    vscode.l10n.t('Organization: {name}', { name }),
    vscode.l10n.t('Checked: {time}', { time: absoluteTime(Date.now()) }),
    '',
    ...steps.map(stepLine),
    '',
    verdict,
    vscode.l10n.t('This text contains no token and no password.'),
  ];
  // Certificates and hosts are other people's text: control characters in it are made visible, line by line.
  const text = lines.map((line) => visibleControls(log.redact(line))).join('\n');
  await readOnlyText.show(vscode.l10n.t('Check Connection'), text);
  const copy = { title: vscode.l10n.t('Copy Text'), run: () => vscode.env.clipboard.writeText(text) };
  if (trouble) showErrorMessage(verdict, [...(trouble.action ? [trouble.action] : []), copy]);
  else showMessage(verdict, copy);
}

/** `action`: what helps. */
interface Trouble {
  readonly sentence: string;
  readonly action: Action | undefined;
}

/** What the steps come to; `undefined` if all is well. */
function troubleOf(steps: readonly ConnectionStep[], organization: Organization): Trouble | undefined {
  const requests = steps.filter((step) => step.kind === 'http');
  const answered = requests.find(({ status }) => status !== undefined);
  if (answered?.status === 407) {
    const advice = proxyAdvice({ step: 'proxy', code: '', host: '', status: answered.status });
    const sentence = sentences(vscode.l10n.t('Proxy authentication required (407).'), advice);
    return { sentence, action: settingAction('http.proxy') };
  }
  const failure = answered
    ? statusFailure(answered)
    : requests.find((step) => step.failure?.kind === 'rateLimited')?.failure;
  if (failure) {
    const { sentence, remedy } = failureWords(failure, organization);
    return { sentence, action: failure.kind === 'serverError' ? checkAgain() : remedyAction(remedy, organization) };
  }
  return answered ? undefined : firstFailed(steps, organization);
}

/** What a status says about the token or the base URL; 403 and 404 are about a deployment, so the connection is good. */
function statusFailure({ status = 0, redirectedTo }: Of<'http'>): Failure | undefined {
  if (status === 401) return { kind: 'tokenRejected', status };
  if (status >= 300 && status < 400) return { kind: 'redirected', status, host: redirectedTo };
  return status >= 500 ? { kind: 'serverError', status } : undefined;
}

function firstFailed(steps: readonly ConnectionStep[], organization: Organization): Trouble {
  const failed = steps.find(isFailed) ?? steps.at(-1)!;
  const cause = causeOf(failed);
  const failure = failed.kind === 'http' ? failed.failure : undefined;
  const reason = cause ? connectionWord(cause) : failure && failureWords(failure).word;
  const sentence = sentences(
    vscode.l10n.t('First failed step: {step}.', { step: stepTexts(failed)[0] }),
    reason && vscode.l10n.t('{reason}.', { reason: heading(reason) }),
    cause && proxyAdvice(cause),
  );
  if (failure && (!cause || isUnsendable(cause))) {
    return { sentence, action: remedyAction(failureWords(failure, organization).remedy, organization) };
  }
  const ofSetting = cause?.step === 'proxy' && (cause.source ?? 'http.proxy') === 'http.proxy';
  return { sentence, action: ofSetting ? settingAction('http.proxy') : checkAgain() };
}

function checkAgain(): Action {
  return { ...checkConnectionAction, title: vscode.l10n.t('Check Again') };
}

function isFailed(step: ConnectionStep): boolean {
  if (causeOf(step) !== undefined) return true;
  return (
    step.kind === 'http' && (step.status === undefined || step.status === 407 || statusFailure(step) !== undefined)
  );
}

function causeOf(step: ConnectionStep): ConnectionCause | undefined {
  if (step.kind === 'http') return step.failure?.kind === 'unreachable' ? step.failure.cause : undefined;
  if (step.kind !== 'route') return 'cause' in step ? step.cause : undefined;
  if (step.route !== 'unusable') return undefined;
  return { step: 'proxy', code: 'ERR_INVALID_URL', host: '', source: step.from ?? '' };
}

type Of<K extends ConnectionStep['kind']> = Extract<ConnectionStep, { kind: K }>;

/** What was done, what came of it, and how long it took. */
function stepLine(step: ConnectionStep): string {
  const cause = causeOf(step);
  const mark = isFailed(step) ? '✖' : step.kind === 'route' ? '•' : step.kind === 'certificates' ? '⚠' : '✔';
  const reason = cause && connectionWord(cause);
  const took =
    step.kind === 'route' ? undefined : vscode.l10n.t('{time} ms', { time: numberText(Math.round(step.duration)) });
  const [name, ...found] = stepTexts(step);
  return parts(`${mark} ${name}`, ...found, reason, took);
}

function stepTexts(step: ConnectionStep): readonly [string, ...(string | undefined)[]] {
  switch (step.kind) {
    case 'route':
      return [
        vscode.l10n.t('Route: {route}', { route: routeText(step) }),
        step.credentials ? vscode.l10n.t('with credentials') : undefined,
        step.mayTryEditor && step.route !== 'editor' ? vscode.l10n.t('if that fails, through VS Code') : undefined,
      ];
    case 'certificates':
      return [
        step.trouble.kind === 'late'
          ? vscode.l10n.t('System certificates not read in time; only those of VS Code are trusted')
          : vscode.l10n.t('System certificates not readable ({code}); only those of VS Code are trusted', step.trouble),
      ];
    case 'dns':
      return [vscode.l10n.t('DNS lookup of {host}', { host: peerText(step) }), listText(step.addresses)];
    case 'tcp':
      return [
        vscode.l10n.t('TCP connection to {host}', { host: peerText(step) }),
        step.address === step.host ? undefined : step.address,
      ];
    case 'tls':
      return [
        vscode.l10n.t('TLS handshake with {host}', { host: peerText(step) }),
        step.protocol,
        ...certificateTexts(step),
      ];
    case 'proxy':
      return [
        vscode.l10n.t('Tunnel through {host}', { host: peerText({ ...step, whose: 'proxy' }) }),
        statusText(step.status ?? step.cause?.status),
      ];
    case 'http':
      return [
        step.via === 'editor'
          ? vscode.l10n.t('GET {path} through VS Code', { path: authorizationTemplate })
          : vscode.l10n.t('GET {path}', { path: authorizationTemplate }),
        statusText(step.status) ?? (step.failure && failureWords(step.failure).word),
        step.redirectedTo === undefined
          ? undefined
          : vscode.l10n.t('redirect to {host}, not followed', { host: step.redirectedTo }),
      ];
  }
}

function peerText({ whose, host, port }: { readonly whose: Whose; readonly host: string; readonly port?: number }) {
  const peer = port === undefined ? host : `${host}:${port}`;
  return whose === 'proxy' ? vscode.l10n.t('proxy {host}', { host: peer }) : peer;
}

function statusText(status: number | undefined): string | undefined {
  return status === undefined ? undefined : vscode.l10n.t('response {status}', { status });
}

function routeText({ route, why = 'noProxyNamed', from, proxy }: Of<'route'>): string {
  const source = from ?? '';
  if (route === 'editor') return vscode.l10n.t('through VS Code ({source} names a SOCKS proxy)', { source });
  if (route === 'unusable') return vscode.l10n.t('none');
  if (route === 'proxy' && proxy) {
    const address = `${proxy.tls ? 'https' : 'http'}://${proxy.host}:${proxy.port}`;
    return vscode.l10n.t('through proxy {proxy} ({source})', { proxy: address, source });
  }
  const reason = {
    loopback: vscode.l10n.t('service on this machine'),
    proxySupportOff: vscode.l10n.t('http.proxySupport is off'),
    noProxy: vscode.l10n.t('host listed in http.noProxy or NO_PROXY'),
    noProxyNamed: vscode.l10n.t('no proxy configured'),
  }[why];
  return vscode.l10n.t('direct ({reason})', { reason });
}

function certificateTexts({ certificate, trustedBy }: Of<'tls'>): readonly (string | undefined)[] {
  if (!certificate) return [];
  const { issuer, validFrom, validTo } = certificate;
  return [
    vscode.l10n.t('issued by {issuer}', { issuer }),
    vscode.l10n.t('valid from {from} to {to}', { from: absoluteTime(validFrom), to: absoluteTime(validTo) }),
    trustedBy &&
      {
        bundled: vscode.l10n.t('trusted by VS Code'),
        system: vscode.l10n.t('trusted by the system'),
        extra: vscode.l10n.t('trusted through NODE_EXTRA_CA_CERTS'),
      }[trustedBy],
  ];
}

const scheme = 'automation-platform-text';

/** Shows a text to read and copy in an editor, where keyboards and screen readers reach it; there is no file, and nothing to save. */
export class ReadOnlyText implements vscode.Disposable {
  private text: string | undefined;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: this.changed.event,
    provideTextDocumentContent: () => this.text,
  });

  /** `title`: the name on its tab. A text replaces the one before it. */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', '-')}` });
    this.text = text;
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.provider.dispose();
    this.changed.dispose();
  }
}
