import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../../bench/memory.ts';
import type { Fault } from './fault.ts';

const SENDERS = 2_000;
/** Fewer connections per address than the gateway would close, so all stay open for as long as it waits for a request. */
const OF_ONE_ADDRESS = 250;
/** As long as the gateway waits for a body, so that cut senders reconnect one by one and not all at once. */
const OPENED_WITHIN_MS = 9_000;
const ROUNDS_A_SECOND = 50;
const MOST_MEGABYTES = 200;

const POST = 'POST /checkout/x HTTP/1.1\r\nHost: localhost\r\n';
/** How each third of the senders begins a request, and what it then sends every second. */
const WAYS = [
  { begin: `${POST}X-Slow: `, more: 'a' },
  { begin: `${POST}Content-Length: 60000\r\n\r\n`, more: 'a' },
  { begin: `${POST}Transfer-Encoding: chunked\r\n\r\n`, more: '1\r\na\r\n' },
] as const;

/** Senders without a key never complete a request, and reconnect when they are cut off. */
export const slowSenders: Fault = {
  name: `${SENDERS} connections send a byte a second`,
  mostTimesReads: 3,
  begin: async ({ stack }) => {
    const { hostname, port } = new URL(stack.baseUrl);
    const sockets: (Socket | undefined)[] = [];
    const open = (n: number) => {
      const localAddress = `127.0.1.${1 + Math.floor(n / OF_ONE_ADDRESS)}`;
      const socket = connect({ host: hostname, port: Number(port), localAddress });
      socket.on('error', () => {});
      socket.once('close', () => (sockets[n] = undefined));
      socket.resume().write(wayOf(n).begin);
      sockets[n] = socket;
    };
    let peak = 0;
    let round = 0;
    const began = performance.now();
    const timer = setInterval(() => {
      round = (round + 1) % ROUNDS_A_SECOND;
      const senders = Math.min(1, (performance.now() - began) / OPENED_WITHIN_MS) * SENDERS;
      for (let n = round; n < senders; n += ROUNDS_A_SECOND) {
        const socket = sockets[n];
        if (socket === undefined) open(n);
        else if (socket.writable) socket.write(wayOf(n).more);
      }
      if (round === 0) peak = Math.max(peak, memoryOf(stack.processes.pids())['gateway']?.now ?? 0);
    }, 1_000 / ROUNDS_A_SECOND);
    await sleep(OPENED_WITHIN_MS);
    return async () => {
      clearInterval(timer);
      for (const socket of sockets) socket?.destroy();
      return peak < MOST_MEGABYTES ? [] : [`the gateway took ${peak.toFixed(0)} MB`];
    };
  },
};

const wayOf = (n: number) => WAYS[n % WAYS.length] as (typeof WAYS)[number];
