import { inertMarkdown } from '../../model/inertText.js';

/**
 * A link in Markdown that runs a command with one id. It works only where the Markdown's `isTrusted` names that command; the
 * title may be text of the service.
 */
export function commandLink(title: string, command: string, id: string): string {
  // What `encodeURIComponent` leaves alone means something to Markdown: a parenthesis would end the link.
  const argument = encodeURIComponent(JSON.stringify([id])).replace(
    /[!'()*~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `[${inertMarkdown(title, 80)}](command:${command}?${argument})`;
}
