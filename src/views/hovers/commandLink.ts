import { inertMarkdown } from '../../model/inertText.js';

/**
 * A link in Markdown that runs a command with one id. It works only where the Markdown's `isTrusted` names that command; the
 * title may be text of the service.
 */
export function commandLink(title: string, command: string, id: string): string {
  // Parentheses would end the link.
  const argument = encodeURIComponent(JSON.stringify([id]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  return `[${inertMarkdown(title, 80)}](command:${command}?${argument})`;
}
