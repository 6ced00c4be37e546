import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/**
 * Why a file is not read: it is a folder, FIFO, socket, or device, or it has more bytes than asked
 * for.
 */
export type NoContent = 'notRegular' | 'tooLarge';

const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Reads a file of at most `maxBytes`, and follows links. A repository can hold links to anything on
 * the machine, so this function waits only for the disk: not for the writer of a FIFO, the keyboard
 * of a terminal, or the end of `/dev/zero`. Rejects with the errors of Node. If `isEnough` returns
 * `true` for a chunk, nothing is read after it.
 */
export async function readRegularFile(
  path: string,
  maxBytes: number,
  isEnough: (chunk: Buffer) => boolean = () => false,
): Promise<Buffer | NoContent> {
  // Some devices do something as soon as they are opened.
  const isRegular = (await stat(path)).isFile();
  if (!isRegular) return 'notRegular';
  // On Windows, `O_NONBLOCK` and `O_NOCTTY` are `undefined`, which is no bit.
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    // Another file may have taken its place before it was opened.
    const isStillRegular = (await file.stat()).isFile();
    if (!isStillRegular) return 'notRegular';
    // The size is not asked for: a file can grow meanwhile, and the files of `/proc` have none.
    const chunks: Buffer[] = [];
    for await (const chunk of file.createReadStream({ end: maxBytes }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (isEnough(chunk)) break;
    }
    // `end` is included, so that a larger file has one byte more than `maxBytes`.
    const content = Buffer.concat(chunks);
    return content.length > maxBytes ? 'tooLarge' : content;
  } finally {
    await file.close();
  }
}
