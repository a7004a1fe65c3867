import { join } from 'node:path';
import { NODE_ENVIRONMENT } from '@cobro/service-kit/node-arguments.ts';
import { compiledFolder, type Packed } from './pack-programs.ts';
import type { ClockServer } from './clock-server.ts';
import { type ClockFollower, pushOffset } from '@cobro/testing/push-offset.ts';
import type { Ports } from './ports.ts';
import type { Run } from './run.ts';
import { repositoryFolder } from './run-record.ts';
import { type Environment, serviceEnvironment, type Surroundings } from '@cobro/testing/service-environment.ts';
import type { Keys } from '@cobro/testing/keys.ts';
import type { ServiceName } from '../../services/definitions.ts';
import { processEnvironment } from './process-environment.ts';
import { type SupervisedProcess, supervise } from './supervisor.ts';

/** Simulators of the bank. The second runs if a stack has two acquirers. */
const BANKS = ['bank', 'otherBank'] as const;
type BankName = (typeof BANKS)[number];
export type ProcessName = ServiceName | BankName;
const isBank = (name: ProcessName): name is BankName => BANKS.some((bank) => bank === name);

export type Processes = Awaited<ReturnType<typeof startProcesses>>;

export interface StartProcessesOptions {
  packed: Packed;
  around: Surroundings;
  /** The database address of each service, with the service's own role. */
  databaseUrls: Readonly<Record<string, string>>;
  spansEndpoint: string | undefined;
  ports: Ports;
  env: Partial<Record<ProcessName, Environment>>;
  clock: ClockServer;
  /** Whether services check each answer against its contract. */
  checked: boolean;
  say: (line: string) => void;
}

/** Longer than a service takes to drain, a little over 25 s. */
const STOP_ONE_WITHIN_MS = 40_000;
/**
 * Processes stop before those that they call, so that none is still called when it ends. Together the waves take less than the 20 s of a
 * stop.
 */
const STOP_WAVES: { of: (name: ProcessName) => boolean; withinMs: number }[] = [
  { of: (name) => name === 'gateway', withinMs: 6_000 },
  { of: (name) => name !== 'gateway' && !isBank(name), withinMs: 7_000 },
  { of: isBank, withinMs: 2_000 },
];

/** The bank and the services of one stack. `replica` counts from 0, and 0 is the default. */
export async function startProcesses(run: Run, options: StartProcessesOptions) {
  const listeners: (() => void)[] = [];
  const onLaunch = () => listeners.forEach((listener) => listener());
  const groups = new Map(
    definitions(options).map(({ name, environments }) => {
      const replicas = environments.map((env, index) => superviseReplica(run, options, { name, env, index, onLaunch }));
      return [name, replicas] as const;
    }),
  );
  const all = [...groups.values()].flat();
  const find = (name: ProcessName, replica = 0) => {
    const found = groups.get(name)?.[replica];
    if (found === undefined) throw new Error(`no ${name} ${replica} in this stack`);
    return found;
  };
  run.onStop(async () => {
    for (const { of, withinMs } of STOP_WAVES) {
      const wave = [...groups].flatMap(([name, replicas]) => (of(name) ? replicas : []));
      await Promise.all(wave.map((process) => process.stop(withinMs)));
    }
  });
  await startAll(all, options.say);
  return {
    pids: (): Partial<Record<ProcessName, number[]>> =>
      Object.fromEntries(
        [...groups].map(([name, replicas]) => [name, replicas.flatMap((process) => process.pid() ?? [])]),
      ),
    /** Undefined if it is not running, or there is no such process. */
    pid: (name: ProcessName, replica: number) => groups.get(name)?.[replica]?.pid(),
    /** All processes: their clocks follow the stack's. */
    followers: () =>
      [...groups].flatMap(([name, replicas]) => replicas.map(({ url }) => followerOf(options.around.keys, name, url))),
    environmentOf: (service: ServiceName) => environmentOf(options, service, 0),
    /** Sends KILL. The process is started again on its port at once; await `ready` for that. */
    kill: (name: ProcessName, replica?: number) => find(name, replica).kill(),
    ready: (name: ProcessName, replica?: number) => find(name, replica).ready(),
    /** Sends TERM, and KILL when that takes too long. Returns the exit code, null after a KILL. The process stays down until `start`. */
    stop: (name: ProcessName, replica?: number) => find(name, replica).stop(STOP_ONE_WITHIN_MS),
    /** Starts a stopped process, and waits until it is ready. Additional environment and other programs are kept for later starts. */
    start: (name: ProcessName, extraEnv?: Environment, replica?: number, packed?: Packed) =>
      find(name, replica).start(extraEnv, packed && argumentsOf(name, packed, options.checked)),
    /** Stops all replicas of a service, one after the other, and starts each with additional environment. */
    restart: async (name: ProcessName, extraEnv?: Environment) => {
      for (const process of groups.get(name) ?? []) {
        await process.stop(STOP_ONE_WITHIN_MS);
        await process.start(extraEnv);
      }
    },
    /** Calls the listener whenever a pid has changed. */
    onChange: (listener: () => void) => void listeners.push(listener),
  };
}

interface Definition {
  name: ProcessName;
  /** The environment of each replica. */
  environments: (Environment & { PORT: string })[];
}

function definitions(options: StartProcessesOptions): Definition[] {
  const { around, ports, env, spansEndpoint } = options;
  const { clockUrl } = around;
  const bank = (name: BankName): Definition => ({
    name,
    environments: [
      {
        ...processEnvironment(name, spansEndpoint),
        HOST: '127.0.0.1',
        DRAIN_DELAY_MS: '0',
        CLOCK_URL: clockUrl,
        ...env[name],
        PORT: String(ports[name]),
      },
    ],
  });
  const services = Object.entries(ports.services) as [ServiceName, number[]][];
  return [
    bank('bank'),
    ...(around.otherBanks === undefined ? [] : [bank('otherBank')]),
    ...services.map(([name, own]) => ({
      name,
      environments: own.map((port, replica) => ({
        ...processEnvironment(name, spansEndpoint),
        ...environmentOf(options, name, replica),
        ...env[name],
        PORT: String(port),
      })),
    })),
  ];
}

function environmentOf(options: StartProcessesOptions, service: ServiceName, replica: number): Environment {
  const { around, ports, databaseUrls } = options;
  return serviceEnvironment(service, around, {
    databaseUrl: databaseUrls[service] ?? '',
    port: ports.services[service]?.[replica] ?? 0,
    partnerPort: ports.partner[replica],
    peoplePort: ports.people[replica],
    dashboardPort: ports.dashboard[replica],
  });
}

interface Replica {
  name: ProcessName;
  env: Environment & { PORT: string };
  index: number;
  onLaunch: () => void;
}

const followerOf = (keys: Keys, name: ProcessName, url: string): ClockFollower =>
  isBank(name) ? { url } : { url, token: () => keys.clockToken(name) };

function argumentsOf(name: ProcessName, packed: Packed, checked: boolean): string[] {
  const main = isBank(name) ? 'simulators/bank' : `services/${name}`;
  return packed.argumentsFor(`${main}/src/main.ts`, { checked: checked && !isBank(name) });
}

function superviseReplica(
  run: Run,
  { clock, around, packed, checked }: StartProcessesOptions,
  replica: Replica,
): SupervisedProcess {
  const { name, env, index, onLaunch } = replica;
  const url = `http://127.0.0.1:${env.PORT}`;
  const follower = followerOf(around.keys, name, url);
  return supervise(run, {
    name: index === 0 ? name : `${name}-${index + 1}`,
    url,
    command: process.execPath,
    args: argumentsOf(name, packed, checked),
    cwd: repositoryFolder,
    env: {
      ...NODE_ENVIRONMENT,
      NODE_COMPILE_CACHE: compiledFolder,
      ...(isBank(name) ? { LEDGER_PATH: join(run.dataFolder, `${name}.sqlite`) } : {}),
      ...env,
    },
    onLaunch,
    // The process read the clock as it started, and the clock may have moved before the process was listening.
    onReady: () =>
      clock.offsetMs() === 0 ? Promise.resolve() : pushOffset(follower, clock.offsetMs()).catch(() => {}),
  });
}

async function startAll(processes: SupervisedProcess[], say: (line: string) => void): Promise<void> {
  const waiting = new Set(processes);
  const progress = setInterval(
    () => say(`still waiting for ${[...waiting].map(({ name }) => name).join(', ')}`),
    5_000,
  );
  try {
    const results = await Promise.allSettled(
      processes.map(async (process) => {
        await process.start();
        waiting.delete(process);
      }),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  } finally {
    clearInterval(progress);
  }
}
