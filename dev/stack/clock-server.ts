import { existsSync, readFileSync } from 'node:fs';
import { type SmallAnswer, type SmallRequest, openSmallServer } from './small-http-server.ts';
import { type ClockFollower, pushOffset } from '@cobro/testing/push-offset.ts';
import { writeByRename } from './run-record.ts';

export type ClockServer = Awaited<ReturnType<typeof openClockServer>>;

export interface ClockOptions {
  port: number;
  /** A file that keeps the offset, so that the offset outlives this process. */
  file: string;
  /** The processes whose business clock follows this one. */
  followers: () => ClockFollower[];
}

const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The business clock of all processes of a stack. `GET` answers { offsetMs, now }. `PUT` with { now: ISO } or { advanceSeconds }
 * moves the clock, and `DELETE` puts it back. Both answer once every process has the new offset, or after 15 s.
 */
export async function openClockServer(options: ClockOptions) {
  let offsetMs = storedOffset(options.file);
  // One move at a time, because two at once would push their offsets in any order.
  let moving: Promise<unknown> = Promise.resolve();
  const reading = () => ({ status: 200, body: { offsetMs, now: new Date(Date.now() + offsetMs).toISOString() } });
  const move = (next: () => number) => {
    const moved = afterOthers(moving, async () => {
      offsetMs = next();
      writeByRename(options.file, { offsetMs });
      await Promise.allSettled(options.followers().map((follower) => pushOffset(follower, offsetMs)));
      return reading();
    });
    moving = moved.catch(() => {});
    return moved;
  };
  const { url, close } = await openSmallServer(
    options.port,
    ({ method, body }: SmallRequest): SmallAnswer | Promise<SmallAnswer> => {
      if (method === 'GET') return reading();
      if (method === 'DELETE') return move(() => 0);
      if (method !== 'PUT') return { status: 405, body: { message: 'GET, PUT or DELETE' } };
      const change = changeIn(body);
      if (change === undefined) return badRequest;
      const next = () => Math.round(change(offsetMs));
      return Date.now() + next() > LATEST || Date.now() + next() < 0 ? badRequest : move(next);
    },
  );
  return { url, close, offsetMs: () => offsetMs };
}

async function afterOthers<T>(others: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  await others;
  return work();
}

const badRequest = {
  status: 400,
  body: { message: 'The body must be { "now": ISO date-time with offset } or { "advanceSeconds": number }.' },
};

/** How the offset is to change, or undefined for a body that has neither `now` nor `advanceSeconds`, or both. */
function changeIn(body: string): ((offsetMs: number) => number) | undefined {
  const { now, advanceSeconds, ...rest } = parseObject(body) ?? {};
  if (Object.keys(rest).length > 0 || (now === undefined) === (advanceSeconds === undefined)) return undefined;
  if (typeof advanceSeconds === 'number') return (offsetMs) => offsetMs + advanceSeconds * 1_000;
  if (typeof now !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(now)) return undefined;
  const moment = Date.parse(now);
  return Number.isNaN(moment) ? undefined : () => moment - Date.now();
}

function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function storedOffset(file: string): number {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { offsetMs: number }).offsetMs : 0;
}
