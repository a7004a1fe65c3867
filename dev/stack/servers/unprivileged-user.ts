import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';

export interface User {
  uid: number;
  gid: number;
}

/** The first of these users that exists. Undefined if none does, or if we are not root and can only run as ourselves. */
export function unprivilegedUser(...names: string[]): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of names) {
    const uid = idOf('-u', name);
    const gid = idOf('-g', name);
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  return undefined;
}

export function giveTo(user: User | undefined, ...paths: string[]): void {
  if (user !== undefined) for (const path of paths) chownSync(path, user.uid, user.gid);
}

function idOf(flag: '-u' | '-g', name: string): number | undefined {
  try {
    return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return undefined;
  }
}
