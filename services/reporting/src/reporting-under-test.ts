import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Caller } from '@cobro/contracts/caller.ts';
import type { Envelope, PaymentFacts } from '@cobro/contracts/events.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import { openReads } from '@cobro/frame/open-reads.ts';
import { openDatabase } from '@cobro/postgres/database.ts';
import { createHttpApp } from '@cobro/service-kit/http-app.ts';
import { createTokenSigner, createTokenVerifier, TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { listening } from '@cobro/testing/listening.ts';
import { about, merchant, paymentFacts } from '@cobro/testing/test-facts.ts';
import { expect } from '@jest/globals';
import { handlers, routes } from './app.ts';
import { reporting } from './service.ts';

/** For tests: starts the service over HTTP on the database at `url`. The test hands events in, and the clock stands still. */
export async function startReporting(url: string) {
  const db = openDatabase({ url, schema: reporting.name });
  let now = new Date('2026-11-20T18:00:00.000Z');
  const log = createLog({ service: reporting.name, level: 'error' });
  const jwk = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'gateway' };
  const sign = createTokenSigner(new Secret(jwk));
  const verifyToken = await createTokenVerifier({ keys: [{ ...jwk, d: undefined } as never] }, 'reporting');
  const reads = {
    merchants: openReads(reporting, 'reads of merchants', url),
    partners: openReads(reporting, 'reads of partners', url),
  };
  const deps = { db, reads, clock: { now: () => now }, cursorKeys: [new Secret(randomBytes(32))] as const };
  const app = createHttpApp({
    service: reporting.name,
    log,
    clock: deps.clock,
    verifyToken,
    ready: async () => [],
    routes,
    deps,
  });
  const server = await listening(createServer(app));
  const open = async (caller: Caller, path: string) =>
    fetch(server.url + path, { headers: { [TOKEN_HEADER]: await sign(caller, 'reporting') } });
  const ask = async (caller: Caller, path: string) => {
    const response = await open(caller, path);
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  return {
    db,
    reads,
    setNow: (time: string) => {
      now = new Date(time);
    },
    get: async (caller: Caller, path: string) => {
      const { status, body } = await ask(caller, path);
      return { status, body };
    },
    ask,
    /** For an answer that is not JSON. */
    open,
    receive: (...events: Envelope[]) =>
      Promise.all(events.map((event) => receiveEvent(db, eventHandlers(handlers()), event))),
    close: async () => {
      await Promise.all([server, db, ...Object.values(reads)].map((pool) => pool.close()));
    },
  };
}

type Reporting = Awaited<ReturnType<typeof startReporting>>;

/** For tests: sends requests as a merchant, and events of payments. */
export function reportingOfMerchants(service: () => Reporting) {
  const confirmed = async ({ confirmedAt, ...given }: Partial<PaymentFacts> & { confirmedAt?: Date }) => {
    const facts = paymentFacts(given);
    await service().receive(about('PaymentConfirmed', { ...facts, confirmedAt: confirmedAt ?? facts.createdAt }));
    return facts;
  };
  const declined = async (given: Partial<PaymentFacts>, declineCode: string) => {
    const facts = paymentFacts(given);
    await service().receive(about('PaymentDeclined', { ...facts, declinedAt: facts.createdAt, declineCode }));
    return facts;
  };
  const held = async (given: Partial<PaymentFacts>, captureBefore: Date | null = null) => {
    const facts = paymentFacts(given);
    await service().receive(about('HoldPlaced', { ...facts, captureBefore, heldAt: facts.createdAt }));
    return facts;
  };
  return {
    confirmed,
    declined,
    held,
    ask: async (organizationId: string, path: string): Promise<unknown> => {
      const { status, body } = await service().get(merchant(organizationId), path);
      expect({ status, body }).toMatchObject({ status: 200 });
      return body;
    },
    /** Returns status, code and message. */
    refused: async (organizationId: string, path: string) => {
      const { status, body } = await service().get(merchant(organizationId), path);
      return `${status} ${body.code} ${body.message}`;
    },
  };
}
