import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Not every disk knows files that even root cannot change. `folder`: on that disk. */
export function canLock(folder: string): boolean {
  if (!isRoot()) return true;
  const probe = join(folder, 'probe');
  fs.writeFileSync(probe, '');
  try {
    for (const flag of ['+i', '-i']) execFileSync('chattr', [flag, probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    fs.rmSync(probe);
  }
}

/** Even root writes to a file whose mode forbids it, but not to one that is immutable. @returns how to unlock it. */
export function lock(file: string): () => void {
  if (isRoot()) {
    execFileSync('chattr', ['+i', file]);
    return () => execFileSync('chattr', ['-i', file]);
  }
  fs.chmodSync(file, 0o444);
  return () => fs.chmodSync(file, 0o644);
}
