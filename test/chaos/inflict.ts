import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '../../services/definitions.ts';
import { say } from '../../dev/stack/in-own-run.ts';
import type { ServerName } from '../../dev/stack/servers/server.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { BANK_KINDS, bankWith, crashed, halted } from '../sick/begin.ts';
import type { ChaosStack } from './chaos-stack.ts';
import { microseconds } from './history.ts';
import type { FaultName, Planned } from './plan.ts';
import { type Floor, nowOf } from './shop.ts';

/** What a fault acts on: the stack, and the floor, which records jumps of the clock. */
export interface Suffering extends ChaosStack {
  floor: Floor;
}

type Inflict = (suffering: Suffering, planned: Planned) => Promise<() => Promise<unknown>>;

const over = async () => {};

/** Undefined if it does not run, or a small stack has no such replica. */
const pidOf = ({ processes }: Stack, { service, replica }: NonNullable<Planned['target']>): number | undefined =>
  processes.pid(service, replica);

const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

const areDown = new Set<string>();

/** The server crashes, and is started again at the end. */
const down =
  (name: ServerName): Inflict =>
  async ({ stack }) => {
    if (areDown.has(name)) return over;
    areDown.add(name);
    const start = await crashed(name)({ stack });
    return async () => {
      await start();
      areDown.delete(name);
    };
  };

const LOST_BEFORE_CUT_MS = 1_500;

/** The clock jumps to this long before the end of hold windows. */
const BEFORE_END_MS = 10_000;

/** A process that is starting has read the clock already, so it would have the old time for a moment. */
const allReady = ({ processes, urls }: Stack) =>
  Promise.all([
    ...Object.entries(urls).flatMap(([name, replicas]) =>
      replicas.map((_, replica) => processes.ready(name as ServiceName, replica)),
    ),
    processes.ready('bank'),
    processes.ready('otherBank'),
  ]);

/** The clock jumps to shortly before 23:00 of the last day of the oldest holds, and reaches it by itself. */
const passWindow: Inflict = async ({ stack, floor }) => {
  await allReady(stack);
  const now = nowOf(floor);
  const ends = [...floor.windows.values()].filter((end) => end > now + BEFORE_END_MS);
  if (ends.length === 0) return over;
  const start = microseconds();
  const to = new Date(Math.min(...ends) - BEFORE_END_MS).toISOString();
  const moved = await fetch(stack.clockUrl, { method: 'PUT', body: JSON.stringify({ now: to }) });
  if (!moved.ok) throw new Error(`the clock answered ${moved.status}`);
  const { offsetMs } = (await moved.json()) as { offsetMs: number };
  floor.jumps.push({ start, end: microseconds(), offsetMs });
  return over;
};

const inflictions: Record<FaultName, Inflict> = {
  'kill a process': async ({ stack }, { target }) => {
    if (target !== undefined && pidOf(stack, target) !== undefined)
      await stack.processes.kill(target.service, target.replica);
    return over;
  },
  'halt a process': async ({ stack }, { target }) => {
    const pid = target && pidOf(stack, target);
    if (pid === undefined || !isRunning(pid)) return over;
    process.kill(pid, 'SIGSTOP');
    // Another fault may have killed it meanwhile.
    return async () => void (isRunning(pid) && process.kill(pid, 'SIGCONT'));
  },
  'kill Postgres': down('postgres'),
  'halt Postgres': halted('postgres'),
  'restart the broker': down('rabbitmq'),
  // Like a network that goes away: first messages on their way are lost, then connections break.
  'cut the broker': async ({ brokerProxy }) => {
    brokerProxy.hang();
    await sleep(LOST_BEFORE_CUT_MS);
    await brokerProxy.cut();
    return brokerProxy.restore;
  },
  'halt the broker': halted('rabbitmq'),
  'stop Redis': down('redis'),
  'acquirer is silent': bankWith({ kinds: BANK_KINDS, rates: { silentDone: 0.5, silentNotDone: 0.5 } }),
  'acquirer is late': bankWith({ kinds: BANK_KINDS, rates: { slow: 1 }, slowMs: 3_000 }),
  'acquirer doubles': async ({ otherBank }) => {
    otherBank.double(true);
    return async () => otherBank.double(false);
  },
  'acquirer contradicts': async ({ setOtherFaults }) => {
    await setOtherFaults({ rates: { drop: 0.5 } });
    return () => setOtherFaults({});
  },
  'acquirer answers rubbish': bankWith({ kinds: BANK_KINDS, rates: { rubbish: 0.6, error: 0.2, decline: 0.2 } }),
  'acquirer is killed': async ({ stack: { processes } }) => {
    await processes.kill('bank');
    return over;
  },
  'clock passes 23:00': passWindow,
};

/** A fault of the plan with its real times: `performance.now()` in seconds. */
export interface Inflicted extends Planned {
  began: number;
  ended: number;
}

/** Carries out the plan until its last fault has ended. The clock moves alone, even if a server takes long to start. */
export async function inflict(suffering: Suffering, plan: Planned[]): Promise<Inflicted[]> {
  const begun = performance.now();
  const inflictAfter = async (planned: Planned, before: Promise<unknown>): Promise<Inflicted> => {
    await sleep(Math.max(0, begun + planned.at * 1_000 - performance.now()));
    await before;
    const began = performance.now() / 1_000;
    const { service, replica = 0 } = planned.target ?? {};
    say(`${planned.at} s: ${planned.fault}${service ? ` (${service} ${replica + 1})` : ''}, ${planned.seconds} s`);
    const end = await inflictions[planned.fault](suffering, planned);
    await sleep(Math.max(0, (began + planned.seconds) * 1_000 - performance.now()));
    await end();
    return { ...planned, began, ended: performance.now() / 1_000 };
  };
  const all: Promise<Inflicted>[] = [];
  let clock: Promise<unknown> = Promise.resolve();
  for (const planned of plan) {
    const isClock = planned.fault === 'clock passes 23:00';
    const one = inflictAfter(planned, isClock ? Promise.all(all) : clock);
    if (isClock) clock = one;
    all.push(one);
  }
  return Promise.all(all);
}
