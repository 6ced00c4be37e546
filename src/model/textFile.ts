import { readRegularFile } from './regularFile.js';

/**
 * Reads UTF-8, and UTF-16 with a byte order mark. Resolves with `undefined` for a binary file, of
 * which only the beginning is read, a file of more than `maxBytes`, and what is no regular file.
 * Rejects with the errors of Node.
 */
export async function readTextFile(path: string, maxBytes: number): Promise<string | undefined> {
  let encoding: Encoding | undefined;
  const isBinary = (chunk: Buffer): boolean => {
    // The first chunk has the byte order mark.
    encoding ??= encodingOf(chunk);
    return encoding === 'utf-8' && chunk.includes(0);
  };
  const content = await readRegularFile(path, maxBytes, isBinary);
  if (typeof content === 'string') return undefined;
  const text = decodeTextFile(content);
  return text.includes('\0') ? undefined : text;
}

/**
 * Returns the text without its byte order mark. U+FFFD stands for bytes that its encoding does not
 * have.
 */
export function decodeTextFile(content: Buffer): string {
  return new TextDecoder(encodingOf(content)).decode(content);
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Decides by the byte order mark, with which Windows PowerShell writes UTF-16. */
function encodingOf(beginning: Buffer): Encoding {
  switch (beginning.toString('hex', 0, 2)) {
    case 'fffe':
      return 'utf-16le';
    case 'feff':
      return 'utf-16be';
    default:
      return 'utf-8';
  }
}
