import { l10n } from 'vscode';
import type { Account } from '../../api/authorization.js';
import { Slices } from '../../model/base/slices.js';
import { earliest } from '../../model/base/time.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { OwnerRepairs } from '../../model/problems/repairs.js';
import { productName } from '../ids.js';
import { absoluteTime, firstWithMore, joinSentences, listText, plural } from './format.js';
import { type ReasonText, RequestWords } from './requestWords.js';

/** Of accounts and deployments that someone has to find: more than anyone does, and few enough to be joined at once. */
const maxNames = 1000;

interface RequestOptions {
  /** The address of a deployment's page in the dashboard, if it may be told. */
  readonly pageOf: (deployment: Deployment) => string | undefined;
  /** Of several accounts of the listed deployments. */
  readonly sharedNames: ReadonlySet<string>;
  /** Applied to each text before it is cut. */
  readonly redact: (text: string) => string;
}

/**
 * Returns the text that asks someone without VS Code to fix accounts, one part for each owner. What
 * has to be typed and what the platform said are code spans, and other foreign words are plain words
 * or code spans, so that no link or mention starts where the text is pasted.
 */
export async function requestText(
  byOwner: readonly OwnerRepairs[],
  options: RequestOptions,
): Promise<string> {
  const slices = new Slices();
  const parts: string[] = [];
  for (const repairs of byOwner) {
    parts.push(await new OwnersPart(repairs, options, slices).text(byOwner.length > 1));
  }
  return parts.join('\n\n\n');
}

/** The part of a request that is for one owner: a paragraph for each kind of step, and what holds for all of them. */
class OwnersPart {
  private readonly words: RequestWords;

  constructor(
    private readonly repairs: OwnerRepairs,
    private readonly options: RequestOptions,
    private readonly slices: Slices,
  ) {
    this.words = new RequestWords(options.sharedNames, options.redact);
  }

  async text(isOneOfSeveral: boolean): Promise<string> {
    const paragraphs = [await this.accounts(), await this.connections(), await this.permission()];
    const [first = [], ...others] = paragraphs.filter((lines) => lines.length > 0);
    const times = this.times();
    await this.slices.next();
    const facts = [...times, ...this.where()];
    const body = others.length === 0 ? [[...first, ...facts]] : [first, ...others, facts];
    const texts = [this.heading(isOneOfSeveral), ...body].map((lines) => lines.join('\n'));
    return texts.filter((text) => text !== '').join('\n\n');
  }

  /** "For Maria, `#finance-ops`" */
  private heading(isOneOfSeveral: boolean): readonly string[] {
    const { denied, owner } = this.repairs;
    if (owner !== undefined) {
      const words = { owner: this.words.prose(owner) };
      return [l10n.t({ message: 'For {owner}', args: words, comment: 'Heading' })];
    }
    if (denied.length > 0) return [l10n.t('For an administrator')];
    return isOneOfSeveral ? [l10n.t('For those who manage these accounts')] : [];
  }

  private async accounts(): Promise<readonly string[]> {
    const [first, ...others] = this.repairs.accounts;
    if (first === undefined) return [];
    const steps =
      others.length === 0
        ? [joinSentences(this.words.reconnect(first), this.words.otherAccounts(first))]
        : await this.reconnectAll();
    return [...steps, ...(await this.reasons()), ...(await this.automations())];
  }

  /** "Please reconnect: `A` (`slack`), `B` (`crm`), and `C` (`crm`)." and then what to grant to each. */
  private async reconnectAll(): Promise<readonly string[]> {
    const steps: string[] = [];
    const { accounts } = this.repairs;
    for (const repair of accounts.slice(0, maxNames)) {
      steps.push(joinSentences(this.words.grant(repair), this.words.otherAccounts(repair)));
      await this.slices.next();
    }
    const names = firstWithMore(accounts, maxNames, ({ account }) => this.words.account(account));
    const reconnect = l10n.t('Please reconnect: {accounts}.', {
      accounts: listText(names, 'long'),
    });
    return [reconnect, ...steps.filter((step) => step !== '')];
  }

  /** Accounts with the same reason are named together. */
  private async reasons(): Promise<readonly string[]> {
    const { accounts } = this.repairs;
    const groups = new Map<string, { readonly reason: ReasonText; readonly of: Account[] }>();
    for (const repair of accounts) {
      const reason = this.words.reason(repair);
      if (reason) {
        const group = groups.get(reason.text) ?? { reason, of: [] };
        group.of.push(repair.account);
        groups.set(reason.text, group);
      }
      await this.slices.next();
    }
    const lines: string[] = [];
    for (const { reason, of } of groups.values()) {
      const names = firstWithMore(of, maxNames, (account) => this.words.shortAccount(account));
      lines.push(of.length === accounts.length ? reason.text : reason.of(listText(names, 'long')));
      await this.slices.next();
    }
    return lines;
  }

  /** Which automations cannot use the accounts, and apart from them which only seem to be affected. */
  private async automations(): Promise<readonly string[]> {
    const { accounts } = this.repairs;
    const isOne = accounts.length === 1;
    const affected = await this.union(accounts.map(({ cannotUse }) => cannotUse));
    const failed = accounts.filter(({ trouble }) => trouble === 'failed');
    const having = await this.union(
      failed.map(({ others }) => others),
      affected,
    );
    const working = accounts.filter(({ trouble }) => trouble !== 'failed');
    const unaffected = await this.union(
      working.map(({ others }) => others),
      affected,
    );
    const use = {
      isOne,
      lacksScopes: accounts.every(({ trouble }) => trouble === 'lacksScopes'),
      needsAll: accounts.every(({ cannotUse }) => cannotUse.length === affected.size),
    };
    return [
      this.words.affected([...affected.values()], use),
      this.words.having([...having.values()], isOne),
      this.words.unaffected([...unaffected.values()], isOne),
    ].flat();
  }

  /** Automations that need the same are named together. */
  private async connections(): Promise<readonly string[]> {
    const groups = new Map<string, Map<string, Deployment>>();
    for (const { deployment, requirement } of this.repairs.unconnected) {
      const step = this.words.connect(requirement);
      groups.set(step, (groups.get(step) ?? new Map()).set(deployment.id, deployment));
      await this.slices.next();
    }
    return Array.from(groups, ([step, automations]) =>
      joinSentences(step, this.words.needing([...automations.values()])),
    );
  }

  /** Asks for the permission to read the deployments, and says what was answered and when. */
  private async permission(): Promise<readonly string[]> {
    const { denied } = this.repairs;
    if (denied.length === 0) return [];
    const firstAnswers = new Map<string, number>();
    for (const deployment of denied) {
      const { failure, at } = deployment.failedRead ?? {};
      if (failure && at !== undefined) {
        const answer = this.words.answer(failure);
        firstAnswers.set(answer, earliest([firstAnswers.get(answer), at]));
      }
      await this.slices.next();
    }
    const names = firstWithMore(denied, maxNames, (one) => this.words.wholeDeployment(one));
    const words = { deployments: listText(names, 'long') };
    return [
      plural(
        denied.length,
        l10n.t(
          'Please give my access token the permission to read the authorization of the deployment {deployments}.',
          words,
        ),
        l10n.t(
          'Please give my access token the permission to read the authorization of these deployments: {deployments}.',
          words,
        ),
      ),
      ...Array.from(firstAnswers, ([answer, at]) =>
        l10n.t('The platform answered on {time}: {answer}.', { time: absoluteTime(at), answer }),
      ),
    ];
  }

  private times(): readonly string[] {
    const parts = [...this.repairs.accounts, ...this.repairs.unconnected];
    if (parts.length === 0) return [];
    const noticed = absoluteTime(earliest(parts.map(({ seenSince }) => seenSince)));
    const read = absoluteTime(earliest(parts.map(({ readAt }) => readAt)));
    // A problem that was noticed with its last reading has one time.
    if (noticed === read) return [l10n.t('Noticed and last read on {time}.', { time: read })];
    return [
      joinSentences(
        l10n.t('Noticed on {time}.', { time: noticed }),
        l10n.t('Last read on {time}.', { time: read }),
      ),
    ];
  }

  /** The page in the dashboard. Without it, whoever gets the text would not know what all this is about. */
  private where(): readonly string[] {
    const page = this.page();
    return page.length > 0 ? page : [l10n.t('Platform: {product}', { product: productName })];
  }

  /** The first page that may be told, of those that are affected before those that are not. */
  private page(): readonly string[] {
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
        return [
          l10n.t('Dashboard page of {automation}: {url}', {
            automation: this.words.deployment(deployment),
            url,
          }),
        ];
      }
    }
    return [];
  }

  /** By their IDs, each once, and none of `without`. */
  private async union(
    groups: readonly (readonly Deployment[])[],
    without?: ReadonlyMap<string, Deployment>,
  ): Promise<ReadonlyMap<string, Deployment>> {
    const all = new Map<string, Deployment>();
    for (const deployments of groups) {
      for (const deployment of deployments) {
        if (!without?.has(deployment.id)) all.set(deployment.id, deployment);
      }
      await this.slices.next();
    }
    return all;
  }
}
