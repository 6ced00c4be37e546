import * as vscode from 'vscode';
import type { Failure } from '../../api/failure.js';
import { isRecord } from '../../api/json.js';
import { UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { type FailureAbout, failureSentence } from '../../host/text/failure.js';
import { hostOf, organizationName } from '../../host/text/organization.js';
import { codeSpan, inertLabel } from '../../model/inertText.js';
import { dataText, OpenQuestions, sentenceText } from '../../model/toolResult.js';

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
type ToolResult = object;

/** Our sentence about a failure, without what the service chose: the host of a redirect is a field of its own. */
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

/** Name and host in code spans, for the Markdown of a question. */
export function organizationSpans(organization: Organization): { name: string; host: string } {
  return { name: codeSpan(organizationName(organization)), host: codeSpan(hostOf(organization.baseUrl)) };
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

/** A tool as VS Code calls it. */
export function adapt(services: Services, tool: Tool): vscode.LanguageModelTool<unknown> {
  const { organizations } = services;
  const questions = new OpenQuestions<ToolQuestion>();
  return {
    prepareInvocation: async ({ input }) => {
      await organizations.ready;
      const question = await tool.ask(inputOf(input));
      questions.add(input, question);
      const message = new vscode.MarkdownString(question.text);
      return { invocationMessage: tool.progress, confirmationMessages: { title: tool.title, message } };
    },
    invoke: async ({ input }, token) => {
      const text = await result(services, async () => {
        const agreed = questions.take(input) ?? (await askAgain(tool, inputOf(input)));
        return agreed.read(token);
      });
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}

/** Asks the person here, because VS Code does not tell which of several questions was answered. */
async function askAgain(tool: Tool, input: ToolInput): Promise<ToolQuestion> {
  const question = await tool.ask(input);
  const chosen = await vscode.window.showQuickPick([question.item], {
    title: tool.title,
    placeHolder: vscode.l10n.t('It is not certain which question you agreed to. Select this one to confirm it.'),
    ignoreFocusOut: true,
  });
  if (!chosen) throw new UserError(vscode.l10n.t('Nothing was read: it was cancelled.'));
  return question;
}

/** Never throws: VS Code writes the input of a tool that throws into its log. */
async function result({ log }: Services, run: () => Promise<ToolResult>): Promise<string> {
  try {
    return dataText(await run());
  } catch (error) {
    if (error instanceof UserError) return sentenceText(log.redact(error.message));
    log.error(`A language-model tool failed: ${error instanceof Error ? error.name : typeof error}`);
    return vscode.l10n.t('Something unexpected went wrong, and nothing was read.');
  }
}

function inputOf(input: unknown): ToolInput {
  return isRecord(input) ? input : {};
}
