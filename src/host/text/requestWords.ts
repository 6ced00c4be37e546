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

const maxQuoteChars = 200;
/** More than anyone types, while the platform can send more. */
const maxTypedChars = 10_000;
const maxNames = 10;

/** Why an account cannot be used: "Error: `revoked`", for some of several "Error of `A`: `revoked`". */
export interface ReasonText {
  readonly text: string;
  readonly of: (accounts: string) => string;
}

/** The sentences of one owner's part of a request, with every foreign word redacted and inert. */
export class RequestWords {
  /** `sharedNames`: of several accounts, which their IDs tell apart. `redact` is applied to each text before it is cut. */
  constructor(
    private readonly sharedNames: ReadonlySet<string>,
    private readonly redact: (text: string) => string,
  ) {}

  reconnect({ account, scopes }: AccountRepair): string {
    const words = { account: this.account(account), scopes: this.scopes(scopes) };
    return scopes.length === 0
      ? l10n.t('Please reconnect the account {account}.', words)
      : l10n.t('Please reconnect the account {account} and grant it {scopes}.', words);
  }

  /** "Grant `Finance Slack`: `channels:read` and `users:read`." */
  grant({ account, scopes }: AccountRepair): string | undefined {
    if (scopes.length === 0) return undefined;
    return l10n.t('Grant {account}: {scopes}.', {
      account: this.shortAccount(account),
      scopes: this.scopes(scopes),
    });
  }

  /** Where it would help a single automation to use another account. */
  otherAccounts({ account, cannotUse, problems, trouble }: AccountRepair): string | undefined {
    const [{ problem, deployment } = {}, ...more] = problems;
    if (trouble === 'failed' || problem?.kind !== 'unsatisfiedRequirement' || !deployment)
      return undefined;
    if (more.length > 0 || cannotUse.length > 1) return undefined;
    const accounts = this.advisable(problem.finding);
    const words = {
      automation: this.deployment(deployment),
      account: this.shortAccount(account),
      accounts,
    };
    return (
      accounts &&
      l10n.t('Or let {automation} use another account instead of {account}: {accounts}.', words)
    );
  }

  /** "Please connect an account for `stripe`. Grant it `charges:read`." */
  connect(finding: RequirementFinding): string {
    const service = this.requirement(finding);
    const accounts = this.advisable(finding);
    const words = { accounts, service, scopes: this.scopes(requiredScopes(finding)) };
    if (accounts) {
      return service
        ? l10n.t('Please select {accounts} as the account for {service}.', words)
        : l10n.t('Please select {accounts} as the account.', words);
    }
    const isUnread = !isReadWhole(finding.requirement, 'accountId');
    return joinSentences(
      service
        ? l10n.t('Please connect an account for {service}.', words)
        : l10n.t('Please connect an account.', words),
      words.scopes && l10n.t('Grant it {scopes}.', words),
      isUnread ? l10n.t('Which account it should be could not be read.') : undefined,
    );
  }

  /** "2 automations need it: “Ledger” and “Payroll”." */
  needing(automations: readonly Deployment[]): string {
    const words = this.counted(automations);
    return plural(
      automations.length,
      l10n.t('{count} automation needs it: {names}.', words),
      l10n.t('{count} automations need it: {names}.', words),
    );
  }

  reason({ account, scopes, trouble }: AccountRepair): ReasonText | undefined {
    // What it lacks is said above, and is the reason in some of the deployments.
    if (trouble === 'lacksScopes' || (trouble === 'unexplained' && scopes.length > 0))
      return undefined;
    const said = [account.error?.code, account.error?.message].map((text = '') =>
      text.replaceAll(/\s+/gu, ' ').trim(),
    );
    const texts = new Set(said.filter((text) => text !== ''));
    if (texts.size > 0) {
      const error = Array.from(texts, (text) => this.quote(text)).join(' – ');
      return {
        text: l10n.t('Error: {error}.', { error }),
        of: (accounts) => l10n.t('Error of {accounts}: {error}.', { accounts, error }),
      };
    }
    if (isReasonUnreadable(account) || mayHaveFailed(account)) {
      return {
        text: l10n.t('The reason could not be read.'),
        of: (accounts) => l10n.t('The reason could not be read for {accounts}.', { accounts }),
      };
    }
    return {
      text: l10n.t('The platform gave no reason.'),
      of: (accounts) => l10n.t('The platform gave no reason for {accounts}.', { accounts }),
    };
  }

  /**
   * "2 automations cannot use it: “Billing sync” and “Payroll”." `isOne`: it is about a single account.
   * `needsAll`: each automation can use none of the accounts.
   */
  affected(
    automations: readonly Deployment[],
    {
      isOne,
      lacksScopes,
      needsAll,
    }: Readonly<Record<'isOne' | 'lacksScopes' | 'needsAll', boolean>>,
  ): readonly string[] {
    const { length } = automations;
    const words = this.counted(automations);
    if (length === 0) return [];
    if (lacksScopes) {
      return [
        plural(
          length,
          l10n.t('{count} automation is without the permissions that it needs: {names}.', words),
          l10n.t('{count} automations are without the permissions that they need: {names}.', words),
        ),
      ];
    }
    if (isOne) {
      return [
        plural(
          length,
          l10n.t('{count} automation cannot use it: {names}.', words),
          l10n.t('{count} automations cannot use it: {names}.', words),
        ),
      ];
    }
    return [
      needsAll
        ? plural(
            length,
            l10n.t('{count} automation cannot use them: {names}.', words),
            l10n.t('{count} automations cannot use them: {names}.', words),
          )
        : plural(
            length,
            l10n.t('{count} automation cannot use at least one of them: {names}.', words),
            l10n.t('{count} automations cannot use at least one of them: {names}.', words),
          ),
    ];
  }

  /** Of failed accounts that no automation is known to need. */
  having(automations: readonly Deployment[], isOne: boolean): readonly string[] {
    const { length } = automations;
    const words = this.counted(automations);
    if (length === 0) return [];
    return [
      isOne
        ? plural(
            length,
            l10n.t('{count} automation has the account: {names}.', words),
            l10n.t('{count} automations have the account: {names}.', words),
          )
        : plural(
            length,
            l10n.t('{count} automation has some of the accounts: {names}.', words),
            l10n.t('{count} automations have some of the accounts: {names}.', words),
          ),
    ];
  }

  unaffected(automations: readonly Deployment[], isOne: boolean): readonly string[] {
    const { length } = automations;
    const words = this.counted(automations);
    if (length === 0) return [];
    return [
      isOne
        ? plural(
            length,
            l10n.t(
              '{count} other automation uses the account and is not affected: {names}.',
              words,
            ),
            l10n.t(
              '{count} other automations use the account and are not affected: {names}.',
              words,
            ),
          )
        : plural(
            length,
            l10n.t(
              '{count} other automation uses some of the accounts and is not affected: {names}.',
              words,
            ),
            l10n.t(
              '{count} other automations use some of the accounts and are not affected: {names}.',
              words,
            ),
          ),
    ];
  }

  /** "Access denied (403) – `no access to dep_1`" */
  answer(failure: Failure): string {
    const said = answerText(failure);
    const { doubt } = failureWords(failure);
    const answer = [wordWithStatus(failure), ...(said ? [this.quote(said)] : [])].join(' – ');
    return doubt ? `${answer}. ${inertProse(this.redact(doubt))}` : answer;
  }

  /** "`Finance Slack` (`slack`)" */
  account(account: Account): string {
    const name = accountName(account);
    const { id, serviceId } = account;
    const service = serviceId && serviceId !== name ? this.code(serviceId) : undefined;
    const ownId = id && id !== name && this.sharedNames.has(name) ? this.code(id) : undefined;
    const more = joinWithCommas(service, ownId);
    const called = name ? this.code(name) : l10n.t('unnamed account');
    return more ? l10n.t('{name} ({service})', { name: called, service: more }) : called;
  }

  /** "`stripe`", with a binding of its own "`source` (`postgres`)" */
  private requirement({
    name,
    requirement: { serviceId },
  }: RequirementFinding): string | undefined {
    if (!name) return undefined;
    const words = { name: this.code(name), service: this.code(serviceId ?? '') };
    return serviceId && serviceId !== name ? l10n.t('{name} ({service})', words) : words.name;
  }

  shortAccount(account: Account): string {
    const name = accountName(account);
    if (account.id && this.sharedNames.has(name)) return this.code(account.id);
    return name ? this.code(name) : l10n.t('unnamed account');
  }

  /** "“Billing sync”" */
  deployment(deployment: Deployment): string {
    return markdownName(redactedDeployment(deployment, this.redact));
  }

  /** "`Billing sync` (`dep_1`)", for someone who has to find it. */
  wholeDeployment({ id, label }: Deployment): string {
    if (label === undefined || label === id) return this.code(id);
    return l10n.t('{name} ({service})', { name: this.code(label), service: this.code(id) });
  }

  prose(text: string): string {
    return inertProse(shorten(this.redact(text), maxLabelChars));
  }

  private counted(automations: readonly Deployment[]) {
    const names = listText(
      firstWithMore(automations, maxNames, (one) => this.deployment(one)),
      'long',
    );
    return { count: numberText(automations.length), names };
  }

  private advisable(finding: RequirementFinding): string {
    const names = firstWithMore(finding.advisable(), maxNames, ({ account, accountId }) =>
      account ? this.account(account.account) : this.code(accountId),
    );
    return listText(names, 'or');
  }

  private scopes(scopes: readonly string[]): string {
    return listText(
      scopes.map((scope) => this.code(scope)),
      'long',
    );
  }

  /** For what the platform said. The sentence around it has a period of its own. */
  private quote(text: string): string {
    return inertQuote(this.redact(text).replace(/[.。]$/u, ''), maxQuoteChars);
  }

  /** For what someone has to type. */
  private code(text: string): string {
    return typedSpan(this.redact(text), maxTypedChars);
  }
}

/** What an account of the only connection method needs; nothing where several are possible. */
function requiredScopes({
  requirement: { connections = [] },
}: RequirementFinding): readonly string[] {
  const [connection, ...others] = connections;
  return others.length === 0 ? (connection?.requiredScopes ?? []) : [];
}
