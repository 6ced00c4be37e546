import { l10n } from 'vscode';
import type { ConnectionStep } from '../../api/network/check.js';
import type { Whose } from '../../api/network/open.js';
import { connectionWord, failureWord } from './failure.js';
import { absoluteTime, clockTime, listText, numberText, parts } from './format.js';

type Of<K extends ConnectionStep['kind']> = Extract<ConnectionStep, { kind: K }>;

/** One step on the way to the service as one line of text: what, what came of it, how long it took. */
export function connectionStepLine(step: ConnectionStep): string {
  switch (step.kind) {
    case 'route':
      return routeLine(step);
    case 'certificates':
      return certificatesLine(step);
    case 'dns':
      return line(
        step,
        l10n.t('Name of {whose}: {host}', { whose: whoseWord(step.whose), host: step.host }),
        listText(step.addresses),
      );
    case 'tcp':
      return line(
        step,
        l10n.t('Connection to {whose}: {host}', { whose: whoseWord(step.whose), host: `${step.host}:${step.port}` }),
        step.address,
      );
    case 'tls':
      return line(
        step,
        l10n.t('Encryption with {whose}: {host}', { whose: whoseWord(step.whose), host: step.host }),
        parts(step.protocol, ...certificateParts(step)),
      );
    case 'proxy':
      return line(
        step,
        l10n.t('Proxy: {host}', { host: `${step.host}:${step.port}` }),
        step.status === undefined ? undefined : l10n.t('answered {status}', { status: step.status }),
      );
    case 'http':
      return httpLine(step);
  }
}

/** What the steps come to, with the next step. */
export function connectionVerdict(steps: readonly ConnectionStep[]): string {
  const answers = steps.filter((step) => step.kind === 'http');
  const status = answers.find((step) => step.status !== undefined)?.status;
  if (status === undefined) {
    const paused = answers.find((step) => step.failure?.kind === 'rateLimited')?.failure;
    if (paused?.kind === 'rateLimited') {
      return l10n.t('429: The service limits the rate, so no request was sent. Check again after {time}.', {
        time: clockTime(paused.until),
      });
    }
    const failed = steps.find((step) => 'cause' in step && step.cause !== undefined) ?? answers.at(-1);
    return failed
      ? l10n.t('The service was not reached. Look at the first step with a cross: {step}', {
          step: connectionStepLine(failed),
        })
      : l10n.t('The service was not reached.');
  }
  if (status === 401) {
    return l10n.t('401: The service is reached, and probably rejects the token. Sign in again with a new one.');
  }
  if (status >= 300 && status < 400) {
    return l10n.t('{status}: Something answers with a redirect, which is never followed. Check the base URL.', {
      status,
    });
  }
  if (status >= 500)
    return l10n.t('{status}: The service is reached, and has trouble of its own. Try again later.', { status });
  return l10n.t('{status}: The service is reached. The way to it works.', { status });
}

function whoseWord(whose: Whose): string {
  return whose === 'proxy' ? l10n.t('the proxy') : l10n.t('the service');
}

function routeLine({ route, why, from, proxy, credentials, mayTryEditor }: Of<'route'>): string {
  const way =
    route === 'proxy' && proxy
      ? parts(
          l10n.t('Route: through the proxy {proxy}, named by {source}', {
            proxy: `${proxy.tls ? 'https' : 'http'}://${proxy.host}:${proxy.port}`,
            source: from ?? '',
          }),
          credentials ? l10n.t('with credentials') : undefined,
        )
      : route === 'editor'
        ? l10n.t('Route: through the editor, because {source} names a SOCKS proxy', { source: from ?? '' })
        : route === 'unusable'
          ? l10n.t('Route: none, because {source} holds no usable proxy address. Correct it.', { source: from ?? '' })
          : l10n.t('Route: direct, because {reason}', { reason: directReason(why) });
  return `${route === 'unusable' ? '✖' : '•'} ${parts(
    way,
    mayTryEditor && route !== 'editor'
      ? l10n.t('if no connection can be made, once more through the editor')
      : undefined,
  )}`;
}

function directReason(why: Of<'route'>['why']): string {
  switch (why) {
    case 'loopback':
      return l10n.t('the service is on this machine');
    case 'proxySupportOff':
      return l10n.t('http.proxySupport is off');
    case 'noProxy':
      return l10n.t('http.noProxy or NO_PROXY exempts the host');
    case 'noProxyNamed':
    case undefined:
      return l10n.t('no setting or variable names a proxy');
  }
}

function certificatesLine({ trouble, duration }: Of<'certificates'>): string {
  const what =
    trouble.kind === 'late'
      ? l10n.t('Certificates of this machine: not read in time, so only those that VS Code carries are trusted')
      : l10n.t('Certificates of this machine: not readable ({code}), so only those that VS Code carries are trusted', {
          code: trouble.code,
        });
  return parts(`✖ ${what}`, milliseconds(duration));
}

function certificateParts({ certificate, trustedBy }: Of<'tls'>): (string | undefined)[] {
  if (!certificate) return [];
  return [
    l10n.t('issued by {issuer}', { issuer: certificate.issuer }),
    l10n.t('valid from {from} to {to}', {
      from: absoluteTime(certificate.validFrom),
      to: absoluteTime(certificate.validTo),
    }),
    trustedBy && trustWord(trustedBy),
  ];
}

function trustWord(store: NonNullable<Of<'tls'>['trustedBy']>): string {
  switch (store) {
    case 'bundled':
      return l10n.t('trusted by the certificates that VS Code carries');
    case 'system':
      return l10n.t('trusted by the certificates of this machine');
    case 'extra':
      return l10n.t('trusted by the certificates in NODE_EXTRA_CA_CERTS');
  }
}

function httpLine({ via, template, status, redirectedTo, failure, duration }: Of<'http'>): string {
  const ok = status !== undefined;
  return parts(
    `${ok ? '✔' : '✖'} ${via === 'editor' ? l10n.t('Request through the editor: GET {path}', { path: template }) : l10n.t('Request: GET {path}', { path: template })}`,
    ok ? l10n.t('answered {status}', { status }) : failure && failureWord(failure),
    redirectedTo === undefined ? undefined : l10n.t('redirected to {host}, not followed', { host: redirectedTo }),
    milliseconds(duration),
  );
}

function line(
  { cause, duration }: Pick<Of<'dns'>, 'cause' | 'duration'>,
  what: string,
  found: string | undefined,
): string {
  return parts(`${cause ? '✖' : '✔'} ${what}`, found, cause && connectionWord(cause), milliseconds(duration));
}

function milliseconds(duration: number): string {
  return l10n.t('{time} ms', { time: numberText(Math.round(duration)) });
}
