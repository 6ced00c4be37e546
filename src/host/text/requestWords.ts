import { l10n } from 'vscode';
import type { Account } from '../../api/authorization.js';
import { isReadWhole } from '../../api/decode.js';
import type { Failure } from '../../api/failure.js';
import { redactedDeployment } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { RequirementFinding } from '../../model/findings/findings.js';
import { accountName, mayHaveFailed } from '../../model/findings/readings.js';
import { inertProse, inertQuote, shorten, typedSpan } from '../../model/inertText.js';
import type { AccountRepair } from '../../model/problems/repairs.js';
import { markdownName } from './causeTable.js';
import { answerText, failureWords, wordWithStatus } from './failure.js';
import {
  firstWithMore,
  joinSentences,
  joinWithCommas,
  listText,
  numberText,
  plural,
} from './format.js';
import { isReasonUnreadable, maxLabelChars } from './problem.js';

/** What the platform said of an error. */
const maxQuoteChars = 200;
/** Something that has to be typed: more than users type, while the platform can send more. */
const maxTypedChars = 10_000;
/** Deployments or accounts in one sentence. */
const maxNames = 10;

/** Why an account cannot be used. */
export interface ReasonText {
  /** "Error: `revoked`." */
  readonly text: string;
  /** "Error of `A` and `B`: `revoked`." `accounts`: some of the accounts that the request names. */
  readonly textFor: (accounts: string) => string;
}

interface AffectedOptions {
  /** The request asks for one account alone. */
  readonly isSingleAccount: boolean;
  /** All accounts only lack scopes. */
  readonly lacksScopes: boolean;
  /** Each of the automations can use none of the accounts. */
  readonly canUseNone: boolean;
}

/**
 * Writes the sentences of a request to one owner. Each foreign word in it is redacted and inert. In
 * a request, deployments are called automations.
 */
export class RequestWords {
  /**
   * `sharedNames`: names that several accounts have, which their IDs tell apart. `redact`: applied
   * to each text before it is cut.
   */
  constructor(
    private readonly sharedNames: ReadonlySet<string>,
    private readonly redact: (text: string) => string,
  ) {}

  /** "Please reconnect the account `Finance Slack` (`slack`) and grant it `channels:read`." */
  reconnect({ account, scopes }: AccountRepair): string {
    const values = { account: this.account(account), scopes: this.scopeList(scopes) };
    return scopes.length === 0
      ? l10n.t('Please reconnect the account {account}.', values)
      : l10n.t('Please reconnect the account {account} and grant it {scopes}.', values);
  }

  /**
   * "Grant `Finance Slack`: `channels:read` and `users:read`."; `undefined` if it lacks no scopes.
   */
  grant({ account, scopes }: AccountRepair): string | undefined {
    if (scopes.length === 0) return undefined;
    return l10n.t('Grant {account}: {scopes}.', {
      account: this.shortAccount(account),
      scopes: this.scopeList(scopes),
    });
  }

  /**
   * "Or let “Billing sync” use another account instead of `Finance Slack`: `Ops Slack`."
   * Returns `undefined` if another account may not be enough: the account itself has failed, there
   * are several problems or automations, or none of the other accounts can be selected.
   */
  alternative({ account, cannotUse, problems, trouble }: AccountRepair): string | undefined {
    const [first, ...others] = problems;
    if (first === undefined || others.length > 0 || cannotUse.length > 1) return undefined;
    const { problem, deployment } = first;
    if (trouble === 'failed' || problem.kind !== 'unsatisfiedRequirement') return undefined;
    const accounts = this.eligibleAccounts(problem.finding);
    if (accounts === '') return undefined;
    return l10n.t('Or let {automation} use another account instead of {account}: {accounts}.', {
      automation: this.deployment(deployment),
      account: this.shortAccount(account),
      accounts,
    });
  }

  /**
   * "Please connect an account for `stripe`. Grant it `charges:read`.", "Please select `Ops Slack`
   * as the account for `slack`."
   */
  connect(finding: RequirementFinding): string {
    const service = this.requirement(finding);
    const accounts = this.eligibleAccounts(finding);
    if (accounts !== '') {
      return service
        ? l10n.t('Please select {accounts} as the account for {service}.', { accounts, service })
        : l10n.t('Please select {accounts} as the account.', { accounts });
    }

    const connectStep = service
      ? l10n.t('Please connect an account for {service}.', { service })
      : l10n.t('Please connect an account.');
    const scopes = this.scopeList(requiredScopes(finding));
    const grantStep = scopes && l10n.t('Grant it {scopes}.', { scopes });
    const isAccountUnreadable = !isReadWhole(finding.requirement, 'accountId');
    const unreadable = isAccountUnreadable
      ? l10n.t('Which account it should be could not be read.')
      : undefined;
    return joinSentences(connectStep, grantStep, unreadable);
  }

  /** "2 automations need it: “Ledger” and “Payroll”." */
  neededBy(automations: readonly Deployment[]): string {
    const values = this.countAndNames(automations);
    return plural(
      automations.length,
      l10n.t('{count} automation needs it: {names}.', values),
      l10n.t('{count} automations need it: {names}.', values),
    );
  }

  /**
   * "Error: `revoked`.", "The platform gave no reason."; `undefined` if an account that works lacks
   * scopes: another sentence asks for them, and they are the reason at least in some deployments.
   */
  reason({ account, scopes, trouble }: AccountRepair): ReasonText | undefined {
    const areScopesReason =
      trouble === 'lacksScopes' || (trouble === 'unexplained' && scopes.length > 0);
    if (areScopesReason) return undefined;
    const error = this.errorOf(account);
    if (error !== '') {
      return {
        text: l10n.t('Error: {error}.', { error }),
        textFor: (accounts) => l10n.t('Error of {accounts}: {error}.', { accounts, error }),
      };
    }
    if (isReasonUnreadable(account) || mayHaveFailed(account)) {
      return {
        text: l10n.t('The reason could not be read.'),
        textFor: (accounts) => l10n.t('The reason could not be read for {accounts}.', { accounts }),
      };
    }
    return {
      text: l10n.t('The platform gave no reason.'),
      textFor: (accounts) => l10n.t('The platform gave no reason for {accounts}.', { accounts }),
    };
  }

  /**
   * "`token_revoked` – `The workspace admin removed the app`"; empty if the platform gave no
   * reason.
   */
  private errorOf({ error }: Account): string {
    const texts = new Set<string>();
    for (const text of [error?.code, error?.message]) {
      const line = (text ?? '').replaceAll(/\s+/gu, ' ').trim();
      if (line !== '') texts.add(line);
    }
    return Array.from(texts, (text) => this.quote(text)).join(' – ');
  }

  /**
   * "2 automations cannot use it: “Billing sync” and “Payroll”."; `undefined` without automations.
   */
  affected(automations: readonly Deployment[], options: AffectedOptions): string | undefined {
    if (automations.length === 0) return undefined;
    const { isSingleAccount, lacksScopes, canUseNone } = options;
    if (lacksScopes) return this.lackPermissions(automations);
    if (isSingleAccount) return this.cannotUseIt(automations);
    return canUseNone ? this.cannotUseThem(automations) : this.cannotUseAtLeastOne(automations);
  }

  /** "1 automation is without the permissions that it needs: “Billing sync”." */
  private lackPermissions(automations: readonly Deployment[]): string {
    const values = this.countAndNames(automations);
    return plural(
      automations.length,
      l10n.t('{count} automation is without the permissions that it needs: {names}.', values),
      l10n.t('{count} automations are without the permissions that they need: {names}.', values),
    );
  }

  /** "2 automations cannot use it: “Billing sync” and “Payroll”." */
  private cannotUseIt(automations: readonly Deployment[]): string {
    const values = this.countAndNames(automations);
    return plural(
      automations.length,
      l10n.t('{count} automation cannot use it: {names}.', values),
      l10n.t('{count} automations cannot use it: {names}.', values),
    );
  }

  /** "2 automations cannot use them: “Billing sync” and “Payroll”." */
  private cannotUseThem(automations: readonly Deployment[]): string {
    const values = this.countAndNames(automations);
    return plural(
      automations.length,
      l10n.t('{count} automation cannot use them: {names}.', values),
      l10n.t('{count} automations cannot use them: {names}.', values),
    );
  }

  /** "2 automations cannot use at least one of them: “Billing sync” and “Payroll”." */
  private cannotUseAtLeastOne(automations: readonly Deployment[]): string {
    const values = this.countAndNames(automations);
    return plural(
      automations.length,
      l10n.t('{count} automation cannot use at least one of them: {names}.', values),
      l10n.t('{count} automations cannot use at least one of them: {names}.', values),
    );
  }

  /**
   * "2 automations have the account: “Billing sync” and “Payroll”.": for failed accounts that no
   * automation is known to need. `undefined` without automations.
   */
  having(automations: readonly Deployment[], isSingleAccount: boolean): string | undefined {
    if (automations.length === 0) return undefined;
    const values = this.countAndNames(automations);
    return isSingleAccount
      ? plural(
          automations.length,
          l10n.t('{count} automation has the account: {names}.', values),
          l10n.t('{count} automations have the account: {names}.', values),
        )
      : plural(
          automations.length,
          l10n.t('{count} automation has some of the accounts: {names}.', values),
          l10n.t('{count} automations have some of the accounts: {names}.', values),
        );
  }

  /**
   * "2 other automations use the account and are not affected: “Ledger” and “Payroll”.";
   * `undefined` without automations.
   */
  unaffected(automations: readonly Deployment[], isSingleAccount: boolean): string | undefined {
    if (automations.length === 0) return undefined;
    const values = this.countAndNames(automations);
    return isSingleAccount
      ? plural(
          automations.length,
          l10n.t('{count} other automation uses the account and is not affected: {names}.', values),
          l10n.t(
            '{count} other automations use the account and are not affected: {names}.',
            values,
          ),
        )
      : plural(
          automations.length,
          l10n.t(
            '{count} other automation uses some of the accounts and is not affected: {names}.',
            values,
          ),
          l10n.t(
            '{count} other automations use some of the accounts and are not affected: {names}.',
            values,
          ),
        );
  }

  /** "Access denied (403) – `no access to dep_1`" */
  answer(failure: Failure): string {
    const texts = [wordWithStatus(failure)];
    const response = answerText(failure);
    if (response) texts.push(this.quote(response));
    const answer = texts.join(' – ');
    const { doubt } = failureWords(failure);
    return doubt ? `${answer}. ${inertProse(this.redact(doubt))}` : answer;
  }

  /**
   * "`Finance Slack` (`slack`)"; with the ID if several accounts have the name: "(`slack`,
   * `acc_1`)".
   */
  account(account: Account): string {
    const name = accountName(account);
    const { id, serviceId } = account;
    const service = serviceId && serviceId !== name ? this.code(serviceId) : undefined;
    const isIdNeeded = id && id !== name && this.sharedNames.has(name);
    const details = joinWithCommas(service, isIdNeeded ? this.code(id) : undefined);
    const label = name ? this.code(name) : l10n.t('unnamed account');
    return details ? l10n.t('{name} ({service})', { name: label, service: details }) : label;
  }

  /** "`stripe`", with a name of its own "`source` (`postgres`)"; `undefined` if it has no name. */
  private requirement({ name, requirement }: RequirementFinding): string | undefined {
    if (!name) return undefined;
    const { serviceId } = requirement;
    const nameCode = this.code(name);
    if (!serviceId || serviceId === name) return nameCode;
    return l10n.t('{name} ({service})', { name: nameCode, service: this.code(serviceId) });
  }

  /** "`Finance Slack`", or "`acc_1`" if several accounts have the name. */
  shortAccount(account: Account): string {
    const name = accountName(account);
    if (account.id && this.sharedNames.has(name)) return this.code(account.id);
    return name ? this.code(name) : l10n.t('unnamed account');
  }

  /** "“Billing sync”" */
  deployment(deployment: Deployment): string {
    return markdownName(redactedDeployment(deployment, this.redact));
  }

  /** "`Billing sync` (`dep_1`)", where the reader has to find it. */
  deploymentWithId({ id, label }: Deployment): string {
    if (label === undefined || label === id) return this.code(id);
    return l10n.t('{name} ({service})', { name: this.code(label), service: this.code(id) });
  }

  /** "Maria, `#finance-ops`": plain words, and code spans for the others. */
  prose(text: string): string {
    return inertProse(shorten(this.redact(text), maxLabelChars));
  }

  /** `count`: "2". `names`: "“Billing sync” and “Payroll”", after 10 names "3 more". */
  private countAndNames(automations: readonly Deployment[]): {
    readonly count: string;
    readonly names: string;
  } {
    const names = firstWithMore(automations, maxNames, (automation) => this.deployment(automation));
    return { count: numberText(automations.length), names: listText(names, 'long') };
  }

  /**
   * "`Ops Slack` (`slack`) or `acc_7`": accounts that the requirement could use, except the one to
   * which it is bound; only the ID of an account that the answer does not have. Empty if there are
   * none.
   */
  private eligibleAccounts(finding: RequirementFinding): string {
    const names = firstWithMore(finding.advisable(), maxNames, ({ account, accountId }) =>
      account ? this.account(account.account) : this.code(accountId),
    );
    return listText(names, 'or');
  }

  /** "`channels:read` and `users:read`"; empty without scopes. */
  private scopeList(scopes: readonly string[]): string {
    const names = scopes.map((scope) => this.code(scope));
    return listText(names, 'long');
  }

  /** A code span with what the platform said, without a full stop: our sentence has its own. */
  private quote(text: string): string {
    return inertQuote(this.redact(text).replace(/[.。]$/u, ''), maxQuoteChars);
  }

  /** A code span with something that has to be typed. */
  private code(text: string): string {
    return typedSpan(this.redact(text), maxTypedChars);
  }
}

/**
 * Returns the scopes that the only connection method requires; none if there are several methods.
 */
function requiredScopes({ requirement }: RequirementFinding): readonly string[] {
  const [connection, ...others] = requirement.connections ?? [];
  return others.length === 0 ? (connection?.requiredScopes ?? []) : [];
}
