import * as vscode from 'vscode';
import { isRecord } from '../../api/decode.js';
import { ApiError } from '../../api/failure.js';
import { UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Services } from '../../host/services.js';
import { failureFields, failureWords } from '../../host/text/failure.js';
import { joinSentences } from '../../host/text/format.js';
import { hostOf, organizationName } from '../../host/text/organization.js';
import { codeSpan } from '../../model/inertText.js';
import { dataText, type FailedRead, sentenceText } from '../../model/toolResult.js';
import { noOrganizationError } from '../organizations.js';
import { RequestFailed } from '../sendAs.js';

export interface Tool {
  readonly progress: string;
  readonly title: string;
  /** Most items of a list in the result. */
  readonly maxItems?: number;
  /** What would be read as of now. Sends nothing. */
  ask(input: ToolInput): ToolQuestion;
}

/** What the user is asked to agree to. Only this is read afterwards, and only from the organization that it names. */
interface ToolQuestion {
  /**
   * Names what would be read, and the organization that would be asked, so equal texts ask for the same. Markdown, with foreign text in
   * code spans: outside of chats VS Code shows Markdown as plain text, so that escapes like `&#95;` would stand there.
   */
  readonly text: string;
  /** Whether the organization that would be asked is still the current one. */
  readonly isOfCurrent: () => boolean;
  /** Becomes JSON, so that texts of the platform stand in fields of their own. A `UserError` becomes the result, too. */
  read(token: vscode.CancellationToken): Promise<object>;
}

type ToolInput = Readonly<Record<string, unknown>>;

/** Why a request failed, for a tool's result. */
export function failedFields({ failure, organization, operation }: RequestFailed): FailedRead {
  return failureFields(failure, (ours) => failureWords(ours, organization, operation).sentence);
}

function organizationSpans(organization: Organization) {
  return {
    name: codeSpan(organizationName(organization)),
    host: codeSpan(hostOf(organization.baseUrl)),
  };
}

type Spans = ReturnType<typeof organizationSpans>;

/** A question about the current organization. Another one at the time of the answer is not what the person agreed to. */
export function currentQuestion(
  services: Services,
  text: (asked: Spans) => string,
  read: (organization: Organization, token: vscode.CancellationToken) => Promise<object>,
): ToolQuestion {
  const { organizations } = services;
  const asked = organizations.current;
  return {
    isOfCurrent: () => organizations.current?.id === asked?.id,
    text: asked ? text(organizationSpans(asked)) : nothingIsSent(organizations),
    read: async (token) => {
      // This reads an unreadable keyring once more, so it comes before the comparison.
      await organizations.currentReady;
      const { current } = organizations;
      if (current?.id !== asked?.id) throw organizationChanged();
      if (!current) throw noOrganizationError(organizations);
      return read(current, token);
    },
  };
}

function nothingIsSent({ keyringError }: Organizations): string {
  if (!keyringError) return vscode.l10n.t('You are not signed in, so nothing is sent.');
  return joinSentences(keyringError.message, vscode.l10n.t('Nothing is sent.'));
}

function organizationChanged(): UserError {
  return new UserError(
    vscode.l10n.t('The organization changed, so nothing was sent. Call the tool again.'),
  );
}

export const nothingRead = vscode.l10n.t('The request was cancelled.');

export function adapt(
  { organizations, log }: Services,
  tool: Tool,
): vscode.LanguageModelTool<unknown> {
  /** By input, since VS Code does not say which question an invocation answers. */
  const unanswered = new Map<string, readonly ToolQuestion[]>();
  const redact = (text: string) => log.redactCopy(text);
  const answer = async (input: unknown, token: vscode.CancellationToken) => {
    await organizations.currentReady;
    const key = JSON.stringify(input);
    const questions = unanswered.get(key) ?? [];
    // VS Code does not say that the person declined a question. One of an earlier sign-in can have the
    // same text as the one that was agreed to, which is then of the current sign-in.
    const agreed = questions.find(({ isOfCurrent }) => isOfCurrent()) ?? questions[0];
    // Of questions about different things any may be the one that was agreed to, so all of them are dropped.
    const isClear = questions.every(({ text }) => text === agreed?.text);
    const others = isClear ? questions.filter((one) => one !== agreed) : [];
    if (others.length > 0) unanswered.set(key, others);
    else unanswered.delete(key);
    if (agreed && isClear)
      return dataText(await agreed.read(token), { maxItems: tool.maxItems, redact });
    throw new UserError(
      vscode.l10n.t('It is unclear what was confirmed, so nothing was sent. Call the tool again.'),
    );
  };
  const failureText = (error: unknown) => {
    if (error instanceof RequestFailed) return dataText(failedFields(error), { redact });
    if (error instanceof ApiError) return nothingRead;
    if (error instanceof UserError) return sentenceText(log.redact(error.message));
    log.error(
      `A language-model tool failed: ${error instanceof Error ? error.name : typeof error}`,
    );
    return vscode.l10n.t('Something unexpected went wrong, and nothing was read.');
  };
  return {
    prepareInvocation: async ({ input }) => {
      await organizations.currentReady;
      const question = tool.ask(isRecord(input) ? input : {});
      const key = JSON.stringify(input);
      unanswered.set(key, [...(unanswered.get(key) ?? []), question]);
      const message = new vscode.MarkdownString(question.text);
      return {
        invocationMessage: tool.progress,
        confirmationMessages: { title: tool.title, message },
      };
    },
    // Never throws: VS Code writes the input of a tool that throws into its log.
    invoke: async ({ input }, token) => {
      const text = await answer(input, token).catch(failureText);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}
