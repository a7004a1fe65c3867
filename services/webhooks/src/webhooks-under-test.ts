import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createWaker } from '@cobro/async/waker.ts';
import type { Caller } from '@cobro/contracts/caller.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { openReads } from '@cobro/frame/open-reads.ts';
import { openOutbound } from '@cobro/outbound/outbound.ts';
import { openDatabase } from '@cobro/postgres/database.ts';
import { createHttpApp } from '@cobro/service-kit/http-app.ts';
import { createTokenSigner, createTokenVerifier, TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { openServiceClient } from '@cobro/service-kit/service-client.ts';
import { listening } from '@cobro/testing/listening.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { receive, routes } from './app.ts';
import { webhooks } from './service.ts';
import { openSender } from './deliveries/sender.ts';
import { createPlacedHolds } from './events/placed-holds.ts';
import { createWaitingReaders } from './events/waiting-readers.ts';

/** For tests: the service over HTTP, on a database of its own. */
export async function startWebhooks() {
  const database = await testDatabase(webhooks.name);
  const replica = await startReplica(database.url);
  const close = async () => {
    await replica.close();
    await database.drop();
  };
  return { ...replica, url: database.url, close };
}

/** A replica on the database at `url`. The test hands in events, and the clock stands still. */
export async function startReplica(url: string) {
  // A test may let several requests wait for a lock at once.
  const db = openDatabase({ url, schema: webhooks.name, lockTimeoutMs: 60_000 });
  let now = new Date('2026-11-20T18:00:00.000Z');
  const jwk = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'gateway' };
  const sign = createTokenSigner(new Secret(jwk));
  const verifyToken = await createTokenVerifier({ keys: [{ ...jwk, d: undefined } as never] }, 'webhooks');
  const reads = openReads(webhooks, 'reads of events', url);
  const readers = createWaitingReaders();
  // Nobody listens there. Questions to payments are tested with real services in test/e2e.
  const payments = openServiceClient({ baseUrl: 'http://127.0.0.1:9', service: 'webhooks', to: 'payments', sign });
  const log = createLog({ service: webhooks.name, level: 'error' });
  const outbound = openOutbound({ allowsLoopback: true });
  const sender = openSender({ url, log });
  const deps = {
    db,
    reads,
    readers,
    placedHolds: createPlacedHolds({ db, payments }),
    log,
    outbound,
    clock: { now: () => now },
    secretKeys: [new Secret(randomBytes(32))] as const,
    sender,
    leased: new Map<string, string>(),
    due: createWaker(),
    countDelivery: () => {},
  };
  const app = createHttpApp({
    service: webhooks.name,
    log,
    clock: deps.clock,
    verifyToken,
    ready: async () => [],
    routes,
    deps,
  });
  const server = await listening(createServer(app));
  const send = async (caller: Caller, method: string, path: string, body?: object) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { [TOKEN_HEADER]: await sign(caller, 'webhooks'), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  return {
    deps,
    now: () => now,
    setNow: (time: string) => {
      now = new Date(time);
    },
    send,
    ask: (caller: Caller, path: string) => send(caller, 'GET', path),
    receive: (...events: Envelope[]) => receive(deps)(events, () => {}),
    close: async () => {
      readers.drain();
      await Promise.all([
        server.close(),
        db.close(),
        reads.close(),
        payments.close(),
        outbound.close(),
        sender.close(),
      ]);
    },
  };
}
