import * as vscode from 'vscode';
import type { SettingChange } from '../../host/list/scopedSetting.js';
import { scopeForNewEntries } from '../../host/list/settingsScope.js';
import { showStatusBarMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, listText, numberText, plural } from '../../host/text/format.js';
import { organizationName } from '../../host/text/organization.js';
import { asEnteredId, type EnteredId, enteredIds } from '../../model/entered/enteredIds.js';
import { installTokenIn } from '../../model/entered/tokens.js';
import type { ListedDeployment } from '../../model/findings/deployment.js';
import { unmutedProblems } from '../../model/findings/state.js';
import {
  askInSteps,
  idErrorText,
  note,
  type TextQuestion,
  type ValidationMessage,
  warning,
} from '../questions.js';
import { scopeNames, willBeSavedText } from './scopeNames.js';

/**
 * Asks for IDs, and for a label if there is a single ID, and adds the deployments to the list.
 * `prefill`: what the boxes contain at first.
 */
export async function addDeployment(
  services: Services,
  prefill: Partial<ListedDeployment> = {},
): Promise<void> {
  const draft = {
    ids: prefill.id === undefined ? '' : asEnteredId(prefill.id),
    label: prefill.label ?? '',
  };
  await services.organizations.waitForSignIns();
  const isAnswered = await askInSteps(vscode.l10n.t('Add Deployment'), draft, [
    { field: 'ids', question: () => idsQuestion(services) },
    { field: 'label', question: () => labelQuestion(services, draft.ids) },
  ]);
  if (!isAnswered) return;

  const ids = enteredIds(draft.ids).map(({ id }) => id);
  const newIds = ids.filter((id) => !isListed(services, id));
  if (newIds.length === 0) return services.reveal(ids[0]!);
  const label = ids.length === 1 ? draft.label.trim() : '';
  await addToList(
    services,
    newIds.map((id) => (label === '' ? { id } : { id, label })),
  );
}

/**
 * Adds deployments to the list, reports that, and reads them. `report` gets the sentence "Added 2
 * deployments to user settings." and the change; by default, the status bar shows the sentence.
 */
export async function addToList(
  services: Services,
  deployments: readonly ListedDeployment[],
  report: (sentence: string, change: SettingChange) => void = showStatusBarMessage,
): Promise<void> {
  const change = await services.deploymentList.add(deployments);
  const words = { count: numberText(deployments.length), place: scopeNames(change.scopes) };
  const sentence =
    deployments.length === 1
      ? vscode.l10n.t('Added to {place}.', words)
      : vscode.l10n.t('Added {count} deployments to {place}.', words);
  report(sentence, change);
  const ids = deployments.map(({ id }) => id);
  await readAndShow(services, ids);
}

/**
 * Reads these deployments and shows the row of the first. Opens the row if the deployment is the
 * only one and has a problem.
 */
export async function readAndShow(services: Services, ids: readonly string[]): Promise<void> {
  const { memory, organizations, store } = services;
  const [firstId] = ids;
  if (firstId === undefined || !organizations.current || !store.get(firstId)) return;
  const reading = store.refresh(ids, { urgent: true });
  await services.reveal(firstId);
  await reading;

  const problems = unmutedProblems(store.get(firstId)?.answer?.findings, memory);
  // The problems are below the row.
  if (ids.length === 1 && problems.length > 0) await services.open(firstId);
}

export function isListed({ store }: Pick<Services, 'store'>, id: string): boolean {
  return store.get(id) !== undefined;
}

/** "Will be saved in team.code-workspace. Will be read from “Acme”." */
function willBeAddedText({ organizations }: Services): string {
  return joinSentences(
    willBeSavedText(scopeForNewEntries()),
    organizations.current
      ? vscode.l10n.t('Will be read from “{name}”.', {
          name: organizationName(organizations.current),
        })
      : vscode.l10n.t('Will be read when you sign in.'),
  );
}

function idsQuestion(services: Services): TextQuestion {
  return {
    prompt: joinSentences(
      vscode.l10n.t('Deployment ID, or several separated by spaces or commas.'),
      willBeAddedText(services),
    ),
    placeholder: vscode.l10n.t('Deployment ID'),
    validate: (value) => idsMessage(services, value),
  };
}

/**
 * What Add Deployment says about the entered text: an error (a string) if an ID cannot be used, a
 * warning, a note on what will be added, or nothing about a single usual ID.
 */
export function idsMessage(services: Services, text: string): ValidationMessage {
  const entered = enteredIds(text);
  if (entered.length === 0) return unusableIdTexts().empty;
  const error = unusableIdsText(services, text, entered);
  if (error !== undefined) return error;

  const adds = addsText(entered);
  const doubt = idsWarning(services, entered);
  if (doubt !== undefined) return warning(joinSentences(adds, doubt));
  if (entered.length > 1) {
    const quotesHint = vscode.l10n.t('Put quotes around an ID that contains spaces.');
    return note(joinSentences(adds, quotesHint));
  }
  return adds === undefined ? undefined : note(adds);
}

/** Returns why the first unusable ID cannot be used; `undefined` if all can. */
function unusableIdsText(
  services: Services,
  text: string,
  entered: readonly EnteredId[],
): string | undefined {
  // A token may contain what separates IDs, so the whole text is compared first.
  if (services.organizations.hasTokenIn(text)) return unusableIdTexts().token;
  return entered
    .map(({ id }) => unusableIdText(services, id))
    .find((message) => message !== undefined);
}

/**
 * "Adds 2 deployments: dep_1, dep_2.", "Adds “dep_1”, the last part of the URL."; `undefined` for a
 * single ID that is added as it was entered.
 */
function addsText(entered: readonly EnteredId[]): string | undefined {
  if (entered.length > 1) {
    const ids = listText(entered.map(({ id }) => id));
    return vscode.l10n.t('Adds {count} deployments: {ids}.', {
      count: numberText(entered.length),
      ids,
    });
  }
  const [first] = entered;
  return first?.isFromUrl
    ? vscode.l10n.t('Adds “{id}”, the last part of the URL.', { id: first.id })
    : undefined;
}

/**
 * "This may be an install token.", "1 of them is already in the list."; `undefined` if all IDs look
 * as usual and are new.
 */
function idsWarning(services: Services, entered: readonly EnteredId[]): string | undefined {
  const mayBeInstallToken = entered.some(
    ({ id, isFromUrl }) => isFromUrl && installTokenIn(id).kind !== 'none',
  );
  if (mayBeInstallToken) return vscode.l10n.t('This may be an install token.');
  const ids = entered.map(({ id }) => id);
  const unusual = ids.map(unusualIdText).find((text) => text !== undefined);
  return unusual ?? alreadyListedText(services, ids);
}

/** "Already in the list. Press Enter to show it.", "2 of them are already in the list." */
function alreadyListedText(services: Services, ids: readonly string[]): string | undefined {
  const count = ids.filter((id) => isListed(services, id)).length;
  if (count === 0) return undefined;
  if (count === ids.length) return vscode.l10n.t('Already in the list. Press Enter to show it.');
  return plural(
    count,
    vscode.l10n.t('{count} of them is already in the list.', { count: numberText(count) }),
    vscode.l10n.t('{count} of them are already in the list.', { count: numberText(count) }),
  );
}

/** "Enter the ID of a deployment."; `undefined` if the ID can be used. */
export function unusableIdText(services: Services, id: string): string | undefined {
  return idErrorText(services, id, unusableIdTexts());
}

/**
 * Warns of a text that is probably no ID: "IDs rarely contain spaces or slashes: “acme/dep_1”." An
 * ID can contain any character, so the user may add it nevertheless. Returns `undefined` for an ID
 * without spaces and slashes.
 */
export function unusualIdText(id: string): string | undefined {
  return /[\s/\\]/.test(id)
    ? vscode.l10n.t('IDs rarely contain spaces or slashes: “{id}”.', { id })
    : undefined;
}

function unusableIdTexts() {
  return {
    empty: vscode.l10n.t('Enter the ID of a deployment.'),
    token: vscode.l10n.t(
      'This is a token, not the ID of a deployment. Do not put tokens into settings.',
    ),
  };
}

/** `undefined`, which skips the question, for several IDs and for one that is listed already. */
function labelQuestion(services: Services, enteredText: string): TextQuestion | undefined {
  const [only, another] = enteredIds(enteredText);
  if (!only || another || isListed(services, only.id)) return undefined;
  return {
    prompt: joinSentences(
      vscode.l10n.t('Label for “{id}”.', { id: only.id }),
      willBeAddedText(services),
    ),
    placeholder: vscode.l10n.t('Label (optional)'),
    validate: (value) => labelMessage(services, value),
  };
}

/** Returns why the label cannot be used; `undefined` if it can. */
export function labelMessage({ organizations }: Services, label: string): string | undefined {
  return organizations.hasTokenIn(label)
    ? vscode.l10n.t('This label contains a token. Do not put tokens into settings.')
    : undefined;
}
