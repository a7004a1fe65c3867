import { realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

/** The system's temporary folder, or /tmp if TMPDIR points to a place that the servers' own users cannot enter. */
export function temporaryFolder(): string {
  const folder = realpathSync(tmpdir());
  return process.getuid?.() === 0 && !everybodyCanEnter(folder) ? '/tmp' : folder;
}

/** Tries several times, because a process that was just ended, or that nobody recorded, may still write there. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

function everybodyCanEnter(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
