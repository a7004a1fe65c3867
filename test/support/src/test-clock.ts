import { createServer } from 'node:http';
import { listening } from './listening.ts';
import { type ClockFollower, pushOffset } from './push-offset.ts';

export type TestClock = Awaited<ReturnType<typeof openTestClock>>;

/** The business clock of the processes that a test starts. They read it at its address, and a move reaches all of them. */
export async function openTestClock() {
  let offsetMs = 0;
  const now = () => new Date(Date.now() + offsetMs);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ offsetMs, now: now().toISOString() }));
  });
  return {
    ...(await listening(server)),
    now,
    /** Moves the clock forward, one follower after the other. Resolves when every follower has the new time. */
    move: async (ms: number, followers: ClockFollower[]) => {
      offsetMs += ms;
      for (const follower of followers) await pushOffset(follower, offsetMs);
    },
  };
}
