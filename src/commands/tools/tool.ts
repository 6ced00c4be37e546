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
import { dataText, type FailureFields, sentenceText } from '../../model/toolResult.js';
import { noOrganizationError } from '../organizations.js';
import { RequestFailed } from '../sendAs.js';

/** A read-only tool: what it asks the user, and what it then reads for the language model. */
export interface Tool {
  /** What VS Code shows while the tool runs: "Listing problems" */
  readonly progress: string;
  /** The title of the question: "List the problems of your deployments?" */
  readonly title: string;
  /** The most items that a list in the result has. Default: that of `dataText`. */
  readonly maxItems?: number;
  /** Makes the question about what would be read now. Sends nothing. */
  questionFor(input: ToolInput): ToolQuestion;
}

/**
 * What the user is asked to agree to. Afterwards nothing else is read, and from no other
 * organization than the question names.
 */
export interface ToolQuestion {
  /**
   * Names what would be read and the organization, so equal texts ask for the same. It is Markdown
   * with the platform's and the agent's texts in code spans. Outside of chats, VS Code shows
   * Markdown as plain text, in which escapes like `&#95;` would be seen.
   */
  readonly text: string;
  /** Whether the organization that the question names is still the current one. */
  readonly isOfCurrent: () => boolean;
  /**
   * Reads what the question names. The object becomes JSON, with texts of the platform in fields of
   * their own. A `UserError` that it throws becomes the result.
   */
  read(cancellation: vscode.CancellationToken): Promise<object>;
}

type ToolInput = Readonly<Record<string, unknown>>;

/** Returns why a request failed, as fields of a tool's result. */
export function failedFields({ failure, organization, operation }: RequestFailed): FailureFields {
  return failureFields(
    failure,
    (ourFailure) => failureWords(ourFailure, organization, operation).sentence,
  );
}

/** Name and host of an organization as code spans: "`Acme`" and "`api.acme.example`". */
interface OrganizationSpans {
  readonly name: string;
  readonly host: string;
}

function organizationSpans(organization: Organization): OrganizationSpans {
  return {
    name: codeSpan(organizationName(organization)),
    host: codeSpan(hostOf(organization.baseUrl)),
  };
}

/**
 * Makes a question about the current organization. `textFor` makes its text, unless the user is not
 * signed in. `read` runs after the user has agreed, if the organization is still the current one:
 * the user has not agreed to another one.
 */
export function questionAboutCurrent(
  services: Services,
  textFor: (spans: OrganizationSpans) => string,
  read: (organization: Organization, cancellation: vscode.CancellationToken) => Promise<object>,
): ToolQuestion {
  const { organizations } = services;
  const organization = organizations.current;
  return {
    isOfCurrent: () => organizations.current?.id === organization?.id,
    text: organization ? textFor(organizationSpans(organization)) : notSentText(organizations),
    read: async (cancellation) => {
      // This reads an unreadable keyring once more, so it comes before the comparison.
      await organizations.currentReady;
      const { current } = organizations;
      if (current?.id !== organization?.id) throw organizationChanged();
      if (!current) throw noOrganizationError(organizations);
      return read(current, cancellation);
    },
  };
}

/** "You are not signed in, so nothing is sent.", or why the keyring could not be read. */
function notSentText({ keyringError }: Organizations): string {
  if (!keyringError) return vscode.l10n.t('You are not signed in, so nothing is sent.');
  return joinSentences(keyringError.message, vscode.l10n.t('Nothing is sent.'));
}

function organizationChanged(): UserError {
  return new UserError(
    vscode.l10n.t('The organization changed, so nothing was sent. Call the tool again.'),
  );
}

export const cancelledText = vscode.l10n.t('The request was cancelled.');

/**
 * A tool as VS Code calls it: first to prepare a question, then to run what the user has agreed to.
 * Keeps the questions in between. App makes one for each tool.
 */
export class ConfirmedTool implements vscode.LanguageModelTool<unknown> {
  /** By the input as JSON, because VS Code does not say which question an invocation answers. */
  private readonly openQuestions = new Map<string, readonly ToolQuestion[]>();
  private readonly redact = (text: string): string => this.services.log.redactCopy(text);

  constructor(
    private readonly services: Pick<Services, 'organizations' | 'log'>,
    private readonly tool: Tool,
  ) {}

  async prepareInvocation(
    options: vscode.LanguageModelToolInvocationPrepareOptions<unknown>,
  ): Promise<vscode.PreparedToolInvocation> {
    const { input } = options;
    const { tool, openQuestions } = this;
    await this.services.organizations.currentReady;
    const question = tool.questionFor(isRecord(input) ? input : {});
    const key = JSON.stringify(input);
    openQuestions.set(key, [...(openQuestions.get(key) ?? []), question]);
    const message = new vscode.MarkdownString(question.text);
    return {
      invocationMessage: tool.progress,
      confirmationMessages: { title: tool.title, message },
    };
  }

  /** Never rejects: VS Code writes the input of a tool that throws into its log. */
  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<unknown>,
    cancellation: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const text = await this.answerText(input, cancellation).catch((error: unknown) =>
      this.errorText(error),
    );
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }

  private async answerText(
    input: unknown,
    cancellation: vscode.CancellationToken,
  ): Promise<string> {
    await this.services.organizations.currentReady;
    const agreed = this.takeAgreedQuestion(JSON.stringify(input));
    const data = await agreed.read(cancellation);
    return dataText(data, { maxItems: this.tool.maxItems, redact: this.redact });
  }

  /**
   * Returns the question that the user has agreed to, and forgets it. There may be several for the
   * same input, because VS Code does not say that the user declined a question. If they are about
   * different things, the user may have agreed to any of them: forgets all, and throws.
   */
  private takeAgreedQuestion(key: string): ToolQuestion {
    const questions = this.openQuestions.get(key) ?? [];
    // A declined question of an earlier sign-in can have the same text. The user has agreed to the
    // one of the current sign-in.
    const agreed = questions.find(({ isOfCurrent }) => isOfCurrent()) ?? questions[0];
    const isClear = questions.every(({ text }) => text === agreed?.text);
    const others = isClear ? questions.filter((question) => question !== agreed) : [];
    if (others.length > 0) this.openQuestions.set(key, others);
    else this.openQuestions.delete(key);

    if (agreed && isClear) return agreed;
    throw new UserError(
      vscode.l10n.t('It is unclear what was confirmed, so nothing was sent. Call the tool again.'),
    );
  }

  /** The result for a read that failed: fields as JSON for a failed request, else a sentence. */
  private errorText(error: unknown): string {
    const { log } = this.services;
    if (error instanceof RequestFailed) {
      return dataText(failedFields(error), { redact: this.redact });
    }
    if (error instanceof ApiError) return cancelledText;
    if (error instanceof UserError) return sentenceText(log.redact(error.message));
    const errorName = error instanceof Error ? error.name : typeof error;
    log.error(`A language-model tool failed: ${errorName}`);
    return vscode.l10n.t('Something unexpected went wrong, and nothing was read.');
  }
}
