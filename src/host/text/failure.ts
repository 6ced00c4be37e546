import { l10n } from 'vscode';
import type { ConnectionCause, Failure } from '../../api/failure.js';
import {
  type Action,
  checkConnectionAction,
  lookUpInstallAction,
  refreshAction,
  setSessionTokenAction,
  settingAction,
  showLogAction,
  signInAction,
  switchOrganizationAction,
} from '../actions.js';
import { settingKeys } from '../ids.js';
import type { Organization } from '../organizations/organization.js';
import { clockTime, secondsText, sentences, shorten } from './format.js';
import { hostOf } from './organization.js';

/** What the failed request was about. */
export interface FailureAbout {
  readonly operation: 'authorization' | 'install' | 'revocation';
  readonly organization?: Organization;
  /** Only needed without an organization: else it is the base URL's. */
  readonly host?: string;
}

/** For a row's description: "not found (404)", "timed out after 30 sec". */
export function failureWord(failure: Failure): string {
  switch (failure.kind) {
    case 'invalidId':
      return l10n.t('id cannot be used');
    case 'tokenRejected':
      return l10n.t('token rejected (401)');
    case 'notPermitted':
      return l10n.t('not permitted (403)');
    case 'notFound':
      return l10n.t('not found (404)');
    case 'rateLimited':
      return l10n.t('rate limited (429) until {time}', { time: clockTime(failure.until) });
    case 'clientError':
      return l10n.t('refused ({status})', { status: failure.status });
    case 'serverError':
      return l10n.t('server error ({status})', { status: failure.status });
    case 'redirected':
      return failure.host
        ? l10n.t('redirected ({status}) to {host}', { status: failure.status, host: shorten(failure.host) })
        : l10n.t('redirected ({status})', { status: failure.status });
    case 'unreachable':
      return isUnsendable(failure.cause)
        ? connectionWord(failure.cause)
        : l10n.t('unreachable: {cause}', { cause: connectionWord(failure.cause) });
    case 'connectionLost':
      return l10n.t('connection lost ({code})', { code: failure.code });
    case 'timedOut':
      return l10n.t('timed out after {time}', { time: secondsText(failure.after) });
    case 'cancelled':
      return l10n.t('cancelled');
    case 'unusable':
      return l10n.t('answer unusable: {reason}', { reason: unusableWord(failure.reason) });
  }
}

/** What happened, what it probably means, what to do now. */
export function failureSentence(failure: Failure, about: FailureAbout): string {
  return sentences(whatHappened(failure, about), nextStep(failure, about));
}

/** Text that came with the failure, quoted; already redacted and bounded by `api`. */
export function failureExcerpt(failure: Failure): string | undefined {
  if (!('excerpt' in failure) || !failure.excerpt) return undefined;
  return l10n.t('The answer said: “{excerpt}”', { excerpt: failure.excerpt });
}

/** The button or row command that goes with the sentence. */
export function failureAction(failure: Failure, about: FailureAbout): Action | undefined {
  switch (failure.kind) {
    case 'tokenRejected':
      return about.operation === 'install' ? setSessionTokenAction() : signInAction(about.organization);
    case 'notPermitted':
      return about.operation === 'install' ? setSessionTokenAction() : switchOrganizationAction();
    case 'notFound':
      if (about.operation === 'install') return lookUpInstallAction();
      return about.operation === 'authorization' ? switchOrganizationAction() : undefined;
    case 'redirected':
      return signInAction(about.organization);
    case 'unreachable':
      return isUnsendable(failure.cause) ? failureAction(rejected, about) : checkConnectionAction();
    case 'connectionLost':
      return checkConnectionAction();
    case 'timedOut':
      return settingAction(settingKeys.requestTimeout);
    case 'unusable':
      return checkConnectionAction();
    case 'serverError':
    case 'cancelled':
      if (about.operation === 'install') return lookUpInstallAction();
      return about.operation === 'authorization' ? refreshAction() : undefined;
    case 'rateLimited':
    case 'clientError':
      return showLogAction();
    case 'invalidId':
      return undefined;
  }
}

/** The step of a connection that failed, in a few words: "name not found (api.example)". */
export function connectionWord(cause: ConnectionCause): string {
  switch (cause.step) {
    case 'dns':
      return l10n.t('name {host} not found ({code})', { host: cause.host, code: cause.code });
    case 'refused':
      return l10n.t('connection refused by {host}', { host: peer(cause) });
    case 'tls':
      return certificateWord(cause.code);
    case 'proxy':
      return proxyWord(cause);
    case 'network':
      return isUnsendable(cause)
        ? l10n.t('token cannot be sent')
        : l10n.t('no way to {host} ({code})', { host: peer(cause), code: cause.code });
  }
}

function proxyWord(cause: ConnectionCause): string {
  const { code, host, status, source } = cause;
  if (source !== undefined) {
    return code === 'ERR_SOCKS_UNSUPPORTED'
      ? l10n.t('SOCKS proxy in {setting} needs an editor that verifies certificates', { setting: source })
      : l10n.t('no usable proxy address in {setting}', { setting: source });
  }
  if (status === undefined) return l10n.t('proxy {host} ({code})', { host: peer(cause), code });
  return host === ''
    ? l10n.t('the proxy that the editor uses answered {status}', { status })
    : l10n.t('proxy {host} answered {status}', { host: peer(cause), status });
}

/** What to do about a proxy that no setting of ours could have led to, or that a setting names badly. */
function proxyAction({ step, code, host, status, source }: ConnectionCause): string | undefined {
  if (step !== 'proxy') return undefined;
  if (source !== undefined) {
    return code === 'ERR_SOCKS_UNSUPPORTED'
      ? l10n.t('Have certificates verified again ({setting}, {variable}), or name an HTTP proxy in {source}.', {
          setting: 'http.proxyStrictSSL',
          variable: 'NODE_TLS_REJECT_UNAUTHORIZED',
          source,
        })
      : l10n.t('Correct {setting}: a proxy is named like {example}.', {
          setting: source,
          example: 'http://proxy.example:3128',
        });
  }
  return host === '' && status !== undefined
    ? l10n.t('Name that proxy in {setting}, and what it wants to see in {authorization}.', {
        setting: 'http.proxy',
        authorization: 'http.proxyAuthorization',
      })
    : undefined;
}

/** The token has characters that no header can hold: nothing is wrong with the way to the service. */
function isUnsendable({ code }: ConnectionCause): boolean {
  return code === 'ERR_INVALID_CHAR';
}

/** What to do about such a token is what to do about a rejected one. */
const rejected: Failure = { kind: 'tokenRejected', status: 401 };

function peer(cause: ConnectionCause): string {
  return cause.port === undefined || cause.host.endsWith(`:${cause.port}`) ? cause.host : `${cause.host}:${cause.port}`;
}

/** OpenSSL's codes in words; one that is not listed is shown as it is. */
function certificateWord(code: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return l10n.t('certificate expired');
    case 'CERT_NOT_YET_VALID':
      return l10n.t('certificate not valid yet');
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return l10n.t('certificate is for another host');
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return l10n.t('certificate is self-signed and not trusted on this machine');
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_UNTRUSTED':
      return l10n.t('issuer of the certificate is not trusted on this machine');
    case 'CERT_REVOKED':
      return l10n.t('certificate was revoked');
    default:
      return l10n.t('no secure connection ({code})', { code });
  }
}

type UnusableReason = Extract<Failure, { kind: 'unusable' }>['reason'];

function unusableWord(reason: UnusableReason): string {
  switch (reason) {
    case 'empty':
      return l10n.t('empty');
    case 'notJson':
      return l10n.t('not JSON');
    case 'wrongShape':
      return l10n.t('not the expected fields');
    case 'tooLarge':
      return l10n.t('too large');
    case 'truncated':
      return l10n.t('cut off');
  }
}

function hostText(about: FailureAbout): string {
  if (about.organization) return hostOf(about.organization.baseUrl);
  return about.host ?? l10n.t('the service');
}

function nameText(about: FailureAbout): string {
  return about.organization ? shorten(about.organization.name) : hostText(about);
}

function whatHappened(failure: Failure, about: FailureAbout): string {
  const host = hostText(about);
  const name = nameText(about);
  switch (failure.kind) {
    case 'invalidId':
      return invalidIdSentence(failure.reason);
    case 'tokenRejected':
      if (about.operation === 'install') {
        return about.organization && !about.organization.hasSessionToken
          ? l10n.t(
              '401: This operation takes a user session token, and {host} rejected the access token of “{name}”.',
              {
                host,
                name,
              },
            )
          : l10n.t(
              '401: This operation takes a user session token, and {host} rejected the one of “{name}”. It has probably expired.',
              { host, name },
            );
      }
      return l10n.t('401: {host} rejected the access token of “{name}”. It has probably expired or been revoked.', {
        host,
        name,
      });
    case 'notPermitted':
      return notPermittedSentence(about, host, name);
    case 'notFound':
      return notFoundSentence(about, host);
    case 'rateLimited':
      return l10n.t('429: {host} limits the rate. All requests of “{name}” wait until {time}.', {
        host,
        name,
        time: clockTime(failure.until),
      });
    case 'clientError':
      return l10n.t('{status}: {host} refused the request. The reason is not known.', { status: failure.status, host });
    case 'serverError':
      return l10n.t('{status}: {host} could not answer. It is probably a passing disturbance of the service.', {
        status: failure.status,
        host,
      });
    case 'redirected':
      return failure.host
        ? l10n.t(
            '{status}: {host} redirects to {target}. Redirects are never followed, since a token is only sent to its own base URL.',
            { status: failure.status, host, target: shorten(failure.host) },
          )
        : l10n.t(
            '{status}: {host} redirects without saying where to. Redirects are never followed, since a token is only sent to its own base URL.',
            { status: failure.status, host },
          );
    case 'unreachable':
      if (isUnsendable(failure.cause)) {
        return l10n.t('A token of “{name}” has characters that no request can hold, so nothing was sent.', { name });
      }
      return sentences(
        l10n.t('{host} is unreachable: {cause}.', { host, cause: connectionWord(failure.cause) }),
        failure.viaEditor &&
          l10n.t('The try through the editor failed as well: {cause}.', { cause: connectionWord(failure.viaEditor) }),
      );
    case 'connectionLost':
      return l10n.t('The connection to {host} was lost before the whole answer had arrived ({code}).', {
        host,
        code: failure.code,
      });
    case 'timedOut':
      return l10n.t('{host} did not answer completely within {time}.', { host, time: secondsText(failure.after) });
    case 'cancelled':
      return l10n.t('The request was cancelled.');
    case 'unusable':
      return unusableSentence(failure, host);
  }
}

function invalidIdSentence(reason: Extract<Failure, { kind: 'invalidId' }>['reason']): string {
  switch (reason) {
    case 'empty':
      return l10n.t('The id is empty, so nothing was sent.');
    case 'dotSegment':
      return l10n.t('An id “.” or “..” would change the address of the request, so nothing was sent.');
    case 'loneSurrogate':
      return l10n.t('The id contains a broken character, so nothing was sent.');
  }
}

function notPermittedSentence(about: FailureAbout, host: string, name: string): string {
  switch (about.operation) {
    case 'authorization':
      return l10n.t(
        '403: {host} does not permit this. The token of “{name}” probably lacks the permission to read this deployment.',
        { host, name },
      );
    case 'install':
      return l10n.t(
        '403: {host} does not permit this. The look-up takes a user session token; the one used is probably of another kind, or its user may not see this install.',
        { host },
      );
    case 'revocation':
      return l10n.t(
        '403: {host} does not permit this. The token of “{name}” probably lacks the permission {permission}.',
        {
          host,
          name,
          permission: 'apiKey:delete',
        },
      );
  }
}

function notFoundSentence(about: FailureAbout, host: string): string {
  switch (about.operation) {
    case 'authorization':
      return l10n.t(
        '404: {host} does not find it. There is probably no deployment with this id, or it belongs to another organization.',
        { host },
      );
    case 'install':
      return l10n.t(
        '404: {host} does not find it. The pending install has probably lapsed or been completed, or it belongs to another organization.',
        { host },
      );
    case 'revocation':
      return l10n.t('404: {host} does not find it. The key is probably unknown or already revoked.', { host });
  }
}

function unusableSentence(failure: Extract<Failure, { kind: 'unusable' }>, host: string): string {
  const { status } = failure;
  switch (failure.reason) {
    case 'empty':
      return l10n.t('{status}: {host} sent an empty answer.', { status, host });
    case 'notJson':
      return l10n.t(
        '{status}: {host} sent an answer that is not JSON. It probably comes from a sign-in page or a proxy, or the base URL is not that of the API.',
        { status, host },
      );
    case 'wrongShape':
      return l10n.t(
        '{status}: {host} sent JSON without the expected fields. The base URL is probably not that of the API, or the service has changed.',
        { status, host },
      );
    case 'tooLarge':
      return l10n.t('{status}: The answer of {host} is too large to be read.', { status, host });
    case 'truncated':
      return l10n.t('{status}: The answer of {host} was cut off.', { status, host });
  }
}

/** The environment's organization is read-only: the command will say the same and lead to the sign-in. */
function sessionTokenSentence({ organization }: FailureAbout): string {
  return organization?.source === 'environment'
    ? l10n.t('Sign in to the same base URL under another name, and set a user session token there.')
    : l10n.t('Set a user session token of a user who may see it.');
}

function nextStep(failure: Failure, about: FailureAbout): string | undefined {
  switch (failure.kind) {
    case 'invalidId':
      return about.operation === 'authorization'
        ? l10n.t('Remove it from the list and add the right id.')
        : l10n.t('Enter the right id.');
    case 'tokenRejected':
      if (about.operation === 'install') return sessionTokenSentence(about);
      return about.organization?.source === 'environment'
        ? l10n.t('Put a valid token into {variable} and start VS Code again, or sign in.', {
            variable: 'AUTOMATION_PLATFORM_TOKEN',
          })
        : l10n.t('Sign in with a new token.');
    case 'notPermitted':
      if (about.operation === 'install') return sessionTokenSentence(about);
      return about.operation === 'revocation'
        ? l10n.t('Use a token that has it.')
        : l10n.t('Ask for the permission, or switch the organization.');
    case 'notFound':
      if (about.operation === 'revocation') return l10n.t('Compare the key id with the one in the dashboard.');
      return about.operation === 'install'
        ? l10n.t('Ask for a new link and look it up again.')
        : l10n.t('Compare the id with the one in the dashboard, or switch the organization.');
    case 'rateLimited':
      return about.operation === 'authorization' ? l10n.t('Refresh after that.') : l10n.t('Try again after that.');
    case 'clientError':
      return l10n.t('The log has the details.');
    case 'serverError':
      return about.operation === 'revocation' ? undefined : l10n.t('Try again later.');
    case 'redirected':
      return l10n.t('If the service has moved, sign in with its new base URL.');
    case 'unreachable':
      if (isUnsendable(failure.cause)) return nextStep(rejected, about);
      return (
        proxyAction(failure.cause) ??
        (failure.viaEditor && proxyAction(failure.viaEditor)) ??
        l10n.t('Check the connection to see where on the way it ends.')
      );
    case 'connectionLost':
      return l10n.t('Check the connection to see where on the way it ends.');
    case 'timedOut':
      return l10n.t('Try again, or allow more time in the settings.');
    case 'cancelled':
      return about.operation === 'revocation' ? undefined : l10n.t('Try again when you like.');
    case 'unusable':
      return failure.reason === 'truncated' || failure.reason === 'empty'
        ? l10n.t('Try again; if it stays so, check the connection.')
        : l10n.t('Check the base URL and the connection.');
  }
}
