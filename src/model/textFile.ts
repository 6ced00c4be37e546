import { readRegularFile } from './regularFile.js';

/**
 * Reads UTF-8, and UTF-16 with a byte order mark. Returns `undefined` for a binary file, of which
 * only the beginning is read, one with more bytes, and what is no regular file. Rejects with the
 * errors of Node.
 */
export async function readTextFile(path: string, maxBytes: number): Promise<string | undefined> {
  let encoding: string | undefined;
  const content = await readRegularFile(path, maxBytes, (chunk) => {
    encoding ??= encodingOf(chunk);
    return encoding === 'utf-8' && chunk.includes(0);
  });
  if (typeof content === 'string') return undefined;
  const text = decodeTextFile(content);
  return text.includes('\0') ? undefined : text;
}

/** Returns the text without its mark. U+FFFD stands for bytes that its encoding does not have. */
export function decodeTextFile(content: Buffer): string {
  return new TextDecoder(encodingOf(content)).decode(content);
}

/** By the byte order mark, with which Windows PowerShell writes UTF-16. */
function encodingOf(beginning: Buffer): string {
  const mark = beginning.toString('hex', 0, 2);
  return { fffe: 'utf-16le', feff: 'utf-16be' }[mark] ?? 'utf-8';
}
