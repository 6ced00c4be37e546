import * as vscode from 'vscode';
import type { ConnectionStep } from '../api/network/check.js';
import type { Whose } from '../api/network/open.js';
import { UserError } from '../host/actions.js';
import { showErrors } from '../host/errors.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { connectionWord } from '../host/text/connection.js';
import { failureWord } from '../host/text/failure.js';
import { absoluteTime, clockTime, listText, numberText, parts } from '../host/text/format.js';
import { organizationName } from '../host/text/organization.js';
import { inertNotification, visibleControls } from '../model/inertText.js';
import { isSameTarget, waitingSignal } from './meant.js';
import { currentOrganization } from './organizations/switchOrganization.js';

/** What happens on the way to the current organization's base URL, step by step, as a text to read and to copy. */
export async function checkConnection(services: Services): Promise<void> {
  const { organizations, deploymentList, readOnlyText } = services;
  const organization = await currentOrganization(services);
  const target = organizations.target(organization.id, 'access');
  if (!target) {
    throw new UserError(vscode.l10n.t('This organization is signed out. Choose another one or sign in again.'));
  }

  const steps: ConnectionStep[] = [];
  const done = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Checking the connection'),
      cancellable: true,
    },
    async (progress, cancellation) => {
      // A check carries the token, so it ends when somebody signs out or replaces the token, here or in another window.
      const waiting = waitingSignal(cancellation, organizations.onDidChange, () =>
        isSameTarget(target, organizations.target(organization.id, 'access')),
      );
      try {
        await services.checkConnection(target, waiting.signal, deploymentList.listed[0]?.id, (step) => {
          steps.push(step);
          progress.report({ message: inertNotification(stepLine(step)) });
        });
      } finally {
        waiting.dispose();
      }
      if (waiting.changed) throw tokenChanged(organization);
      return !cancellation.isCancellationRequested;
    },
  );
  if (!done) return;
  const text = visibleText(services, organization, steps);
  await readOnlyText.show(vscode.l10n.t('Check Connection'), text);
  // Nobody waits for the answer.
  void showErrors(services.log, offerCopy)(verdictOf(steps), text);
}

function tokenChanged(organization: Organization): UserError {
  return new UserError(
    vscode.l10n.t('The check has ended, because “{name}” was signed out or got another token. Check again.', {
      name: organizationName(organization),
    }),
  );
}

/** Certificates and hosts are other people's text: control characters in it are made visible, line by line. */
function visibleText({ log }: Services, organization: Organization, steps: readonly ConnectionStep[]): string {
  const lines = [
    vscode.l10n.t('Connection to {url}', { url: organization.baseUrl }),
    vscode.l10n.t('Organization: {name}', { name: organizationName(organization) }),
    vscode.l10n.t('Checked: {time}', { time: absoluteTime(Date.now()) }),
    '',
    ...steps.map(stepLine),
    '',
    verdictOf(steps),
    vscode.l10n.t('No token and no password is in this text.'),
  ];
  return lines.map((line) => visibleControls(log.redact(line))).join('\n');
}

async function offerCopy(verdict: string, text: string): Promise<void> {
  const copy = vscode.l10n.t('Copy Text');
  const chosen = await vscode.window.showInformationMessage(inertNotification(verdict, 1500), copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(text);
}

/** What the steps come to, with the next step. */
function verdictOf(steps: readonly ConnectionStep[]): string {
  const answers = steps.filter((step) => step.kind === 'http');
  const status = answers.find((step) => step.status !== undefined)?.status;
  if (status === undefined) {
    const paused = answers.find((step) => step.failure?.kind === 'rateLimited')?.failure;
    if (paused?.kind === 'rateLimited') {
      return vscode.l10n.t('429: The service limits the rate, so no request was sent. Check again after {time}.', {
        time: clockTime(paused.until),
      });
    }
    const failed = steps.find((step) => 'cause' in step && step.cause !== undefined) ?? answers.at(-1);
    return failed
      ? vscode.l10n.t('The service was not reached. Look at the first step with a cross: {step}', {
          step: stepLine(failed),
        })
      : vscode.l10n.t('The service was not reached.');
  }
  if (status === 401) {
    return vscode.l10n.t('401: The service is reached, and probably rejects the token. Sign in again with a new one.');
  }
  if (status >= 300 && status < 400) {
    return vscode.l10n.t('{status}: Something answers with a redirect, which is never followed. Check the base URL.', {
      status,
    });
  }
  if (status >= 500) {
    return vscode.l10n.t('{status}: The service is reached, and has trouble of its own. Try again later.', { status });
  }
  return vscode.l10n.t('{status}: The service is reached. The way to it works.', { status });
}

type Of<K extends ConnectionStep['kind']> = Extract<ConnectionStep, { kind: K }>;

/** One step on the way to the service as one line of text: what, what came of it, how long it took. */
function stepLine(step: ConnectionStep): string {
  if (step.kind === 'route') return `${step.route === 'unusable' ? '✖' : '•'} ${routeText(step)}`;
  const cause = 'cause' in step ? step.cause : undefined;
  const failed =
    cause !== undefined || step.kind === 'certificates' || (step.kind === 'http' && step.status === undefined);
  const [what, ...found] = stepTexts(step);
  const took = vscode.l10n.t('{time} ms', { time: numberText(Math.round(step.duration)) });
  return parts(`${failed ? '✖' : '✔'} ${what}`, ...found, cause && connectionWord(cause), took);
}

/** What was done, and what was found. */
function stepTexts(step: Exclude<ConnectionStep, Of<'route'>>): readonly [string, ...(string | undefined)[]] {
  switch (step.kind) {
    case 'certificates':
      return [certificatesText(step.trouble)];
    case 'dns': {
      const values = { whose: whoseWord(step.whose), host: step.host };
      return [vscode.l10n.t('Name of {whose}: {host}', values), listText(step.addresses)];
    }
    case 'tcp': {
      const values = { whose: whoseWord(step.whose), host: `${step.host}:${step.port}` };
      return [vscode.l10n.t('Connection to {whose}: {host}', values), step.address];
    }
    case 'tls': {
      const values = { whose: whoseWord(step.whose), host: step.host };
      return [vscode.l10n.t('Encryption with {whose}: {host}', values), step.protocol, ...certificateTexts(step)];
    }
    case 'proxy':
      return [vscode.l10n.t('Proxy: {host}', { host: `${step.host}:${step.port}` }), statusText(step.status)];
    case 'http':
      return [
        step.via === 'editor'
          ? vscode.l10n.t('Request through the editor: GET {path}', { path: step.template })
          : vscode.l10n.t('Request: GET {path}', { path: step.template }),
        statusText(step.status) ?? (step.failure && failureWord(step.failure)),
        step.redirectedTo === undefined
          ? undefined
          : vscode.l10n.t('redirected to {host}, not followed', { host: step.redirectedTo }),
      ];
  }
}

function whoseWord(whose: Whose): string {
  return whose === 'proxy' ? vscode.l10n.t('the proxy') : vscode.l10n.t('the service');
}

function statusText(status: number | undefined): string | undefined {
  return status === undefined ? undefined : vscode.l10n.t('answered {status}', { status });
}

function routeText(step: Of<'route'>): string {
  if (!step.mayTryEditor || step.route === 'editor') return wayText(step);
  return parts(wayText(step), vscode.l10n.t('if no connection can be made, once more through the editor'));
}

function wayText({ route, why, from, proxy, credentials }: Of<'route'>): string {
  const source = from ?? '';
  if (route === 'editor') {
    return vscode.l10n.t('Route: through the editor, because {source} names a SOCKS proxy', { source });
  }
  if (route === 'unusable') {
    return vscode.l10n.t('Route: none, because {source} holds no usable proxy address. Correct it.', { source });
  }
  if (route === 'direct' || !proxy)
    return vscode.l10n.t('Route: direct, because {reason}', { reason: directReason(why) });
  const address = `${proxy.tls ? 'https' : 'http'}://${proxy.host}:${proxy.port}`;
  return parts(
    vscode.l10n.t('Route: through the proxy {proxy}, named by {source}', { proxy: address, source }),
    credentials ? vscode.l10n.t('with credentials') : undefined,
  );
}

function directReason(why: Of<'route'>['why']): string {
  switch (why) {
    case 'loopback':
      return vscode.l10n.t('the service is on this machine');
    case 'proxySupportOff':
      return vscode.l10n.t('http.proxySupport is off');
    case 'noProxy':
      return vscode.l10n.t('http.noProxy or NO_PROXY exempts the host');
    case 'noProxyNamed':
    case undefined:
      return vscode.l10n.t('no setting or variable names a proxy');
  }
}

function certificatesText(trouble: Of<'certificates'>['trouble']): string {
  return trouble.kind === 'late'
    ? vscode.l10n.t('Certificates of this machine: not read in time, so only those that VS Code carries are trusted')
    : vscode.l10n.t(
        'Certificates of this machine: not readable ({code}), so only those that VS Code carries are trusted',
        { code: trouble.code },
      );
}

function certificateTexts({ certificate, trustedBy }: Of<'tls'>): (string | undefined)[] {
  if (!certificate) return [];
  return [
    vscode.l10n.t('issued by {issuer}', { issuer: certificate.issuer }),
    vscode.l10n.t('valid from {from} to {to}', {
      from: absoluteTime(certificate.validFrom),
      to: absoluteTime(certificate.validTo),
    }),
    trustedBy && trustWord(trustedBy),
  ];
}

function trustWord(store: NonNullable<Of<'tls'>['trustedBy']>): string {
  switch (store) {
    case 'bundled':
      return vscode.l10n.t('trusted by the certificates that VS Code carries');
    case 'system':
      return vscode.l10n.t('trusted by the certificates of this machine');
    case 'extra':
      return vscode.l10n.t('trusted by the certificates in NODE_EXTRA_CA_CERTS');
  }
}

const scheme = 'automation-platform-text';

/** Shows a text to read and copy in an editor, where keyboards and screen readers reach it; there is no file, and nothing to save. */
export class ReadOnlyText implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: this.changed.event,
    provideTextDocumentContent: (uri) => this.texts.get(uri.path),
  });

  /** `title`: the name on its tab. Showing the same title again replaces the text. */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', '-')}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.provider.dispose();
    this.changed.dispose();
  }
}
