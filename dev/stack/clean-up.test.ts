import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpDeadRuns } from './clean-up.ts';
import { type ProcessIdentity, identityOf, isAlive } from './process-identity.ts';
import { type ForeignThing, type RunRecord, readRecord, writeRecord } from './run-record.ts';

describe('cleaning up after runs that were killed', () => {
  let folder: string;
  let children: ChildProcess[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cobro-clean-up-'));
    children = [];
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  function sleeper(): ProcessIdentity {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    children.push(child);
    return identityOf(child.pid as number) as ProcessIdentity;
  }

  const dead: ProcessIdentity = { pid: spawnSync('true').pid, startTime: '1' };
  const owner = identityOf(process.pid) as ProcessIdentity;

  function record(id: string, content: Partial<RunRecord>): string {
    const dataFolder = join(folder, `data-${id}`);
    mkdirSync(join(folder, 'runs', id), { recursive: true });
    mkdirSync(dataFolder);
    writeRecord(join(folder, 'runs', id), { id, owner: dead, processes: [], foreign: [], dataFolder, ...content });
    return dataFolder;
  }

  const cleanUp = (dropForeign = async (things: ForeignThing[]) => things) =>
    cleanUpDeadRuns({ runsFolder: join(folder, 'runs'), dropForeign, say: () => {} });

  test('ends the processes of a run whose owner is dead, and removes its data', async () => {
    const left = sleeper();
    const data = record('a', { processes: [{ name: 'payments', ...left }] });
    await cleanUp();
    expect(isAlive(left)).toBe(false);
    expect(existsSync(data)).toBe(false);
  });

  test('touches nothing of a run whose owner is alive', async () => {
    const running = sleeper();
    const data = record('b', { owner, processes: [{ name: 'payments', ...running }] });
    await cleanUp();
    expect(isAlive(running)).toBe(true);
    expect(existsSync(data)).toBe(true);
  });

  test('leaves a process alone that has the pid of a recorded one but started at another time', async () => {
    const stranger = sleeper();
    record('c', { processes: [{ name: 'payments', pid: stranger.pid, startTime: '1' }] });
    await cleanUp();
    expect(isAlive(stranger)).toBe(true);
  });

  test('takes an owner for dead whose pid another process has now', async () => {
    const left = sleeper();
    record('d', { owner: { ...owner, startTime: '1' }, processes: [{ name: 'payments', ...left }] });
    await cleanUp();
    expect(isAlive(left)).toBe(false);
  });

  test('keeps the record of what could not be dropped on a foreign server until it can', async () => {
    const thing = { kind: 'databases' as const, server: 'db:5432', prefix: 'cobro_e' };
    record('e', { foreign: [thing] });
    await cleanUp();
    expect(readRecord(join(folder, 'runs/e'))?.foreign).toEqual([thing]);
    await cleanUp(async () => []);
    expect(readRecord(join(folder, 'runs/e'))?.foreign).toEqual([]);
  });

  test('keeps the logs of the ten newest runs that ended', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `run${String(i).padStart(2, '0')}`);
    for (const id of ids) record(id, {});
    await cleanUp();
    expect(ids.filter((id) => existsSync(join(folder, 'runs', id)))).toEqual(ids.slice(2));
  });
});
