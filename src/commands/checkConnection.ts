import * as vscode from 'vscode';
import type { Client } from '../api/client.js';
import { type ConnectionStep, check } from '../api/network/check.js';
import type { Whose } from '../api/network/open.js';
import type { KnownSecrets } from '../api/secrets.js';
import { UserError } from '../host/actions.js';
import { showErrors } from '../host/errors.js';
import type { Network } from '../host/network.js';
import type { Organization } from '../host/organizations/organization.js';
import type { ConnectionCheck, Services } from '../host/services.js';
import type { Settings } from '../host/settings.js';
import { connectionWord } from '../host/text/connection.js';
import { failureWord } from '../host/text/failure.js';
import { absoluteTime, clockTime, listText, numberText, parts } from '../host/text/format.js';
import { organizationName } from '../host/text/organization.js';
import { inertNotification, visibleControls } from '../model/inertText.js';
import { isSameTarget, signalOf } from './meant.js';
import { currentOrganization } from './organizations/switchOrganization.js';

export function createConnectionCheck(
  network: Pick<Network, 'route' | 'editorFetch'>,
  settings: Pick<Settings, 'requestTimeout'>,
  secrets: KnownSecrets,
  client: Pick<Client, 'pausedUntil'>,
): ConnectionCheck {
  return (target, signal, deploymentId, tell) => {
    const options = {
      settings: network.route,
      editorFetch: network.editorFetch,
      timeout: settings.requestTimeout,
      signal,
      secrets,
      pausedUntil: (organizationId: string) => client.pausedUntil(organizationId),
      ...(deploymentId !== undefined && { deploymentId }),
    };
    return check(target, options, tell);
  };
}

type Of<K extends ConnectionStep['kind']> = Extract<ConnectionStep, { kind: K }>;

/** One step on the way to the service as one line of text: what, what came of it, how long it took. */
function connectionStepLine(step: ConnectionStep): string {
  switch (step.kind) {
    case 'route':
      return routeLine(step);
    case 'certificates':
      return certificatesLine(step);
    case 'dns':
      return stepLine(
        step,
        vscode.l10n.t('Name of {whose}: {host}', { whose: whoseWord(step.whose), host: step.host }),
        listText(step.addresses),
      );
    case 'tcp':
      return stepLine(
        step,
        vscode.l10n.t('Connection to {whose}: {host}', {
          whose: whoseWord(step.whose),
          host: `${step.host}:${step.port}`,
        }),
        step.address,
      );
    case 'tls':
      return stepLine(
        step,
        vscode.l10n.t('Encryption with {whose}: {host}', { whose: whoseWord(step.whose), host: step.host }),
        parts(step.protocol, ...certificateParts(step)),
      );
    case 'proxy':
      return stepLine(
        step,
        vscode.l10n.t('Proxy: {host}', { host: `${step.host}:${step.port}` }),
        step.status === undefined ? undefined : vscode.l10n.t('answered {status}', { status: step.status }),
      );
    case 'http':
      return httpLine(step);
  }
}

/** What the steps come to, with the next step. */
function connectionVerdict(steps: readonly ConnectionStep[]): string {
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
          step: connectionStepLine(failed),
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
  if (status >= 500)
    return vscode.l10n.t('{status}: The service is reached, and has trouble of its own. Try again later.', { status });
  return vscode.l10n.t('{status}: The service is reached. The way to it works.', { status });
}

function whoseWord(whose: Whose): string {
  return whose === 'proxy' ? vscode.l10n.t('the proxy') : vscode.l10n.t('the service');
}

function routeLine({ route, why, from, proxy, credentials, mayTryEditor }: Of<'route'>): string {
  const way =
    route === 'proxy' && proxy
      ? parts(
          vscode.l10n.t('Route: through the proxy {proxy}, named by {source}', {
            proxy: `${proxy.tls ? 'https' : 'http'}://${proxy.host}:${proxy.port}`,
            source: from ?? '',
          }),
          credentials ? vscode.l10n.t('with credentials') : undefined,
        )
      : route === 'editor'
        ? vscode.l10n.t('Route: through the editor, because {source} names a SOCKS proxy', { source: from ?? '' })
        : route === 'unusable'
          ? vscode.l10n.t('Route: none, because {source} holds no usable proxy address. Correct it.', {
              source: from ?? '',
            })
          : vscode.l10n.t('Route: direct, because {reason}', { reason: directReason(why) });
  return `${route === 'unusable' ? '✖' : '•'} ${parts(
    way,
    mayTryEditor && route !== 'editor'
      ? vscode.l10n.t('if no connection can be made, once more through the editor')
      : undefined,
  )}`;
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

function certificatesLine({ trouble, duration }: Of<'certificates'>): string {
  const what =
    trouble.kind === 'late'
      ? vscode.l10n.t('Certificates of this machine: not read in time, so only those that VS Code carries are trusted')
      : vscode.l10n.t(
          'Certificates of this machine: not readable ({code}), so only those that VS Code carries are trusted',
          {
            code: trouble.code,
          },
        );
  return parts(`✖ ${what}`, milliseconds(duration));
}

function certificateParts({ certificate, trustedBy }: Of<'tls'>): (string | undefined)[] {
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

function httpLine({ via, template, status, redirectedTo, failure, duration }: Of<'http'>): string {
  const ok = status !== undefined;
  return parts(
    `${ok ? '✔' : '✖'} ${via === 'editor' ? vscode.l10n.t('Request through the editor: GET {path}', { path: template }) : vscode.l10n.t('Request: GET {path}', { path: template })}`,
    ok ? vscode.l10n.t('answered {status}', { status }) : failure && failureWord(failure),
    redirectedTo === undefined
      ? undefined
      : vscode.l10n.t('redirected to {host}, not followed', { host: redirectedTo }),
    milliseconds(duration),
  );
}

function stepLine(
  { cause, duration }: Pick<Of<'dns'>, 'cause' | 'duration'>,
  what: string,
  found: string | undefined,
): string {
  return parts(`${cause ? '✖' : '✔'} ${what}`, found, cause && connectionWord(cause), milliseconds(duration));
}

function milliseconds(duration: number): string {
  return vscode.l10n.t('{time} ms', { time: numberText(Math.round(duration)) });
}

const scheme = 'automation-platform-text';

/** Shows a text to read and copy: no file, nothing to save, reached with the keyboard and a screen reader like any editor. */
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

/** What happens on the way to the current organization's base URL, step by step, as a text to read and to copy. */
export async function checkConnection(services: Services): Promise<void> {
  const { organizations, deploymentList, readOnlyText } = services;
  const organization = await currentOrganization(services);
  const target = organizations.target(organization.id, 'access');
  if (!target)
    throw new UserError(vscode.l10n.t('This organization is signed out. Choose another one or sign in again.'));

  // What carries a token ends with it: the check may stand at a slow step while somebody signs out, here or in another window.
  const change = new AbortController();
  const listener = organizations.onDidChange(() => {
    if (!isSameTarget(target, organizations.target(organization.id, 'access'))) change.abort();
  });
  const steps: ConnectionStep[] = [];
  const checking = vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Checking the connection'),
      cancellable: true,
    },
    async (progress, cancellation) => {
      const id = deploymentList.listed[0]?.id;
      const signal = AbortSignal.any([signalOf(cancellation), change.signal]);
      await services.checkConnection(target, signal, id, (step) => {
        steps.push(step);
        progress.report({ message: inertNotification(connectionStepLine(step)) });
      });
      return cancellation.isCancellationRequested;
    },
  );
  const cancelled = await Promise.resolve(checking).finally(() => listener.dispose());
  if (change.signal.aborted) {
    throw new UserError(
      vscode.l10n.t('The check has ended, because “{name}” was signed out or got another token. Check again.', {
        name: organizationName(organization),
      }),
    );
  }
  if (cancelled) return;
  const text = visibleText(services, organization, steps);
  await readOnlyText.show(vscode.l10n.t('Check Connection'), text);
  // Nobody waits for the answer.
  void showErrors(services.log, offerCopy)(connectionVerdict(steps), text);
}

/** Certificates and hosts are other people's text: control characters in it are made visible, line by line. */
function visibleText({ log }: Services, organization: Organization, steps: readonly ConnectionStep[]): string {
  const lines = [
    vscode.l10n.t('Connection to {url}', { url: organization.baseUrl }),
    vscode.l10n.t('Organization: {name}', { name: organizationName(organization) }),
    vscode.l10n.t('Checked: {time}', { time: absoluteTime(Date.now()) }),
    '',
    ...steps.map(connectionStepLine),
    '',
    connectionVerdict(steps),
    vscode.l10n.t('No token and no password is in this text.'),
  ];
  return lines.map((line) => visibleControls(log.redact(line))).join('\n');
}

async function offerCopy(verdict: string, text: string): Promise<void> {
  const copy = vscode.l10n.t('Copy Text');
  const chosen = await vscode.window.showInformationMessage(inertNotification(verdict, 1500), copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(text);
}
