import { l10n } from 'vscode';
import type { Account } from '../../api/authorization.js';
import { Slices } from '../../model/base/slices.js';
import { earliest } from '../../model/base/time.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { AccountRepair, OwnerRepairs } from '../../model/problems/repairs.js';
import { productName } from '../ids.js';
import { absoluteTime, firstWithMore, joinSentences, listText, plural } from './format.js';
import { type ReasonText, RequestWords } from './requestWords.js';

/**
 * How many accounts or deployments are named where the reader has to find each of them. So many
 * names can still be joined in one slice.
 */
const maxNames = 1000;

interface RequestOptions {
  /**
   * Returns the address of a deployment's page in the dashboard; `undefined` if there is none, or
   * if the text may not contain it.
   */
  readonly pageOf: (deployment: Deployment) => string | undefined;
  /** Names that several accounts of all listed deployments have; those get their ID, too. */
  readonly sharedNames: ReadonlySet<string>;
  /** Applied to each text before it is cut. */
  readonly redact: (text: string) => string;
}

/**
 * Returns the text that asks someone without VS Code to fix accounts, one part for each owner. What
 * has to be typed and what the platform said are code spans, and other foreign words are plain
 * words or code spans, so that no link or mention starts where the text is pasted.
 */
export async function requestText(
  byOwner: readonly OwnerRepairs[],
  options: RequestOptions,
): Promise<string> {
  const slices = new Slices();
  const isOneOfSeveral = byOwner.length > 1;
  const parts: string[] = [];
  for (const repairs of byOwner) {
    const part = new OwnersPart(repairs, options, slices);
    parts.push(await part.text(isOneOfSeveral));
  }
  return parts.join('\n\n\n');
}

/** Accounts that cannot be used for the same reason. */
interface ReasonGroup {
  readonly reason: ReasonText;
  readonly accounts: Account[];
}

/**
 * The part of a request that is for one owner: a paragraph for each kind of step, and the facts
 * that concern all of them. `requestText` makes one for each owner. A method whose name ends in
 * `Lines` returns no lines if there is nothing to say.
 */
class OwnersPart {
  private readonly words: RequestWords;

  constructor(
    private readonly repairs: OwnerRepairs,
    private readonly options: RequestOptions,
    /** Pauses the writing of a long message now and then, so that VS Code can do other work. */
    private readonly slices: Slices,
  ) {
    this.words = new RequestWords(options.sharedNames, options.redact);
  }

  /** `isOneOfSeveral`: the request has parts for other owners, so this one needs a heading. */
  async text(isOneOfSeveral: boolean): Promise<string> {
    const accounts = await this.accountLines();
    const connections = await this.connectionLines();
    const permission = await this.permissionLines();
    const steps = [accounts, connections, permission].filter((lines) => lines.length > 0);

    const times = this.timeLines();
    await this.slices.next();
    const facts = [...times, ...this.pageOrPlatformLines()];

    // The facts about a single paragraph belong to it.
    const body = steps.length > 1 ? [...steps, facts] : [[...steps.flat(), ...facts]];
    const paragraphs = [this.headingLines(isOneOfSeveral), ...body];
    const texts = paragraphs.map((lines) => lines.join('\n'));
    return texts.filter((text) => text !== '').join('\n\n');
  }

  /** "For Maria, `#finance-ops`" */
  private headingLines(isOneOfSeveral: boolean): readonly string[] {
    const { denied, owner } = this.repairs;
    if (owner !== undefined) {
      const values = { owner: this.words.prose(owner) };
      return [l10n.t({ message: 'For {owner}', args: values, comment: 'Heading' })];
    }
    if (denied.length > 0) return [l10n.t('For an administrator')];
    return isOneOfSeveral ? [l10n.t('For those who manage these accounts')] : [];
  }

  /** Which accounts to reconnect, why, and which automations cannot use them. */
  private async accountLines(): Promise<readonly string[]> {
    const [first, ...others] = this.repairs.accounts;
    if (first === undefined) return [];
    const steps =
      others.length === 0 ? [this.reconnectStep(first)] : await this.reconnectSeveralLines();
    const reasons = await this.reasonLines();
    const automations = await this.automationLines();
    return [...steps, ...reasons, ...automations];
  }

  /** "Please reconnect the account `Finance Slack` (`slack`). Or let “Billing sync” use …" */
  private reconnectStep(repair: AccountRepair): string {
    return joinSentences(this.words.reconnect(repair), this.words.alternative(repair));
  }

  /**
   * "Please reconnect: `A` (`slack`), `B` (`crm`), and `C` (`crm`)." and then for each account that
   * lacks scopes "Grant `A`: `channels:read`."
   */
  private async reconnectSeveralLines(): Promise<readonly string[]> {
    const { accounts } = this.repairs;
    const steps: string[] = [];
    for (const repair of accounts.slice(0, maxNames)) {
      steps.push(joinSentences(this.words.grant(repair), this.words.alternative(repair)));
      await this.slices.next();
    }
    const names = firstWithMore(accounts, maxNames, ({ account }) => this.words.account(account));
    const reconnect = l10n.t('Please reconnect: {accounts}.', {
      accounts: listText(names, 'long'),
    });
    return [reconnect, ...steps.filter((step) => step !== '')];
  }

  /**
   * "Error: `revoked`.", for some of the accounts "Error of `A` and `B`: `revoked`." Accounts with
   * the same reason are named together.
   */
  private async reasonLines(): Promise<readonly string[]> {
    const { accounts } = this.repairs;
    const groups = new Map<string, ReasonGroup>();
    for (const repair of accounts) {
      const reason = this.words.reason(repair);
      if (reason) {
        const group = groups.get(reason.text) ?? { reason, accounts: [] };
        group.accounts.push(repair.account);
        groups.set(reason.text, group);
      }
      await this.slices.next();
    }

    const lines: string[] = [];
    for (const group of groups.values()) {
      const { reason } = group;
      const names = firstWithMore(group.accounts, maxNames, (account) =>
        this.words.shortAccount(account),
      );
      const isReasonOfAll = group.accounts.length === accounts.length;
      lines.push(isReasonOfAll ? reason.text : reason.textFor(listText(names, 'long')));
      await this.slices.next();
    }
    return lines;
  }

  /**
   * Which automations cannot use the accounts (`affected`), which have a failed account that none
   * is known to need (`having`), and which use a working account without a problem (`unaffected`).
   */
  private async automationLines(): Promise<readonly string[]> {
    const { accounts } = this.repairs;
    const affected = await this.distinctDeployments(accounts.map(({ cannotUse }) => cannotUse));
    const failed = accounts.filter(({ trouble }) => trouble === 'failed');
    const having = await this.distinctDeployments(
      failed.map(({ others }) => others),
      affected,
    );
    const working = accounts.filter(({ trouble }) => trouble !== 'failed');
    const unaffected = await this.distinctDeployments(
      working.map(({ others }) => others),
      affected,
    );

    const isSingleAccount = accounts.length === 1;
    const lines = [
      this.words.affected([...affected.values()], {
        isSingleAccount,
        lacksScopes: accounts.every(({ trouble }) => trouble === 'lacksScopes'),
        canUseNone: accounts.every(({ cannotUse }) => cannotUse.length === affected.size),
      }),
      this.words.having([...having.values()], isSingleAccount),
      this.words.unaffected([...unaffected.values()], isSingleAccount),
    ];
    return lines.filter((line) => line !== undefined);
  }

  /**
   * "Please connect an account for `stripe`. 2 automations need it: “Ledger” and “Payroll”."
   * Automations that need the same are named together.
   */
  private async connectionLines(): Promise<readonly string[]> {
    /** By the step, and then by the deployment's ID. */
    const automationsByStep = new Map<string, Map<string, Deployment>>();
    for (const { deployment, requirement } of this.repairs.unconnected) {
      const step = this.words.connect(requirement);
      const automations = automationsByStep.get(step) ?? new Map<string, Deployment>();
      automations.set(deployment.id, deployment);
      automationsByStep.set(step, automations);
      await this.slices.next();
    }
    return Array.from(automationsByStep, ([step, automations]) =>
      joinSentences(step, this.words.neededBy([...automations.values()])),
    );
  }

  /**
   * "Please give my access token the permission to read …", and then "The platform answered on Nov
   * 20, 2026, …: Access denied (403)."
   */
  private async permissionLines(): Promise<readonly string[]> {
    const { denied } = this.repairs;
    if (denied.length === 0) return [];
    /** Epoch ms of the first time that the platform gave an answer. */
    const timesByAnswer = new Map<string, number>();
    for (const { failedRead } of denied) {
      if (failedRead) {
        const answer = this.words.answer(failedRead.failure);
        timesByAnswer.set(answer, earliest([timesByAnswer.get(answer), failedRead.at]));
      }
      await this.slices.next();
    }
    const answers = Array.from(timesByAnswer, ([answer, at]) =>
      l10n.t('The platform answered on {time}: {answer}.', { time: absoluteTime(at), answer }),
    );
    return [this.permissionRequest(), ...answers];
  }

  /** "Please give my access token the permission to read the authorization of the deployment …" */
  private permissionRequest(): string {
    const { denied } = this.repairs;
    const names = firstWithMore(denied, maxNames, (deployment) =>
      this.words.deploymentWithId(deployment),
    );
    const values = { deployments: listText(names, 'long') };
    return plural(
      denied.length,
      l10n.t(
        'Please give my access token the permission to read the authorization of the deployment {deployments}.',
        values,
      ),
      l10n.t(
        'Please give my access token the permission to read the authorization of these deployments: {deployments}.',
        values,
      ),
    );
  }

  /** "Noticed on Nov 20, 2026, 9:14:03 AM GMT+1. Last read on Nov 20, 2026, 10:02:41 AM GMT+1." */
  private timeLines(): readonly string[] {
    const repairs = [...this.repairs.accounts, ...this.repairs.unconnected];
    if (repairs.length === 0) return [];
    const noticed = absoluteTime(earliest(repairs.map(({ seenSince }) => seenSince)));
    const read = absoluteTime(earliest(repairs.map(({ readAt }) => readAt)));
    if (noticed === read) return [l10n.t('Noticed and last read on {time}.', { time: read })];
    return [
      joinSentences(
        l10n.t('Noticed on {time}.', { time: noticed }),
        l10n.t('Last read on {time}.', { time: read }),
      ),
    ];
  }

  /**
   * "Dashboard page of “Billing sync”: https://…", without such a page "Platform: Automation
   * Platform". Without this line, the reader would not know what the request is about.
   */
  private pageOrPlatformLines(): readonly string[] {
    const page = this.pageLine();
    return [page ?? l10n.t('Platform: {product}', { product: productName })];
  }

  /**
   * "Dashboard page of “Billing sync”: https://…": the first one that there is, with affected
   * deployments before others. `undefined` if there is none.
   */
  private pageLine(): string | undefined {
    const { denied, unconnected } = this.repairs;
    const accounts = this.repairs.accounts.slice(0, maxNames);
    const groups = [
      ...accounts.map(({ cannotUse }) => cannotUse),
      unconnected.map(({ deployment }) => deployment),
      denied,
      ...accounts.map(({ others }) => others),
    ];
    for (const deployments of groups) {
      for (const deployment of deployments) {
        const url = this.options.pageOf(deployment);
        if (url === undefined) continue;
        return l10n.t('Dashboard page of {automation}: {url}', {
          automation: this.words.deployment(deployment),
          url,
        });
      }
    }
    return undefined;
  }

  /** Resolves with each deployment of these lists once, by its ID, except those of `without`. */
  private async distinctDeployments(
    groups: readonly (readonly Deployment[])[],
    without?: ReadonlyMap<string, Deployment>,
  ): Promise<ReadonlyMap<string, Deployment>> {
    const byId = new Map<string, Deployment>();
    for (const deployments of groups) {
      for (const deployment of deployments) {
        if (!without?.has(deployment.id)) byId.set(deployment.id, deployment);
      }
      await this.slices.next();
    }
    return byId;
  }
}
