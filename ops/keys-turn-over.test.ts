import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { createTokenSigner, TOKEN_HEADER, type TokenSigner } from '@cobro/service-kit/internal-token.ts';
import {
  type HttpAnswer,
  type RunningServices,
  type ServiceName,
  startServices,
} from '@cobro/testing/start-services.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { cardBody, type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { cardCommands } from './card-commands.ts';
import { type Keys, type Step, turnKey } from './image/turn-key.ts';
import { runCommand } from '@cobro/testing/run-command.ts';

/** payments has every key that reporting has. */
const SERVICES: ServiceName[] = ['payments', 'reporting'];
const TURNED = [
  'VAULT_KEY',
  'CARD_FINGERPRINT_KEY',
  'TAP_KEY',
  'CHECKOUT_KEY',
  'CURSOR_KEY',
  ...['gateway', ...SERVICES].map((name) => `INTERNAL_SIGNING_KEY.${name}`),
];
let services: RunningServices;
let merchant: TestMerchant;
let secret: Keys;
let sign: TokenSigner;

beforeAll(async () => {
  services = await startServices({ services: SERVICES, replicas: { payments: 2, reporting: 2 } });
  merchant = await testMerchant(services);
  const signing = ['gateway', ...SERVICES].map((name) => [
    `INTERNAL_SIGNING_KEY.${name}`,
    services.keys.signingKey(name),
  ]);
  secret = { ...services.keys.shared, ...(Object.fromEntries(signing) as Keys) };
  useGatewaysKey();
});
afterAll(() => services?.stop());

/** Signs requests as a gateway that was started with the present Secret. */
function useGatewaysKey(): void {
  const [jwk] = [
    JSON.parse(secret['INTERNAL_SIGNING_KEY.gateway'] ?? '') as { kid: string } | { kid: string }[],
  ].flat();
  sign = createTokenSigner(new Secret(jwk as { kid: string }));
}

/** Takes the step for every key, and replaces the replicas one after the other, as a rolling deployment does. */
async function roll(step: Step): Promise<void> {
  for (const name of TURNED) secret = turnKey(secret, name, step);
  for (const replica of [0, 1]) {
    await Promise.all(
      SERVICES.map(async (service) => {
        await services.terminate(service, replica);
        const signing = { INTERNAL_SIGNING_KEY: secret[`INTERNAL_SIGNING_KEY.${service}`] ?? '' };
        await services.restart(service, replica, { ...secret, ...signing });
      }),
    );
  }
  useGatewaysKey();
}

/** Calls as a balancer does: a replica that cannot be reached, or is about to end, leaves the request to the other one. */
async function call(service: ServiceName, method: string, path: string, body?: object): Promise<HttpAnswer> {
  for (let replica = Math.random() < 0.5 ? 0 : 1, tries = 0; ; replica = 1 - replica, tries++) {
    const caller: Caller = merchant.caller;
    const headers = { [TOKEN_HEADER]: await sign(caller, service) };
    const answer = await services
      .call(service, { method, path, replica, headers, ...(body && { body }) })
      .catch((error: unknown) => (tries < 40 ? undefined : Promise.reject(error as Error)));
    if (answer !== undefined) return answer;
    await sleep(25);
  }
}

const save = (externalId: string) => call('payments', 'POST', '/payment-method', { externalId, card: cardBody() });
const walk = (cursor: string) =>
  call('reporting', 'GET', `/developer/v1/payment?limit=1${cursor && `&cursor=${cursor}`}`);

/** Reads pages by cursors, each with a cursor from before the previous page. */
async function openPages(): Promise<() => Promise<HttpAnswer>> {
  const cursorOf = async () =>
    ((await walk('')).body as { pagination: { nextCursor: string | null } }).pagination.nextCursor;
  await until('reporting lists payments', async () => (await cursorOf()) !== null);
  let cursor = await cursorOf();
  return async () => {
    const page = await walk(cursor ?? '');
    cursor = await cursorOf();
    return page;
  };
}

testInFull('every key is turned over under load, and nobody notices', async () => {
  const old = (await save('seen-before')).body as PaymentMethod;
  await save('not-seen-again');
  for (let n = 0; n < 3; n++) await call('payments', 'POST', `/payment-method/${old.id}/payment`, { amount: 10 });
  const nextPage = await openPages();

  const seen = new Map<string, number>();
  const note = (what: string, { status }: HttpAnswer) =>
    seen.set(`${what} ${status}`, (seen.get(`${what} ${status}`) ?? 0) + 1);
  const stopping = new AbortController();
  const load = Promise.all([
    repeat(async () =>
      note('charge', await call('payments', 'POST', `/payment-method/${old.id}/payment`, { amount: 10 })),
    ),
    repeat(async () => {
      const saved = await save('seen-before');
      expect((saved.body as PaymentMethod).id).toBe(old.id);
      note('saved again', saved);
    }),
    repeat(async () => {
      const { id } = (await save(newId())).body as PaymentMethod;
      note('charge of a new card', await call('payments', 'POST', `/payment-method/${id}/payment`, { amount: 10 }));
    }),
    repeat(async () => note('page', await nextPage())),
  ]);
  async function repeat(work: () => Promise<unknown>): Promise<void> {
    while (!stopping.signal.aborted) {
      await work();
      await sleep(10);
    }
  }

  await roll('add');
  await roll('use');
  const env = { PAYMENTS_DATABASE_URL: services.databaseUrl('payments'), VAULT_KEY: secret['VAULT_KEY'] };
  const reseal = async () => {
    const { code, out } = await runCommand({ tables: [cardCommands], args: ['cards', 'reseal', '--json'], env });
    return { code, ...(JSON.parse(out) as { resealed: number; unreadable: number }) };
  };
  const first = await reseal();
  expect(first).toMatchObject({ code: 0, unreadable: 0 });
  expect(first.resealed).toBeGreaterThan(1);
  expect(await reseal()).toMatchObject({ code: 0, resealed: 0, unreadable: 0 });
  await save('seen-before');
  await roll('drop');
  await sleep(300);
  stopping.abort();
  await load;

  expect([...seen.keys()].toSorted()).toEqual([
    'charge 201',
    'charge of a new card 201',
    'page 200',
    'saved again 201',
  ]);
  expect(Math.min(...seen.values())).toBeGreaterThan(10);
  // Only the number could remake its fingerprint, which still has the dropped key: the request is refused, and no second card is saved.
  expect(await save('not-seen-again')).toMatchObject({ status: 409, body: { code: 'EXTERNAL_ID_MISMATCH' } });
  expect(
    await runCommand({
      tables: [cardCommands],
      args: ['cards', 'reseal'],
      env: { ...env, VAULT_KEY: services.keys.shared['VAULT_KEY'] },
    }),
  ).toMatchObject({ code: 1 });
});
