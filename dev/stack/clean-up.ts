import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endProcesses } from './end-processes.ts';
import { isAlive } from './process-identity.ts';
import { type ForeignThing, type RunRecord, readRecord, runsFolder, writeRecord } from './run-record.ts';
import { removeFolder } from './temporary-folder.ts';

const KEPT_LOGS = 10;

export interface CleanUpOptions {
  runsFolder?: string;
  /** Drops what it can on servers that are not ours. Returns what is left. */
  dropForeign: (things: ForeignThing[]) => Promise<ForeignThing[]>;
  say: (line: string) => void;
}

/**
 * Removes what this checkout's runs with a dead owner left behind: exactly their recorded processes, their data, and what they made on
 * servers that are not ours. A run whose owner is alive is never touched.
 */
export async function cleanUpDeadRuns(options: CleanUpOptions): Promise<void> {
  const ended: string[] = [];
  for (const folder of foldersIn(options.runsFolder ?? runsFolder)) {
    const record = readRecord(folder);
    if (record === undefined) removeIfOld(folder);
    else if (!isAlive(record.owner) && (await cleanUp(folder, record, options))) ended.push(folder);
  }
  // Ids begin with their time, so the last are the newest. Somebody may still want to read their logs.
  for (const folder of ended.toSorted().slice(0, -KEPT_LOGS)) rmSync(folder, { recursive: true, force: true });
}

/** Returns whether nothing of that run is left except its logs. */
async function cleanUp(folder: string, record: RunRecord, options: CleanUpOptions): Promise<boolean> {
  const left = record.processes.filter(isAlive);
  if (left.length > 0) options.say(`ending ${left.map(({ name }) => name).join(', ')} of a run that was killed`);
  await endProcesses(left);
  removeFolder(record.dataFolder);
  if (record.foreign.length === 0) return true;
  const foreign = await options.dropForeign(record.foreign);
  if (hasContainers(record.foreign) && !hasContainers(foreign)) {
    options.say('removed the containers of a run that was killed');
  }
  writeRecord(folder, { ...record, processes: [], foreign });
  return foreign.length === 0;
}

function hasContainers(things: ForeignThing[]): boolean {
  return things.some(({ kind }) => kind === 'containers');
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** A folder without a record belongs to a run that is just starting, or to one that was killed in its first moment. */
function removeIfOld(folder: string): void {
  const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - changedAt > 60_000) rmSync(folder, { recursive: true, force: true });
}
