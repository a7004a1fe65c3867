import { type Server, connect, createServer } from 'node:net';

// Below the range from which systems take ports for outgoing connections, so that a service finds its port free after a crash.
const FIRST = 20_000;
const PER_SLOT = 32;
const SLOTS = 375;

interface Slot {
  next: number;
  end: number;
}

let slot: Promise<Slot> | undefined;

/**
 * A port of 127.0.0.1 that nobody listens on. While this process lives, no other process on this machine gets the port from here.
 * So a service that is down for a moment, or about to start, does not find its port taken.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    slot ??= claimSlot();
    const claimed = slot;
    const current = await claimed;
    while (current.next < current.end) {
      const port = current.next++;
      if (await isFree(port)) return port;
    }
    if (slot === claimed) slot = undefined;
  }
}

export async function freePortPreferring(preferred: number | undefined): Promise<number> {
  return preferred !== undefined && (await isFree(preferred)) ? preferred : await freePort();
}

/**
 * Claims a slot of ports. A slot belongs to the process that listens on the slot's first port, until that process ends in any
 * way.
 */
async function claimSlot(): Promise<Slot> {
  for (let tries = 0; tries < SLOTS; tries++) {
    const first = FIRST + ((process.pid + tries) % SLOTS) * PER_SLOT;
    const guard = await listen(first);
    if (guard === undefined) continue;
    guard.unref();
    return { next: first + 1, end: first + PER_SLOT };
  }
  throw new Error('no free port between 20000 and 32000');
}

async function isFree(port: number): Promise<boolean> {
  // A Mac allows listening on 127.0.0.1 even if another process listens on all addresses, so connect first.
  if (await answers(port)) return false;
  const server = await listen(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true));
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false));
  });
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}
