import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, Sentence } from '../../dev/stack/servers/server.ts';
import { say } from '../bench-program.ts';

/** What benches download is kept here, outside the checkout and its packages. */
export const cacheFolder = join(homedir(), '.cache', 'cobro-bench');

/** A file that Maven knows, and what its content has to be. */
export interface PinnedArtifact {
  group: string;
  name: string;
  version: string;
  type: 'jar' | 'war';
  sha256: string;
}

const FETCHED_WITHIN_MS = 10 * 60_000;

/**
 * The artifact's path: in the given folder, or else in the cache, into which the `mvn` client copies it if it is missing.
 * @throws Sentence if it cannot be had
 */
export async function artifactFile(
  { group, name, version, type, sha256 }: PinnedArtifact,
  given: string | undefined,
): Promise<string> {
  const folder = given ?? cacheFolder;
  const file = join(folder, `${name}-${version}.${type}`);
  if (given === undefined && sha256Of(file) !== sha256) {
    say(`mvn copies ${name} ${version} to ${folder}`);
    mkdirSync(folder, { recursive: true });
    await copyByMaven(`${group}:${name}:${version}:${type}`, folder);
  }
  if (sha256Of(file) !== sha256)
    throw new Sentence(`${file} is not there, or is not the file whose SHA-256 is pinned.`);
  return file;
}

async function copyByMaven(artifact: string, folder: string): Promise<void> {
  const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
  try {
    await promisify(execFile)('mvn', args, { cwd: folder, timeout: FETCHED_WITHIN_MS });
  } catch (error) {
    throw new Sentence(
      `mvn cannot fetch ${artifact} (${messageOf(error)}): install maven, or name a folder that has the file by --kill-bill.`,
    );
  }
}

function sha256Of(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}
