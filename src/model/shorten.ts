let graphemes: Intl.Segmenter | undefined;

/** At most `max` UTF-16 units (as much as a sentence or a label bears), the last one an ellipsis if something was cut; never cuts through a character. */
export function shorten(text: string, max = 80): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  const cut = max - 1;
  // One that is longer than this is no character that anyone reads; it is cut between its code points.
  const window = text.slice(0, cut + 64);
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const border = graphemes.segment(window).containing(cut)?.index ?? cut;
  const kept = text.slice(0, border > cut - 64 && border > 0 ? border : codePointBorder(text, cut));
  // A joiner at the end would have nothing to join, and be made visible when the text is shown once more.
  return `${kept.replace(/[\u200C\u200D]+$/, '')}…`;
}

function codePointBorder(text: string, index: number): number {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;
}
