import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createClient } from '@cobro/client/client.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { listening } from '@cobro/testing/listening.ts';
import { shownWrongly } from '@cobro/testing/shown-wrongly.ts';
import { subscriptionsShownWrongly } from '@cobro/testing/subscriptions-shown-wrongly.ts';
import { until } from '@cobro/testing/until.ts';
import type { Merchant } from '../../bench/payment-requests.ts';
import type { Stack } from '../../dev/stack/stack.ts';

type Ailment = 'hang' | 'fail';

export type Receivers = Awaited<ReturnType<typeof openReceivers>>;

/** The body sent to an endpoint. Some events of a subscription are sent once per period. */
interface Sent {
  type: string;
  object: { id: string };
  data: { periodNumber?: number };
}

const TYPES = ['payment.*', 'hold.*', 'one_time_payment.*', 'payment_intent.*', 'subscription.*'] as const;

/** The merchants' own servers. Each merchant has an endpoint that answers; some have a second one, which always hangs or answers 500. */
export async function openReceivers(stack: Stack, merchants: Merchant[]) {
  const came = new Set<string>();
  const ids = new Map<string, Set<string>>();
  const hanging = new Set<ServerResponse>();
  let ailment: Ailment | undefined;
  const server = createServer((req, res) => {
    const take = async () => {
      const event = (await json(req)) as Sent;
      const { url = '', headers } = req;
      const how = url.startsWith('/hang') ? 'hang' : url.startsWith('/fail') ? 'fail' : ailment;
      if (how === 'hang') return hanging.add(res);
      res.statusCode = how === 'fail' ? 500 : 200;
      res.end();
      if (how === 'fail') return;
      const id = String(headers['webhook-id']);
      came.add(`${url} ${id}`);
      const about = [url, event.type, event.object.id, event.data.periodNumber].join(' ');
      ids.set(about, (ids.get(about) ?? new Set()).add(id));
    };
    // A body that cannot be read was cut off by a fault, and is sent again.
    take().catch(() => res.destroy());
  });
  const { url: origin, close } = await listening(server);
  for (const [n, { apiKey }] of merchants.entries()) {
    const paths = [`/answer/${n}`, ...(n % 4 === 0 ? [`/hang/${n}`] : []), ...(n % 4 === 1 ? [`/fail/${n}`] : [])];
    const { webhookEndpoints } = createClient({ baseUrl: stack.baseUrl, apiKey });
    for (const path of paths) await webhookEndpoints.create({ url: origin + path, types: TYPES });
  }
  return {
    /** From now on all endpoints hang or fail; with undefined they answer again. */
    ail: (how: Ailment | undefined) => {
      ailment = how;
      if (how === undefined) for (const res of hanging) res.destroy();
      hanging.clear();
    },
    /**
     * Waits until every event is shown once and correctly, and was sent under one id to each endpoint that answers. Returns what is still
     * wrong after `ms`.
     */
    wrongAfter: async (ms: number) => {
      const wrong = await untilAllCame(stack, came, ms);
      const twice = [...ids].filter(([, { size }]) => size > 1).map(([about]) => `${about} came under two ids`);
      return [...twice, ...wrong];
    },
    close,
  };
}

async function untilAllCame({ databaseUrl }: Stack, came: ReadonlySet<string>, ms: number): Promise<string[]> {
  const [payments, webhooks] = (['payments', 'webhooks'] as const).map((schema) =>
    openPatiently({ url: databaseUrl, schema, max: 1 }),
  ) as [Database, Database];
  let wrong: string[] = [];
  const look = async () => {
    const made = await payments.many<{ id: string }>(sql`select id from payment`);
    const ids = made.map(({ id }) => id);
    const shown = await shownWrongly(payments, webhooks, ids);
    // One row per event and answering endpoint of its merchant.
    const due = await webhooks.many<{ key: string; isDone: boolean | null }>(sql`
      select regexp_replace(url, '^https?://[^/]*', '') || ' ' || event.id as key, delivery.status = 'DELIVERED' as "isDone"
      from event join webhook_endpoint as endpoint using (organization_id)
        left join delivery on endpoint_id = endpoint.id and event_id = event.id
      where url like '%/answer/%' and types && array[split_part(event.type, '.', 1) || '.*']
        and position > extract(epoch from asked_since) * 1000000`);
    wrong = [
      ...shown.map(({ sentence }) => sentence),
      ...(await subscriptionsShownWrongly(payments, webhooks)),
      ...due.filter(({ key, isDone }) => isDone !== true || !came.has(key)).map(({ key }) => `has not come: ${key}`),
    ];
    return wrong.length === 0;
  };
  try {
    await until('every event has come', look, ms).catch((error: unknown) => {
      if (wrong.length === 0) wrong.push(String(error));
    });
    return wrong.length > 5 ? [...wrong.slice(0, 5), `and ${wrong.length - 5} more`] : wrong;
  } finally {
    await Promise.all([payments.close(), webhooks.close()]);
  }
}
