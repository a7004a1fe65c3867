import { setTimeout as sleep } from 'node:timers/promises';
import { backOff, within } from '@cobro/async/time-limit.ts';
import { shownTo } from '@cobro/certificates/shown-certificate.ts';
import { createClient, createCluster, createSentinel, ErrorReply } from 'redis';
import type { RedisAddress } from './redis-address.ts';

/** A connection to Redis that reconnects by itself. */
export interface Connection {
  isReady(): boolean;
  /**
   * Resolves with the reply. Rejects if Redis refuses or cannot be asked.
   * @param key the command's key, which decides which server of a cluster is asked
   */
  send(key: string, command: readonly string[]): Promise<unknown>;
  close(): void;
}

type OnError = (error: unknown) => void;

/** More than the time between two beats, so that only a connection whose other end is gone is given up. */
const SOCKET_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
const MOST_BETWEEN_CONNECTS_MS = 1_000;
/** Keeps connections that no beat uses from reaching the time limit of sockets. */
const PING_EVERY_MS = 500;
/** Failing connections are all replaced at most once in this time. */
const ANEW_AFTER_MS = 5_000;

const ofEachConnection = {
  disableOfflineQueue: true,
  maintNotifications: 'disabled' as const,
};
const socketOf = (tls: boolean) => ({
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
  reconnectStrategy: backOff(50, MOST_BETWEEN_CONNECTS_MS),
  ...(tls && { tls: true as const, ...shownTo('redis') }),
});
// A timeout here would keep a timer and a weak reference per command, and would not cover sent commands.
const commandOptions = { timeout: 0 };

/** Begins to connect. @param onError called with every error that no command reports */
export function openConnection(address: RedisAddress, onError: OnError): Connection {
  switch (address.mode) {
    case 'single':
      return openSingle(address.url, onError);
    case 'cluster':
      return openAnew(() => openCluster(address, onError));
    case 'sentinel':
      return openAnew(() => openSentinel(address, onError));
  }
}

function openSingle(url: string, onError: OnError): Connection {
  const socket = socketOf(url.startsWith('rediss:'));
  const client = createClient({ url, ...ofEachConnection, socket, commandOptions });
  client.on('error', onError);
  // It rejects if it is closed before it was connected; other failures come as an 'error'.
  client.connect().catch(() => {});
  return {
    isReady: () => client.isReady,
    send: (_key, command) => client.sendCommand(command),
    close: () => client.destroy(),
  };
}

type Cluster = Extract<RedisAddress, { mode: 'cluster' }>;

function openCluster({ hosts, username, password, tls }: Cluster, onError: OnError): Connection {
  const cluster = createCluster({
    rootNodes: hosts.map((socket) => ({ socket })),
    defaults: {
      ...ofEachConnection,
      ...credentials(username, password),
      pingInterval: PING_EVERY_MS,
      socket: socketOf(tls),
    },
    // Otherwise one server that is away would keep the others from being asked.
    minimizeConnections: true,
    commandOptions,
  });
  cluster.on('error', onError);
  const closing = new AbortController();
  void connectPatiently(() => cluster.connect(), closing);
  return {
    isReady: () => cluster.isReady,
    send: (key, command) => cluster.sendCommand(key, false, [...command]),
    close: () => {
      closing.abort();
      cluster.destroy();
    },
  };
}

type Sentinel = Extract<RedisAddress, { mode: 'sentinel' }>;

function openSentinel(address: Sentinel, onError: OnError): Connection {
  const { hosts, username, password, tls, master, sentinelPassword, database } = address;
  const socket = socketOf(tls);
  const sentinel = createSentinel({
    name: master,
    sentinelRootNodes: hosts,
    nodeClientOptions: { ...ofEachConnection, ...credentials(username, password), database, socket },
    sentinelClientOptions: {
      ...credentials(undefined, sentinelPassword),
      maintNotifications: 'disabled',
      pingInterval: PING_EVERY_MS,
      socket,
    },
    // Otherwise commands that are sent at once wait for one another.
    reserveClient: true,
    commandOptions,
  });
  sentinel.on('error', onError);
  const closing = new AbortController();
  void connectPatiently(() => sentinel.connect(), closing);
  return {
    isReady: () => sentinel.isReady,
    send: (_key, command) => sentinel.sendCommand(false, [...command]),
    close: () => {
      closing.abort();
      sentinel.destroy().catch(() => {});
    },
  };
}

const credentials = (username: string | undefined, password: string | undefined) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
});

/** Tries until it is connected or aborted. Failures also come as an 'error'. */
async function connectPatiently(connect: () => Promise<unknown>, { signal }: AbortController): Promise<void> {
  while (!signal.aborted) {
    try {
      await connect();
      return;
    } catch {
      await sleep(MOST_BETWEEN_CONNECTS_MS, undefined, { ref: false });
    }
  }
}

/**
 * If one of several servers cannot be asked, another may have replaced it. The clients mostly find that out.
 * If they wait without end, everything is opened anew.
 */
function openAnew(open: () => Connection): Connection {
  let current = open();
  let openedAt = performance.now();
  let isClosed = false;
  const closeCurrent = () => {
    try {
      current.close();
    } catch {
      // One of its connections was closed already.
    }
  };
  const anew = (failed: Connection) => {
    if (isClosed || failed !== current || performance.now() - openedAt < ANEW_AFTER_MS) return;
    closeCurrent();
    current = open();
    openedAt = performance.now();
  };
  return {
    isReady: () => current.isReady(),
    send: async (key, command) => {
      const asked = current;
      try {
        // A command waits for a server that is still being connected to, perhaps for ever.
        return await within(SOCKET_TIMEOUT_MS, asked.send(key, command));
      } catch (error) {
        if (!(error instanceof ErrorReply)) anew(asked);
        throw error;
      }
    },
    close: () => {
      isClosed = true;
      closeCurrent();
    },
  };
}
