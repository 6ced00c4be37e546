import type * as vscode from 'vscode';

/** One tool: what the person is asked before it runs, and what the model gets. */
export interface Tool {
  /** Shown while it runs. */
  readonly progress: string;
  readonly title: string;
  /**
   * The organization that would be asked, and the words that name it. Both are as of now. The words are Markdown, with what
   * others wrote in code spans: outside of chats VS Code shows what is left of them as plain text, references like `&#95;` and all.
   */
  question(input: ToolInput): { readonly organizationId: string | undefined; readonly text: string };
  /** A `UserError` becomes the result: the model reads the sentence that a person would see. */
  run(input: ToolInput, token: vscode.CancellationToken): Promise<string>;
}

export type ToolInput = Readonly<Record<string, unknown>>;
