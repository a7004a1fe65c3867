import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Undefined if this machine has no such program. Tests of clusters and sentinels are skipped then. */
export const redisProgram = findProgram(['redis-server', 'valkey-server']);

const PASSWORD = 'p@ss:word';
const SLOTS = 16_384;

interface Server {
  port: number;
  process: ChildProcess;
  ask(...command: string[]): Promise<unknown>;
}

/** A test's own servers, for what the shared Redis cannot do. */
export interface RedisServers {
  /** As `REDIS_URL` takes it. */
  url: string;
  ports: number[];
  /** Kills the server that has this port. */
  kill(port: number): void;
  close(): void;
}

/** Servers that share the slots of a cluster evenly. */
export async function openRedisCluster(nodes: number): Promise<RedisServers> {
  const folder = mkdtempSync(join(tmpdir(), 'cobro-redis-'));
  const start = async () => {
    const busPort = await freePort();
    const own = [
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      `${busPort}.conf`,
      '--cluster-port',
      `${busPort}`,
    ];
    return { busPort, ...(await startServer(folder, [...own, ...withPassword])) };
  };
  const servers = await Promise.all(Array.from({ length: nodes }, start));
  const share = Math.ceil(SLOTS / nodes);
  for (const [i, { ask }] of servers.entries()) {
    await ask('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1));
    await ask('CLUSTER', 'ADDSLOTSRANGE', String(i * share), String(Math.min(SLOTS, (i + 1) * share) - 1));
    for (const { port, busPort } of servers.slice(0, i)) {
      await ask('CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort));
    }
  }
  const knowsAll = async ({ ask }: Server) => {
    const info = String(await ask('CLUSTER', 'INFO'));
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes}`);
  };
  await until('every server knows the cluster', async () => (await Promise.all(servers.map(knowsAll))).every(Boolean));
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return handle(folder, servers, `redis://default:${encodeURIComponent(PASSWORD)}@${hosts}?mode=cluster`);
}

/** A server with a copy of it, and a sentinel that promotes the copy if the server is gone. The first port is the server's. */
export async function openRedisSentinel(): Promise<RedisServers> {
  const folder = mkdtempSync(join(tmpdir(), 'cobro-redis-'));
  const master = await startServer(folder, withPassword);
  const copy = await startServer(folder, [...withPassword, '--replicaof', '127.0.0.1', String(master.port)]);
  const configuration = join(folder, 'sentinel.conf');
  writeFileSync(
    configuration,
    [
      `sentinel monitor shop 127.0.0.1 ${master.port} 1`,
      `sentinel auth-pass shop ${PASSWORD}`,
      'sentinel down-after-milliseconds shop 1000',
      'sentinel failover-timeout shop 3000',
      '',
    ].join('\n'),
  );
  const sentinel = await startServer(folder, [configuration, '--sentinel', '--requirepass', 'other']);
  await until('the copy is known', async () =>
    JSON.stringify(await sentinel.ask('SENTINEL', 'REPLICAS', 'shop')).includes(String(copy.port)),
  );
  const [password, other] = [encodeURIComponent(PASSWORD), 'other'];
  const url = `redis://default:${password}@127.0.0.1:${sentinel.port}/0?mode=sentinel&master=shop&sentinelPassword=${other}`;
  return handle(folder, [master, copy, sentinel], url);
}

const withPassword = ['--requirepass', PASSWORD, '--masterauth', PASSWORD, '--save', '', '--appendonly', 'no'];

async function startServer(folder: string, args: string[]): Promise<Server> {
  if (redisProgram === undefined) throw new Error('this machine has no redis-server');
  const port = await freePort();
  const child = spawn(redisProgram, [...args, '--port', String(port), '--bind', '127.0.0.1', '--dir', folder], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
  const password = args.includes('--sentinel') ? 'other' : PASSWORD;
  const ask = async (...command: string[]) => {
    const socket = { port, host: '127.0.0.1', reconnectStrategy: false as const };
    const client = createClient({ socket, password }).on('error', () => {});
    try {
      await client.connect();
      return await client.sendCommand(command);
    } finally {
      if (client.isOpen) client.destroy();
    }
  };
  const answers = () =>
    ask('PING').then(
      () => true,
      () => false,
    );
  await until('the server answers', answers);
  return { port, process: child, ask };
}

const handle = (folder: string, servers: Server[], url: string): RedisServers => ({
  url,
  ports: servers.map(({ port }) => port),
  kill: (port) => void servers.find((server) => server.port === port)?.process.kill('SIGKILL'),
  close: () => {
    for (const { process } of servers) process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  },
});
