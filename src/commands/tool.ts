import type * as vscode from 'vscode';

/** One tool: what the person is asked before it runs, and what the model gets. */
export interface Tool {
  /** Shown while it runs. */
  readonly progress: string;
  readonly title: string;
  /** The organization that would be asked, and the words that name it. Both are as of now. */
  question(input: ToolInput): { readonly organizationId: string | undefined; readonly text: string };
  /** A `UserError` becomes the result: the model reads the sentence that a person would see. */
  run(input: ToolInput, token: vscode.CancellationToken): Promise<string>;
}

export type ToolInput = Readonly<Record<string, unknown>>;
