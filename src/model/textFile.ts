import { readRegularFile } from './regularFile.js';

type Encoding = 'utf8' | 'utf16le' | 'utf16be';

/**
 * Reads UTF-8, and UTF-16 with a byte order mark. Returns `undefined` for a binary file, of which
 * only the beginning is read, one with more bytes, and what is no regular file. Rejects with the
 * errors of Node.
 */
export async function readTextFile(path: string, maxBytes: number): Promise<string | undefined> {
  let encoding: Encoding | undefined;
  const content = await readRegularFile(path, maxBytes, (chunk) => {
    encoding ??= encodingOf(chunk);
    return encoding === 'utf8' && chunk.includes(0);
  });
  if (typeof content === 'string') return undefined;
  const text = decodedText(content, encoding ?? 'utf8');
  return text.includes('\0') ? undefined : text;
}

function encodingOf(beginning: Buffer): Encoding {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf16le';
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return 'utf16be';
  return 'utf8';
}

function decodedText(content: Buffer, encoding: Encoding): string {
  if (encoding !== 'utf16be') return content.toString(encoding);
  const whole = content.subarray(0, content.length - (content.length % 2));
  return Buffer.from(whole).swap16().toString('utf16le');
}
