import { createServer } from 'node:http';
import { listening } from './listening.ts';
import { type ClockFollower, pushOffset } from './push-offset.ts';

/** The business clock of the processes that a test starts. They read it at CLOCK_URL, and a move reaches all of them. */
export interface TestClock {
  url: string;
  now(): Date;
  /**
   * Moves the clock forward by `ms` milliseconds, in one follower after the other. Resolves when every follower has the new
   * time.
   */
  move(ms: number, followers: ClockFollower[]): Promise<void>;
  close(): Promise<void>;
}

export async function openTestClock(): Promise<TestClock> {
  let offsetMs = 0;
  const now = () => new Date(Date.now() + offsetMs);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ offsetMs, now: now().toISOString() }));
  });
  return {
    ...(await listening(server)),
    now,
    move: async (ms, followers) => {
      offsetMs += ms;
      for (const follower of followers) await pushOffset(follower, offsetMs);
    },
  };
}
