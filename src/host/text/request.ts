import { l10n } from 'vscode';
import type { Account } from '../../api/authorization.js';
import type { Deployment } from '../../model/deployment.js';
import { inertMessage } from '../../model/inertText.js';
import type { RequirementFinding } from '../../model/problems/findings.js';
import type { Repair } from '../../model/problems/repairs.js';
import { absoluteTime, listText, plural, sentences } from './format.js';
import { accountLabel, nameList } from './problem.js';

const maxQuoteChars = 200;

type PageOf = (deployment: Deployment) => string | undefined;

export function requestText(byOwner: ReadonlyMap<string | undefined, readonly Repair[]>, pageOf: PageOf): string {
  return Array.from(byOwner, ([owner, repairs]) => {
    const heading =
      owner === undefined
        ? byOwner.size > 1 && l10n.t('For those who manage these accounts')
        : l10n.t({ message: 'For {owner}', args: { owner: inertMessage(owner) }, comment: 'Heading' });
    return [...(heading ? [heading] : []), ...repairs.map((repair) => repairText(repair, pageOf))].join('\n\n');
  }).join('\n\n\n');
}

function repairText(repair: Repair, pageOf: PageOf): string {
  const { account, deployments, hasFailed, readAt, requirement, seenSince } = repair;
  const names = deployments.map(({ name }) => quoted(name));
  const { code, message } = (hasFailed && account?.error) || {};
  const said = message?.trim() || code;
  const page = deployments.map(pageOf).find((one) => one !== undefined);
  const since = l10n.t('Noticed on {time}.', { time: absoluteTime(seenSince) });
  return [
    account ? reconnectText(repair) : connectText(requirement),
    sentences(whyText(repair), since),
    ...(said ? [`${l10n.t('The reason given is:')}\n“${inertMessage(said, maxQuoteChars)}”`] : []),
    plural(
      names.length,
      l10n.t('The automation that needs it: {names}', { names: nameList(names) }),
      l10n.t('The automations that need it: {names}', { names: nameList(names) }),
    ),
    ...(page === undefined ? [] : [l10n.t('Page: {url}', { url: page })]),
    l10n.t('As of {time}', { time: absoluteTime(readAt) }),
  ].join('\n');
}

function reconnectText({ account, scopes, requirement }: Repair): string {
  const words = { account: accountText(account!), scopes: listText(scopes.map((scope) => quoted(scope))) };
  const reconnect =
    scopes.length === 0
      ? l10n.t('Please reconnect the account {account}.', words)
      : l10n.t('Please reconnect the account {account} and grant it {scopes}.', words);
  const others = otherAccounts(requirement);
  return sentences(
    reconnect,
    others && l10n.t('Or let the automation use another account instead: {accounts}.', { accounts: others }),
  );
}

function connectText(requirement: RequirementFinding | undefined): string {
  const accounts = otherAccounts(requirement);
  if (accounts) return l10n.t('Please let the automation use one of these accounts: {accounts}.', { accounts });
  const service = requirement?.requirement.serviceId || requirement?.name;
  return service
    ? l10n.t('Please connect an account for {service} to the automation.', { service: quoted(service) })
    : l10n.t('Please connect an account to the automation.');
}

function whyText({ account, hasFailed, scopes }: Repair): string {
  if (hasFailed) return l10n.t('The account no longer works, so what needs it has stopped.');
  if (scopes.length > 0) return l10n.t('The account lacks permissions that the automation needs.');
  return account
    ? l10n.t('The automation cannot use the account; no reason is given.')
    : l10n.t('The automation has no account that it can use.');
}

function otherAccounts(requirement: RequirementFinding | undefined): string {
  const { advisable = [] } = requirement ?? {};
  return nameList(
    advisable.map(({ account, accountId }) => (account ? accountText(account.account) : quoted(accountId))),
  );
}

function accountText(account: Account): string {
  const name = accountLabel(account);
  const service = inertMessage(account.serviceId ?? '', 80);
  return service && service !== name ? l10n.t('{name} ({service})', { name: quoted(name), service }) : quoted(name);
}

function quoted(name: string): string {
  return l10n.t('“{name}”', { name: inertMessage(name, 80) });
}
