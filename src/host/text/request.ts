import { l10n } from 'vscode';
import type { Account } from '../../api/authorization.js';
import { isReadWhole } from '../../api/decode.js';
import { Slices } from '../../model/base/slices.js';
import { redactedDeployment, shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { RequirementFinding } from '../../model/findings/findings.js';
import { accountName, mayHaveFailed } from '../../model/findings/readings.js';
import { codeSpan, inertProse, inertQuote, shorten } from '../../model/inertText.js';
import type { Repair } from '../../model/problems/repairs.js';
import { absoluteTime, listText, plural, sentences } from './format.js';
import { maxLabelChars, nameList } from './problem.js';

const maxQuoteChars = 200;

interface RequestOptions {
  /** The address of a deployment's page in the dashboard, if it may be told. */
  readonly pageOf: (deployment: Deployment) => string | undefined;
  /** Applied to each text before it is cut. */
  readonly redact: (text: string) => string;
}

/**
 * Returns the text that asks someone without VS Code to fix accounts, one part for each owner. What
 * has to be typed and what the platform said are code spans, and other foreign words are plain words
 * or code spans, so that no link or mention starts where the text is pasted.
 */
export async function requestText(
  byOwner: ReadonlyMap<string | undefined, readonly Repair[]>,
  options: RequestOptions,
): Promise<string> {
  const words = new RequestWords(options);
  const slices = new Slices();
  const parts: string[] = [];
  for (const [owner, repairs] of byOwner) {
    const heading = words.heading(owner, byOwner.size);
    const texts = heading ? [heading] : [];
    for (const repair of repairs) {
      texts.push(words.repair(repair));
      await slices.next();
    }
    parts.push(texts.join('\n\n'));
  }
  return parts.join('\n\n\n');
}

/** The sentences of a request, with every foreign word redacted and inert. */
class RequestWords {
  constructor(private readonly options: RequestOptions) {}

  /** "For Maria, `#finance-ops`" */
  heading(owner: string | undefined, parts: number): string | undefined {
    if (owner !== undefined) {
      return l10n.t({ message: 'For {owner}', args: { owner: this.prose(owner) }, comment: 'Heading' });
    }
    return parts > 1 ? l10n.t('For those who manage these accounts') : undefined;
  }

  repair(repair: Repair): string {
    const { account, deployments, hasFailed, readAt, requirement, seenSince } = repair;
    const names = nameList(deployments, (one) => l10n.t('“{name}”', { name: this.deployment(one) }));
    const { code, message } = (hasFailed && account?.error) || {};
    const said = message?.trim() || code;
    const page = firstPage(deployments, this.options.pageOf);
    const since = l10n.t('Noticed on {time}.', { time: absoluteTime(seenSince) });
    return [
      account ? this.reconnect(account, repair) : this.connect(requirement),
      sentences(whyText(repair), since),
      ...(said ? [`${l10n.t('Reason given:')}\n${this.quote(said)}`] : []),
      plural(
        deployments.length,
        l10n.t('Affected automation: {names}', { names }),
        l10n.t('Affected automations: {names}', { names }),
      ),
      ...(page === undefined ? [] : [l10n.t('Dashboard page: {url}', { url: page })]),
      l10n.t('As of {time}', { time: absoluteTime(readAt) }),
    ].join('\n');
  }

  private reconnect(account: Account, { scopes, requirement }: Repair): string {
    const words = { account: this.account(account), scopes: listText(scopes.map((scope) => this.code(scope))) };
    const reconnect =
      scopes.length === 0
        ? l10n.t('Please reconnect the account {account}.', words)
        : l10n.t('Please reconnect the account {account} and grant it {scopes}.', words);
    const others = this.otherAccounts(requirement);
    return sentences(
      reconnect,
      others && l10n.t('Or let the automation use another account instead: {accounts}.', { accounts: others }),
    );
  }

  private connect(requirement: RequirementFinding | undefined): string {
    const accounts = this.otherAccounts(requirement);
    if (accounts) return l10n.t('Please let the automation use one of these accounts: {accounts}.', { accounts });
    const service = requirement?.requirement.serviceId || requirement?.name;
    return service
      ? l10n.t('Please connect an account for {service} to the automation.', { service: this.code(service) })
      : l10n.t('Please connect an account to the automation.');
  }

  private otherAccounts(requirement: RequirementFinding | undefined): string {
    return nameList(requirement?.advisable() ?? [], ({ account, accountId }) =>
      account ? this.account(account.account) : this.code(accountId, maxLabelChars),
    );
  }

  /** "`Finance Slack` (`slack`)" */
  private account(account: Account): string {
    const called = accountName(account);
    const name = called ? this.code(called, maxLabelChars) : l10n.t('unnamed account');
    const { serviceId } = account;
    if (!serviceId || serviceId === called) return name;
    return l10n.t('{name} ({service})', { name, service: this.code(serviceId, maxLabelChars) });
  }

  private deployment(deployment: Deployment): string {
    return inertProse(shortName(redactedDeployment(deployment, this.options.redact), maxLabelChars));
  }

  private quote(text: string): string {
    return inertQuote(this.options.redact(text), maxQuoteChars);
  }

  /** For what someone has to type. */
  private code(text: string, maxChars?: number): string {
    return codeSpan(this.options.redact(text), maxChars);
  }

  private prose(text: string): string {
    return inertProse(shorten(this.options.redact(text), maxLabelChars));
  }
}

function firstPage(deployments: readonly Deployment[], pageOf: RequestOptions['pageOf']): string | undefined {
  for (const deployment of deployments) {
    const page = pageOf(deployment);
    if (page !== undefined) return page;
  }
  return undefined;
}

/** Returns whether nothing was left out that would say why the requirement is not satisfied. */
function isReasonKnown(account: Account | undefined, requirement: RequirementFinding | undefined): boolean {
  if (account) return !mayHaveFailed(account);
  return !requirement || isReadWhole(requirement.requirement, 'accountId');
}

function whyText({ account, hasFailed, requirement, scopes }: Repair): string {
  if (hasFailed) return l10n.t('The account no longer works, so the automations that use it have stopped.');
  if (scopes.length > 0) return l10n.t('The account lacks permissions that the automation needs.');
  if (!isReasonKnown(account, requirement)) return l10n.t('The automation has stopped; the reason could not be read.');
  return account
    ? l10n.t('The automation cannot use the account; no reason is given.')
    : l10n.t('The automation has no account that it can use.');
}
