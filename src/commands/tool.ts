import * as vscode from 'vscode';
import type { Failure } from '../api/failure.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { type FailureAbout, failureSentence, hostOf, organizationName } from '../host/text.js';
import { UserError } from '../host/userError.js';
import { inertLabel } from '../model/inertText.js';

/** One tool: what the person is asked before it runs, and what the model gets. */
export interface Tool {
  /** Shown while it runs. */
  readonly progress: string;
  readonly title: string;
  /** What would be read as of now. Where several things could be meant, the person chooses one first. Sends nothing. */
  ask(input: ToolInput): Promise<ToolQuestion>;
}

/** What one person is asked to agree to. Only this is read afterwards, and from nobody else. */
export interface ToolQuestion {
  /** Equal for questions that ask for the same thing of the same organization. */
  readonly about: string;
  /**
   * Names what would be read, and the organization that would be asked. Markdown, with what others wrote in code spans: outside
   * of chats VS Code shows what is left of them as plain text, references like `&#95;` and all.
   */
  readonly text: string;
  /** The same for a quick pick. */
  readonly item: vscode.QuickPickItem;
  /** A `UserError` becomes the result: the model reads the sentence that a person would see. */
  read(token: vscode.CancellationToken): Promise<ToolResult>;
}

export type ToolInput = Readonly<Record<string, unknown>>;

/** Becomes JSON, so that texts of the service stand in fields of their own. */
export type ToolResult = object;

/** Our sentence about a failure. What the service had a part in is no part of it. */
export interface FailureFields {
  readonly sentence: string;
  readonly redirectedTo?: string;
}

export function failureFields(failure: Failure, about: FailureAbout): FailureFields {
  if (failure.kind !== 'redirected' || failure.host === undefined) return { sentence: failureSentence(failure, about) };
  const sentence = vscode.l10n.t(
    '{status}: {host} redirects to another address. Redirects are never followed, since a token is only sent to its own base URL. If the service has moved, sign in with its new base URL.',
    { status: failure.status, host: about.organization ? hostOf(about.organization.baseUrl) : (about.host ?? '') },
  );
  return { sentence, redirectedTo: failure.host };
}

/** Something with this label, to be read from this organization. */
export function questionItem(label: string, organization: Organization | undefined): vscode.QuickPickItem {
  return { label: inertLabel(label), ...(organization && { detail: organizationDetail(organization) }) };
}

export function organizationDetail(organization: Organization): string {
  return inertLabel(`${organizationName(organization)} · ${organization.baseUrl}`, 400);
}

/** Another organization than the one that the question named is not what the person agreed to. */
export function requireCurrent({ organizations }: Services, asked: Organization | undefined): void {
  if (organizations.current?.id !== asked?.id) throw organizationChanged();
}

export function organizationChanged(): UserError {
  return new UserError(
    vscode.l10n.t('The organization changed since you were asked, so nothing was sent. Ask again for the current one.'),
  );
}
