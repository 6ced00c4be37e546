import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** "list.json was not read (EACCES: permission denied)." */
export function unreadText(file: string, error: unknown): string {
  if (isMissing(error))
    return `${file} is a link to a file that does not exist, so it was not read.`;
  // The parser calls itself for each level, until the stack of calls is full.
  if (error instanceof RangeError) return `${file} is nested too deeply, so it was not read.`;
  return `${file} was not read (${reasonOf(error)}).`;
}

/** Node's message without what Node did: `EACCES: permission denied, open 'list.txt'`. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, .*/s, '');
}

/** Whether Node has found no such file or folder. */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Whether a missing file, or its folder, is a link to what does not exist. */
export async function isBehindBrokenLink(file: string): Promise<boolean> {
  const areLinks = await Promise.all([file, dirname(file)].map(isBrokenLink));
  return areLinks.includes(true);
}

async function isBrokenLink(path: string): Promise<boolean> {
  const [link, target] = await Promise.allSettled([lstat(path), stat(path)]);
  return link.status === 'fulfilled' && target.status === 'rejected';
}
