import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

export const repositoryFolder = resolve(import.meta.dirname, '../..');
/** `.stack` holds records and logs only; one folder per run. */
export const stackFolder = join(repositoryFolder, '.stack');
export const runsFolder = join(stackFolder, 'runs');

export interface RecordedProcess extends ProcessIdentity {
  name: string;
}

/**
 * Something made on a server that is not ours, to be dropped there; `server` is host:port, never with a password.
 * Databases comes with the roles of that prefix; a file of topologies is one that tests write; containers are those of
 * this machine's Docker daemon that have the label of that run.
 */
export type ForeignThing =
  | { kind: 'databases'; server: string; prefix: string }
  | { kind: 'topology'; server: string; prefix: string }
  | { kind: 'topologies'; server: string; file: string }
  | { kind: 'redis-keys'; server: string; prefix: string }
  | { kind: 'containers'; run: string };

/** What the next start needs in order to clean up after a run that was killed. */
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

/** Readable by its owner only; a reader sees the old content or the new, never a part. */
export function writeByRename(file: string, content: unknown): void {
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}
