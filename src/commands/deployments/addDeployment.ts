import * as vscode from 'vscode';
import type { SettingChange } from '../../host/list/scopedSetting.js';
import { addScope } from '../../host/list/settingsScope.js';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, listText, numberText, plural } from '../../host/text/format.js';
import { organizationName } from '../../host/text/organization.js';
import { asEnteredId, enteredIds } from '../../model/entered/enteredIds.js';
import { installTokenIn } from '../../model/entered/tokens.js';
import type { ListedDeployment } from '../../model/findings/deployment.js';
import { countedProblems } from '../../model/findings/state.js';
import {
  askInSteps,
  idErrorText,
  note,
  type TextQuestion,
  type ValidationMessage,
  warning,
} from '../questions.js';
import { scopeNames, willBeSavedText } from './scopeNames.js';

export async function addDeployment(
  services: Services,
  given: Partial<ListedDeployment> = {},
): Promise<void> {
  const draft = {
    ids: given.id === undefined ? '' : asEnteredId(given.id),
    label: given.label ?? '',
  };
  await services.organizations.waitForSignIns();
  const isAnswered = await askInSteps(vscode.l10n.t('Add Deployment'), draft, [
    { field: 'ids', question: () => idsQuestion(services) },
    { field: 'label', question: () => labelQuestion(services, draft.ids) },
  ]);
  if (!isAnswered) return;
  const ids = enteredIds(draft.ids).map(({ id }) => id);
  const fresh = ids.filter((id) => !isListed(services, id));
  const label = ids.length === 1 ? draft.label.trim() : '';
  if (fresh.length === 0) return services.reveal(ids[0]!);
  await addToList(
    services,
    fresh.map((id) => ({ id, ...(label && { label }) })),
  );
}

export async function addToList(
  services: Services,
  deployments: readonly ListedDeployment[],
  say: (sentence: string, change: SettingChange) => void = mention,
): Promise<void> {
  const change = await services.deploymentList.add(deployments);
  const words = { count: numberText(deployments.length), place: scopeNames(change.scopes) };
  const sentence =
    deployments.length === 1
      ? vscode.l10n.t('Added to {place}.', words)
      : vscode.l10n.t('Added {count} deployments to {place}.', words);
  say(sentence, change);
  const ids = deployments.map(({ id }) => id);
  await readAndShow(services, ids);
}

export async function readAndShow(services: Services, ids: readonly string[]): Promise<void> {
  const { memory, organizations, store } = services;
  const [first = ''] = ids;
  if (!organizations.current || !store.get(first)) return;
  const reading = store.refresh(ids, { urgent: true });
  await services.reveal(first);
  await reading;
  const problems = countedProblems(store.get(first)?.answer?.findings, memory);
  // The problems are below the row, so it is opened.
  if (ids.length === 1 && problems.length > 0) await services.open(first);
}

export function isListed({ store }: Pick<Services, 'store'>, id: string): boolean {
  return store.get(id) !== undefined;
}

function targetText({ organizations }: Services): string {
  return joinSentences(
    willBeSavedText(addScope()),
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
      targetText(services),
    ),
    placeholder: vscode.l10n.t('Deployment ID'),
    validate: (value) => idsMessage(services, value),
  };
}

export function idsMessage(services: Services, text: string): ValidationMessage {
  const entered = enteredIds(text);
  const [first] = entered;
  const { empty, token } = wrongIds();
  if (!first) return empty;
  const ids = entered.map(({ id }) => id);
  // Looked at as a whole too, since a token may contain what separates ids.
  const wrong = services.organizations.hasTokenIn(text)
    ? token
    : ids.map((id) => idMessage(services, id)).find(Boolean);
  if (wrong !== undefined) return wrong;

  const count = numberText(ids.length);
  let adds = first.isFromUrl
    ? vscode.l10n.t('Adds “{id}”, the last part of the URL.', { id: first.id })
    : undefined;
  if (ids.length > 1)
    adds = vscode.l10n.t('Adds {count} deployments: {ids}.', { count, ids: listText(ids) });
  const beware = entered.some(
    ({ id, isFromUrl }) => isFromUrl && installTokenIn(id).kind !== 'none',
  )
    ? vscode.l10n.t('This may be an install token.')
    : (ids.map(unusualText).find(Boolean) ?? listedText(services, ids));
  if (beware !== undefined) return warning(joinSentences(adds, beware));
  if (ids.length > 1)
    return note(
      joinSentences(adds, vscode.l10n.t('Put quotes around an ID that contains spaces.')),
    );
  return adds === undefined ? undefined : note(adds);
}

function listedText(services: Services, ids: readonly string[]): string | undefined {
  const count = ids.filter((id) => isListed(services, id)).length;
  if (count === 0) return undefined;
  if (count === ids.length) return vscode.l10n.t('Already in the list. Press Enter to show it.');
  return plural(
    count,
    vscode.l10n.t('{count} of them is already in the list.', { count: numberText(count) }),
    vscode.l10n.t('{count} of them are already in the list.', { count: numberText(count) }),
  );
}

export function idMessage(services: Services, id: string): string | undefined {
  return idErrorText(services, id, wrongIds());
}

/** An id can have anything in it, but most of those with a space or a slash are something else that was pasted. */
export function unusualText(id: string): string | undefined {
  return /[\s/\\]/.test(id)
    ? vscode.l10n.t('IDs rarely contain spaces or slashes: “{id}”.', { id })
    : undefined;
}

function wrongIds() {
  return {
    empty: vscode.l10n.t('Enter the ID of a deployment.'),
    token: vscode.l10n.t(
      'This is a token, not the ID of a deployment. Do not put tokens into settings.',
    ),
  };
}

function labelQuestion(services: Services, text: string): TextQuestion | undefined {
  const [only, another] = enteredIds(text);
  if (!only || another || isListed(services, only.id)) return undefined;
  return {
    prompt: joinSentences(
      vscode.l10n.t('Label for “{id}”.', { id: only.id }),
      targetText(services),
    ),
    placeholder: vscode.l10n.t('Label (optional)'),
    validate: (value) => labelMessage(services, value),
  };
}

export function labelMessage({ organizations }: Services, label: string): string | undefined {
  return organizations.hasTokenIn(label)
    ? vscode.l10n.t('This label contains a token. Do not put tokens into settings.')
    : undefined;
}
