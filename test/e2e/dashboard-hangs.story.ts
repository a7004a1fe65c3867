import type { Payment } from '@cobro/contracts/payments.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { bankOperations } from '@cobro/testing/bank-operations.ts';
import type { PageAnswer, TestBrowser } from '@cobro/testing/test-browser.ts';
import { until } from '@cobro/testing/until.ts';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { ServiceName } from '../../services/definitions.ts';
import { screens } from '../../services/dashboard/src/app.ts';
import type { Client } from './client.ts';
import {
  anEndpoint,
  aLink,
  anEvent,
  anIntent,
  aPaymentLink,
  aProduct,
  aPromotion,
  aSalesperson,
  aSubscription,
} from './shop-records.ts';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** Text by which a page shows that something is missing. */
const SAID = /no disponible por ahora|Una parte de Cobro no respond|SERVICE_UNAVAILABLE/i;
const WITHIN_MS = 3_000;
/** Pages that are requested together. */
const AT_ONCE = 12;

/** Pages that read the API. Files and the feed are not pages; other pages read only the dashboard's own schema. */
const paths = screens.flatMap(({ method, path, isFor }) => {
  const isPage = method === 'GET' && typeof isFor === 'object' && (isFor.of?.includes('organization') ?? true);
  const isOurs = /^\/(?:clock$|developers$|settings(?!\/organization))/.test(path);
  return isPage && !isOurs && !path.endsWith('.csv') && path !== '/news' ? [path] : [];
});

/** What people see while a service hangs: it takes connections but does not answer. */
export function dashboardHangs(tested: StackUnderTest): void {
  const { stack, db } = tested;
  let owner: TestBrowser;
  let shop: Client;
  let held: Payment;
  let card: string;
  let pages: string[];
  /** The texts of pages by address, while all services answer. */
  let whole: Map<string, string>;

  beforeAll(async () => {
    const { otherApiKey, otherOrganizationId } = stack().merchants;
    owner = await signInAs(tested, 'owner', ['--organization', otherOrganizationId]);
    shop = tested.merchant(otherApiKey);
    card = await shop.saveCard();
    held = (await shop.hold(card)).body;
    const addresses = await recordsOf(otherOrganizationId);
    pages = [...paths.map((path) => addressOf(path, addresses)), '/calculator?amount=100'];
    await tested.agreed();
    // It is written at most once a minute, and a write would change the page of keys.
    await db('gateway').run(sql`
      update api_keys set last_used_at = clock_timestamp() where organization_id = ${otherOrganizationId}`);
    whole = await steady(pages);
  });

  let hanging: ServiceName | undefined;
  const signal = (name: ServiceName, how: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of stack().processes.pids()[name] ?? []) process.kill(pid, how);
  };
  const hang = (name: ServiceName) => {
    hanging = name;
    signal(name, 'SIGSTOP');
  };
  const goOn = () => {
    if (hanging !== undefined) signal(hanging, 'SIGCONT');
    hanging = undefined;
  };
  afterEach(async () => {
    goOn();
    await setFaults(stack().bankUrl, {});
  });

  /** An id, a day or an action for each parameter in the path of a page. */
  async function recordsOf(organizationId: string): Promise<Record<string, string>> {
    const made = { stack: stack(), merchant: shop, organizationId };
    const day = dayInMexicoCity(new Date(held.holdExpiresAt ?? ''));
    const webhook = await anEndpoint(made);
    // Terminals' keys are not on the page of keys.
    const [, key = ''] = /\/developers\/keys\/([^/"]+)\/revoke/.exec((await owner.get('/developers/keys')).html) ?? [];
    await anIntent(made);
    const seller = await aSalesperson(made);
    const idOf = async (service: ServiceName, query: ReturnType<typeof sql>) =>
      (await db(service).one<{ id: string }>(query)).id;
    return {
      '/payments/:id': held.id,
      '/payments/:id/:action': 'capture',
      '/holds/:day': day,
      '/deposits/:day': dayInMexicoCity(new Date()),
      '/links/:id': await aLink(made),
      '/payment-links/:id': await aPaymentLink(made),
      '/products/:id': await aProduct(made),
      '/products/:id/:action': 'change',
      '/promotions/:id': (await aPromotion(made)).params.id,
      '/subscriptions/:id': await aSubscription(made),
      '/subscriptions/:id/:action': 'pause',
      '/sellers/:id': seller,
      '/sellers/branches/:id': await idOf(
        'intents',
        sql`select id from branch where organization_id = ${organizationId} limit 1`,
      ),
      '/developers/keys/:id': key,
      '/developers/keys/:id/:action': 'revoke',
      '/developers/events/:id': (await anEvent(made)).id,
      '/developers/webhooks/:id': webhook,
      '/developers/webhooks/:id/:action': 'pause',
    };
  }

  const addressOf = (path: string, records: Record<string, string>): string =>
    path.replaceAll(/:\w+/g, (place, at: number) => {
      const record = records[path.slice(0, at + place.length)];
      if (record === undefined) throw new Error(`no record for ${path}`);
      return record;
    });

  interface Read extends PageAnswer {
    address: string;
    ms: number;
  }

  async function read(addresses: readonly string[]): Promise<Read[]> {
    const all: Read[] = [];
    for (let from = 0; from < addresses.length; from += AT_ONCE) {
      const some = addresses.slice(from, from + AT_ONCE).map(async (address) => {
        const began = performance.now();
        return { ...(await owner.get(address)), address, ms: performance.now() - began };
      });
      all.push(...(await Promise.all(some)));
    }
    return all;
  }

  /** The text of each page once it was the same twice. A page that always changes would hide what is missing. */
  async function steady(addresses: readonly string[]): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    let left = addresses;
    const isSteady = async () => {
      const changed = (await read(left)).filter(({ address, status, html }) => {
        const before = texts.get(address);
        texts.set(address, textOf(html));
        return status !== 200 || before !== textOf(html);
      });
      left = changed.map(({ address }) => address);
      return left.length === 0;
    };
    await until('pages stay as they are', isSteady).catch((error: unknown) => {
      throw new Error(left.map((address) => `${address}: ${texts.get(address)}`).join('\n'), { cause: error });
    });
    return texts;
  }

  test.each(['gateway', 'payments', 'holds', 'intents', 'reporting', 'webhooks'] as const)(
    'while %s hangs each page answers in three seconds, and is whole or says that something is missing',
    async (service) => {
      hang(service);
      let late = pages;
      const missing: string[] = [];
      // A page that is late on a slow machine is requested again.
      await until('every page answers in time', async () => {
        const all = await read(late);
        late = all.filter(({ ms }) => ms > WITHIN_MS).map(({ address }) => address);
        for (const { address, status, html } of all.filter(({ ms }) => ms <= WITHIN_MS)) {
          const isWhole = status === 200 && textOf(html) === whole.get(address);
          if (!isWhole && !((status === 200 || status === 503) && SAID.test(html)))
            missing.push(`${address} ${status} ${textOf(html)}`);
        }
        return late.length === 0;
      });
      expect(missing).toEqual([]);
    },
  );

  const refundsOf = async (centavos: number) => {
    const books = await bankOperations(stack().bankUrl);
    return books.filter((operation) => operation.kind === 'refund' && operation.amount === centavos).length;
  };

  test('a refund that meets a payments which hangs does nothing, and afterwards it is made once', async () => {
    const { id } = (await shop.charge(card, { amount: 61.01 })).body;
    await owner.get(`/payments/${id}/refund`);
    hang('payments');
    const lost = await Promise.all([owner.post(`/payments/${id}/refund`), owner.post(`/payments/${id}/refund`)]);
    expect(lost.map(({ status }) => status)).toEqual([503, 503]);
    goOn();
    expect((await owner.post(`/payments/${id}/refund`)).status).toBe(303);
    expect((await owner.post(`/payments/${id}/refund`)).status).toBe(409);
    expect(await refundsOf(6_101)).toBe(1);
  });

  test('a refund under way while payments begins to hang is one at the bank, however often it is asked for', async () => {
    const { id } = (await shop.charge(card, { amount: 62.02 })).body;
    await owner.get(`/payments/${id}/refund`);
    await setFaults(stack().bankUrl, { next: [{ kind: 'refund', fault: 'held' }] });
    const first = owner.post(`/payments/${id}/refund`);
    const asked = sql`select from bank_operation where subject_id = ${id} and status = 'open'`;
    await until('payments has asked the bank', async () => (await db('payments').maybe(asked)) !== undefined);
    hang('payments');
    await setFaults(stack().bankUrl, {});
    await until('the bank has given it back', async () => (await refundsOf(6_202)) === 1);
    expect((await owner.post(`/payments/${id}/refund`)).status).toBe(503);
    goOn();
    expect((await first).status).toBe(303);
    expect((await owner.post(`/payments/${id}/refund`)).status).toBe(409);
    expect(await refundsOf(6_202)).toBe(1);
    await expect(tested.agreed()).resolves.toBeUndefined();
  });

  test('two captures sent while holds hangs are one at the bank', async () => {
    const { id } = (await shop.hold(card, { amount: 63.03 })).body;
    await owner.get(`/payments/${id}/capture`);
    hang('holds');
    const both = [owner.post(`/payments/${id}/capture`), owner.post(`/payments/${id}/capture`)];
    const asked = sql`select from audit where what = 'payment.capture' and target = ${id} and outcome = 'asked'`;
    await until('both have been sent', async () => (await db('dashboard').many(asked)).length === 2);
    goOn();
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 409]);
    const books = await bankOperations(stack().bankUrl);
    expect(books.filter(({ kind, amount }) => kind === 'capture' && amount === 6_303)).toHaveLength(1);
    await expect(tested.agreed()).resolves.toBeUndefined();
  });
}

/** The text of a page without times, which change. */
const textOf = (html: string) =>
  html.replaceAll(/<(script|time|aside)\b.*?<\/\1>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ');
