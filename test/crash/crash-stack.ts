import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment } from '@cobro/contracts/payments.ts';
import { type Books, untilAgreed } from '@cobro/testing/agreement.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import {
  type HttpAnswer,
  type RunningServices,
  type ServiceName,
  startServices,
} from '@cobro/testing/start-services.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { moveTo, moveToNoon, testHolds } from '@cobro/testing/test-holds.ts';
import { startTwoAcquirers } from '@cobro/testing/two-acquirers.ts';
import { until } from '@cobro/testing/until.ts';
import { DIE_AT_FILE, DIE_AT_HEADER, type Trap } from './points.ts';

const REPLICAS = inFull ? 2 : 1;

type Mortal = 'payments' | 'holds' | 'intents';
type Headers = Record<string, string>;

export type CrashStack = Awaited<ReturnType<typeof crashStackOf>>;

/** payments, holds, reporting and, if asked for, intents; all but reporting can die where a test says. */
export async function startCrashStack({ withIntents = false } = {}) {
  const { folder, trapFile, env } = trapped();
  const names: ServiceName[] = ['payments', 'holds', 'reporting', ...(withIntents ? (['intents'] as const) : [])];
  const services = await startServices({ services: names, env, replicas });
  await moveToNoon(services);
  const books: Books = {
    bankUrl: services.bank.url,
    payments: services.db('payments'),
    holds: services.db('holds'),
    ...(withIntents ? { intents: services.db('intents') } : {}),
    reporting: services.db('reporting'),
  };
  return crashStackOf({ services, books, folder, trapFile, stop: services.stop });
}

/** The same with intents and a second acquirer. Do not move its clock. */
export async function startCrashStackOfTwo() {
  const { folder, trapFile, env } = trapped();
  const two = await startTwoAcquirers(['payments', 'holds', 'reporting', 'intents'], { env, replicas });
  const { services, books, stop } = two;
  return { ...(await crashStackOf({ services, books, folder, trapFile, stop })), two };
}

const replicas = { payments: REPLICAS, holds: REPLICAS, intents: REPLICAS };

/** An environment in which processes die where a test says, and the file in which the test says it. */
export function trapped() {
  const folder = mkdtempSync(join(tmpdir(), 'cobro-crash-'));
  const trapFile = join(folder, 'trap.json');
  const preload = packedFile('test/crash/die-at.ts');
  const env = { BANK_CALL_TIMEOUT_MS: '4000', NODE_OPTIONS: `--import=${preload}`, [DIE_AT_FILE]: trapFile };
  return { folder, trapFile, env };
}

/** The file is renamed into place, so that no process reads half of it. */
export function setTrap(trapFile: string, trap: Trap): void {
  writeFileSync(`${trapFile}.new`, JSON.stringify(trap));
  renameSync(`${trapFile}.new`, trapFile);
}

interface Trapped {
  services: RunningServices;
  books: Books;
  folder: string;
  trapFile: string;
  stop: () => Promise<void>;
}

async function crashStackOf({ services, books, folder, trapFile, stop }: Trapped) {
  return {
    services,
    holds: await testHolds(services),
    /** Sends a request to the first replica, which dies at the point and is started again; false if it answered. */
    dies: async (service: Mortal, point: string, request: (headers: Headers) => Promise<HttpAnswer>) => {
      // A slow machine answers 503 before it does anything, so before most points.
      const answer = await patiently(() => request({ [DIE_AT_HEADER]: point })).catch(lostAnswer);
      if (answer !== undefined) return false;
      await until(`${service} is dead`, () => services.hasEnded(service));
      await mend(services, service, 0);
      return true;
    },
    /** Sets a trap, does the work, waits until one of the service's processes is dead, and starts it again. */
    diesTrapped: async (trap: Trap & { service: Mortal }, work: (isDead: () => boolean) => Promise<unknown>) => {
      setTrap(trapFile, trap);
      let dead: number | undefined;
      const isDead = () => (dead = findDead(services, trap.service)) !== undefined;
      await work(isDead).catch((error: unknown) => {
        // A process that was dead already refuses the connection.
        if (causeOf(error) !== 'ECONNREFUSED' || !isDead()) lostAnswer(error);
      });
      await until(`${trap.service} dies at ${trap.point} of ${trap.statement}`, isDead);
      await mend(services, trap.service, dead ?? 0);
    },
    /** Moves the clock to 11 s after this hold's window, so that the sweep releases it. */
    expire: (held: Payment) => moveTo(services, new Date(Date.parse(held.holdExpiresAt ?? '') + 11_000)),
    /** Waits until all banks, payments, holds and reporting agree and nothing is open. */
    agree: () => untilAgreed(books),
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Undefined if the connection was lost. @throws if there was none */
function lostAnswer(error: unknown): undefined {
  const code = causeOf(error);
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return undefined;
  throw error;
}

const causeOf = (error: unknown) => (((error as Error).cause ?? {}) as { code?: string }).code;

const findDead = (services: RunningServices, service: ServiceName): number | undefined =>
  Array.from({ length: REPLICAS }, (_, replica) => replica).find((replica) => services.hasEnded(service, replica));

async function mend(services: RunningServices, service: ServiceName, replica: number): Promise<void> {
  await services.kill(service, replica);
  await services.restart(service, replica);
}

export interface FinalAnswer extends HttpAnswer {
  /** A slow machine answered an earlier one of these requests 202, so this answer may only say that it is done. */
  wasOpen: boolean;
}

/** Repeats the same request, as a merchant does, until it is neither open nor unreachable. */
export async function untilFinal(request: () => Promise<HttpAnswer>): Promise<FinalAnswer> {
  let wasOpen = false;
  for (const end = Date.now() + 120_000; ; await sleep(100)) {
    const answer = await request().catch(() => undefined);
    const { code = '' } = (answer?.body ?? {}) as { code?: string };
    const open = answer === undefined || answer.status === 202 || /IN_PROGRESS|UNAVAILABLE/.test(code);
    if (answer !== undefined && !open) return { ...answer, wasOpen };
    wasOpen ||= answer?.status === 202;
    if (Date.now() > end) throw new Error(`still open: ${JSON.stringify(answer)}`);
  }
}
