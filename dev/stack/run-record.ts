import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

export const repositoryFolder = resolve(import.meta.dirname, '../..');
/** `.stack` holds records and logs only, in one folder per run. */
export const stackFolder = join(repositoryFolder, '.stack');
export const runsFolder = join(stackFolder, 'runs');

export interface RecordedProcess extends ProcessIdentity {
  name: string;
}

/**
 * Something made on a server that is not ours and that must be dropped there. `server` is host:port, never with a password.
 * Databases are dropped together with the roles of that prefix. A file of topologies is one that tests write. Containers are
 * those of this machine's Docker daemon that have the run's label.
 */
export type ForeignThing =
  | { kind: 'databases'; server: string; prefix: string }
  | { kind: 'topology'; server: string; prefix: string }
  | { kind: 'topologies'; server: string; file: string }
  | { kind: 'redis-keys'; server: string; prefix: string }
  | { kind: 'containers'; run: string };

/** What the next start needs to clean up after a run that was killed. */
export interface RunRecord {
  id: string;
  owner: ProcessIdentity;
  processes: RecordedProcess[];
  dataFolder: string;
  foreign: ForeignThing[];
}

export function readRecord(folder: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}

export function writeRecord(folder: string, record: RunRecord): void {
  writeByRename(join(folder, 'run.json'), record);
}

/** Writes a file that only its owner can read. A reader sees the old content or the new, never a part. */
export function writeByRename(file: string, content: unknown): void {
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}
