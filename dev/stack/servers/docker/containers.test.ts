import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpDeadRuns } from '../../clean-up.ts';
import { dropForeign } from '../../drop-foreign.ts';
import { writeRecord } from '../../run-record.ts';
import { type Run, openRun } from '../../run.ts';
import { fromTestEnvironment } from '../../test-environment.ts';
import { redisAnswers } from '../redis-settings.ts';
import type { Server } from '../server.ts';
import { startServers } from '../start-servers.ts';
import { OWNER_LABEL, RUN_LABEL, findDaemon, obtainImage } from './daemon.ts';

// With STACK=native Docker is not asked, because the user may have a reason for that.
const daemon = process.env['STACK'] === 'native' ? undefined : await findDaemon();
const usable = daemon !== undefined && (await obtainImage(daemon, 'redis:8', () => {})) === undefined;

(usable ? describe : describe.skip)('a server in a container', () => {
  let run: Run;
  let redis: Server;

  beforeEach(async () => {
    run = openRun();
    redis = await startRedis(run);
  }, 60_000);
  afterEach(() => run.stop(), 60_000);

  async function startRedis(of: Run): Promise<Server> {
    const { postgres, rabbitmq } = fromTestEnvironment();
    const settings = { durable: false, virtualHosts: 1, running: { postgres, rabbitmq } };
    return (await startServers(of, settings, () => {}, { STACK: 'docker' })).redis;
  }

  const containersOf = async ({ id }: Run) =>
    (await daemon?.container.dockerode.listContainers({ all: true, filters: { label: [`${RUN_LABEL}=${id}`] } })) ?? [];

  test('says so, listens on 127.0.0.1 only, and names its owner', async () => {
    expect(redis.about).toMatch(/^redis: docker: our own container of redis:8 at 127\.0\.0\.1:\d+$/);
    const [container] = await containersOf(run);
    expect(container?.Ports.filter(({ PublicPort }) => PublicPort).map(({ IP }) => IP)).toEqual(['127.0.0.1']);
    expect(container?.Labels[OWNER_LABEL]).toBe(`${run.owner.pid}:${run.owner.startTime}`);
  });

  test('is killed, and started again on its port', async () => {
    await redis.kill();
    await redis.kill();
    expect(await redisAnswers(redis.url)).toBe(false);
    await redis.start();
    expect(await redisAnswers(redis.url)).toBe(true);
  });

  test('is gone when its run has ended', async () => {
    await run.stop();
    expect(await containersOf(run)).toEqual([]);
  });

  test('is removed by the next start where its run was killed, and only then', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cobro-containers-'));
    const other = openRun();
    try {
      await startRedis(other);
      const owner = { pid: spawnSync('true').pid, startTime: '1' };
      mkdirSync(join(folder, run.id));
      const foreign = [{ kind: 'containers' as const, run: run.id }];
      writeRecord(join(folder, run.id), {
        id: run.id,
        owner,
        processes: [],
        dataFolder: join(folder, 'data'),
        foreign,
      });
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      const drop = (STACK: string) =>
        cleanUpDeadRuns({ runsFolder: folder, say, dropForeign: (things) => dropForeign(things, { STACK }) });
      await drop('native');
      expect([said, await containersOf(run)]).toEqual([[], [expect.anything()]]);
      await drop('');
      expect(said).toEqual(['removed the containers of a run that was killed']);
      expect([await containersOf(run), await containersOf(other)]).toEqual([[], [expect.anything()]]);
    } finally {
      await other.stop();
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
