import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryFolder } from '../../dev/stack/run-record.ts';

/** Copies the files that git knows into this folder, and links the packages that are installed here. */
export function copyTree(to: string): void {
  const files = execFileSync('git', ['ls-files', '-z'], {
    cwd: repositoryFolder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(join(to, dirname(file)), { recursive: true });
    cpSync(join(repositoryFolder, file), join(to, file));
  }
  link(join(repositoryFolder, 'node_modules'), join(to, 'node_modules'));
}

/** Links to the repository's own packages are relative, so they lead into the copy. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const source = join(from, name);
    if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), join(to, name));
    else if (name === '@cobro') link(source, join(to, name));
    else symlinkSync(source, join(to, name));
  }
}
