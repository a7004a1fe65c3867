import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endProcesses } from './end-processes.ts';
import { KEPT_BYTES, startLogOver } from './newest-lines.ts';
import { type ProcessIdentity, identityOf } from './process-identity.ts';
import { type ForeignThing, type RunRecord, runsFolder, writeRecord } from './run-record.ts';
import type { ServerOwner } from './servers/server.ts';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

export interface SpawnOptions {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Where the output goes; `log` unless given. */
  output?: 'log' | 'terminal';
  /** Another user to run as. Only root can do that. */
  user?: { uid: number; gid: number } | undefined;
}

/** The children, folders and foreign things of one owner process. `stop` undoes all of it, once. */
export interface Run {
  readonly id: string;
  /** The process that this run lives and dies with. */
  readonly owner: ProcessIdentity;
  /** The folder of logs and records. */
  readonly folder: string;
  /**
   * The folder for data of the private servers. It is outside the clone, because other users may not be able to enter the clone.
   */
  readonly dataFolder: string;
  /** Starts a process in a group of its own. Its newest output goes to its log file. */
  spawn(options: SpawnOptions): ChildProcess;
  logFile(name: string): string;
  /**
   * Announces something that is about to be made on a server. It is dropped at stop if the server outlives the run, and recorded for the
   * next start if the server is not ours. Call this first: after a crash in between, a record without its thing is better than a thing
   * without its record.
   */
  onServer(server: { owner: ServerOwner }, thing: ForeignThing, drop: () => Promise<void>): void;
  /** Registers `undo` to run at stop. The last registered runs first. */
  onStop(undo: () => Promise<void>): void;
  readonly stopping: boolean;
  stop(): Promise<void>;
}

const LOOK_AT_LOGS_EVERY_MS = 1_000;

/**
 * @param keptLogBytes how much of each process's log is kept: the newest half of that in `<name>.log`, older lines in
 * `<name>.1.log`
 */
export function openRun(keptLogBytes = KEPT_BYTES): Run {
  const id = `${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  const owner = identityOf(process.pid);
  if (owner === undefined) throw new Error('this system does not tell when a process started');
  const folder = join(runsFolder, id);
  const record: RunRecord = {
    id,
    owner,
    processes: [],
    dataFolder: join(temporaryFolder(), `cobro-${id}`),
    foreign: [],
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeRecord(folder, record);
  mkdirSync(record.dataFolder);
  chmodSync(record.dataFolder, 0o711);

  const shortening = setInterval(() => shortenLogs(folder, keptLogBytes / 2), LOOK_AT_LOGS_EVERY_MS).unref();
  const undos: (() => Promise<void>)[] = [async () => clearInterval(shortening)];
  let stopped: Promise<void> | undefined;
  const logFile = (name: string) => join(folder, `${name}.log`);
  return {
    id,
    owner,
    folder,
    dataFolder: record.dataFolder,
    logFile,
    spawn(options) {
      if (stopped !== undefined) throw new Error('the stack is stopping');
      const child = spawnLogged(options, logFile(options.name));
      recordUntilExit(child, options.name, record, folder);
      return child;
    },
    onServer({ owner: serverOwner }, thing, drop) {
      if (serverOwner === 'this-run') return;
      if (serverOwner === 'test-run') return void undos.push(drop);
      record.foreign.push(thing);
      writeRecord(folder, record);
      undos.push(async () => {
        await drop();
        record.foreign = record.foreign.filter((other) => other !== thing);
        writeRecord(folder, record);
      });
    },
    onStop: (undo) => void undos.push(undo),
    get stopping() {
      return stopped !== undefined;
    },
    stop: () => (stopped ??= undoAll(undos, record)),
  };
}

async function undoAll(undos: (() => Promise<void>)[], record: RunRecord): Promise<void> {
  const failures: unknown[] = [];
  for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
    await undo().catch((error: unknown) => failures.push(error));
  }
  await endProcesses(record.processes);
  removeFolder(record.dataFolder);
  if (failures.length > 0)
    throw new AggregateError(failures, `not everything could be stopped: ${failures.join('; ')}`);
}

function shortenLogs(folder: string, bytes: number): void {
  try {
    const logs = readdirSync(folder).filter((name) => /(?<!\.1)\.log$/.test(name));
    for (const log of logs.map((name) => join(folder, name))) if (statSync(log).size > bytes) startLogOver(log);
  } catch {
    // A log that stays long (because the disk is full, for instance) is no reason to end what runs.
  }
}

function spawnLogged(options: SpawnOptions, logFile: string): ChildProcess {
  const log = options.output === 'terminal' ? undefined : openSync(logFile, 'a', 0o600);
  try {
    return spawn(options.command, options.args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', log ?? 'inherit', log ?? 'inherit'],
      // A group of its own, so that Ctrl-C reaches only the supervisor, which stops things in order.
      detached: true,
      ...options.user,
    });
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

function recordUntilExit(child: ChildProcess, name: string, record: RunRecord, folder: string): void {
  const identity = child.pid === undefined ? undefined : identityOf(child.pid);
  if (identity === undefined) return;
  const recorded = { name, ...identity };
  record.processes.push(recorded);
  writeRecord(folder, record);
  child.once('exit', () => {
    record.processes = record.processes.filter((other) => other !== recorded);
    writeRecord(folder, record);
  });
}
