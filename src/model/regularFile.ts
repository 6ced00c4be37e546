import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** Why a file has no content for us: it is a folder, FIFO, socket, or device, or it has more bytes than asked for. */
export type NoContent = 'notRegular' | 'tooLarge';

const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Follows links. A repository can hold links to whatever there is on the machine, so nothing is waited for but the disk: not the writer
 * of a FIFO, not the keyboard of a terminal, not the end of `/dev/zero`. Rejects with the errors of Node. `isEnough`: nothing is
 * read after this chunk.
 */
export async function readRegularFile(
  path: string,
  maxBytes: number,
  isEnough: (chunk: Buffer) => boolean = () => false,
): Promise<Buffer | NoContent> {
  // Some devices do something as soon as they are opened.
  if (!(await stat(path)).isFile()) return 'notRegular';
  // Another file can stand there by now. Windows has neither flag: both are `undefined` there, which is no bit.
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    if (!(await file.stat()).isFile()) return 'notRegular';
    // The size is not asked for: a file can grow meanwhile, and those of `/proc` have none.
    const chunks: Buffer[] = [];
    for await (const chunk of file.createReadStream({ end: maxBytes }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (isEnough(chunk)) break;
    }
    const content = Buffer.concat(chunks);
    return content.length > maxBytes ? 'tooLarge' : content;
  } finally {
    await file.close();
  }
}
