import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../../dev/stack/run.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';
import { unprivilegedUser } from '../../dev/stack/servers/unprivileged-user.ts';

/** A disk in memory that can be filled and given room again. */
export interface SmallDisk {
  folder: string;
  /** Shrinks the disk to what is used. */
  fill(): void;
  makeRoom(): void;
}

/** Mounted until the run stops. @throws Sentence if this machine does not let us mount */
export function mountDisk(run: Run, name: string, roomBytes: number): SmallDisk {
  const folder = join(run.dataFolder, name);
  const { uid, gid } = unprivilegedUser('postgres', 'nobody') ?? {};
  if (uid === undefined) throw new Sentence('The sick run mounts small disks, which only root can do.');
  mkdirSync(folder);
  const room = `size=${roomBytes}`;
  mount('-t', 'tmpfs', '-o', `${room},mode=0700,uid=${uid},gid=${gid}`, 'tmpfs', folder);
  run.onStop(async () => void execFileSync('umount', ['--lazy', folder]));
  const resize = (size: string) => mount('-o', `remount,${size}`, folder);
  return {
    folder,
    fill: () => {
      // Usage may grow before the resize, and a disk cannot become smaller than what is on it.
      for (let tries = 0; ; tries++) {
        const { blocks, bfree, bsize } = statfsSync(folder);
        try {
          return resize(`size=${(blocks - bfree + tries) * bsize}`);
        } catch (error) {
          if (tries > 100) throw error;
        }
      }
    },
    makeRoom: () => resize(room),
  };
}

function mount(...args: string[]): void {
  try {
    execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    throw new Sentence(`The sick run could not mount a small disk: ${String((error as { stderr: Buffer }).stderr)}`);
  }
}
