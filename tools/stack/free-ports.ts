import { createServer } from 'node:net';

// Below the range that systems give to outgoing connections, so that a service finds its port free after a crash.
const FIRST = 20_000;
const PER_PROCESS = 32;
const SLOTS = 375;

// Where this process looks first depends on its pid, so that two runs started together do not pick the same port.
let next = (process.pid % SLOTS) * PER_PROCESS;

/** A port of 127.0.0.1 that nobody listens on, never given out twice by this process until all were. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < SLOTS * PER_PROCESS; tries++) {
    const port = FIRST + next;
    next = (next + 1) % (SLOTS * PER_PROCESS);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port between 20000 and 32000');
}

export async function freePortPreferring(preferred: number | undefined): Promise<number> {
  return preferred !== undefined && (await isFree(preferred)) ? preferred : await freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
