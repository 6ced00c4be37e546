import MarkdownIt, { type Token } from 'markdown-it';

/** As eager as chats and mail programs are: bare hosts, also of a made-up domain, and addresses become links. */
const renderer = new MarkdownIt({ html: true, linkify: true });
renderer.linkify.set({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true });
renderer.linkify.tlds(['example', 'test'], true);

/** The links, images, and HTML of a Markdown text. */
export function linksIn(markdown: string): readonly string[] {
  return partsOf(markdown).flatMap(({ type, attrs, content }) => {
    if (type === 'link_open' || type === 'image') return [`${type} ${JSON.stringify(attrs)}`];
    return type === 'html_block' || type === 'html_inline' ? [content] : [];
  });
}

/** What GitHub makes of plain words: a mention, the number of an issue, the hash of a commit. */
const reference = /(?<![\w`])@\w[^\s]*|(?<!\w)(?:#|GH-)\d+|(?<!\w)[\da-f]{7,40}(?!\w)/gi;

export function referencesIn(markdown: string): readonly string[] {
  return partsOf(markdown).flatMap(({ type, content }) =>
    type === 'text' ? (content.match(reference) ?? []) : [],
  );
}

/** Blocks of HTML, and what stands in all other blocks; nothing of code. */
function partsOf(markdown: string): readonly Token[] {
  return renderer
    .parse(markdown, {})
    .flatMap((block) => (block.type === 'html_block' ? [block] : (block.children ?? [])));
}
