import { uuid } from '@cobro/contracts/ids.ts';
import { type Subscription, subscriptionStatuses } from '@cobro/contracts/subscriptions.ts';
import type { Database, Queries } from '@cobro/postgres/database.ts';
import { command, EXAMPLE_ID } from '@cobro/service-kit/admin-command.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import type { SubscriptionRow } from './subscription.row.ts';
import { hasEnded, showSubscription } from './subscription.rules.ts';
import { changeLocked, findAnySubscription, lockingSubscription } from './subscription.store.ts';
import { listForOperators, wakeNow } from './subscription-news.store.ts';

const id = uuid;
const MOST_LISTED = 100;

/** The merchant's view, with what only operators see. */
type Shown = Subscription & {
  organizationId: string;
  wakeAt: string | null;
  waitsFor: string | null;
  isHard: boolean;
  isCharging: boolean;
};

function shown(row: SubscriptionRow, now: Date): Shown {
  const { organizationId, wakeAt, waitsFor, isHard, isCharging } = row;
  return {
    ...showSubscription(row, now),
    organizationId,
    wakeAt: new Date(wakeAt).toJSON(),
    waitsFor,
    isHard,
    isCharging,
  };
}

async function find(queries: Queries, wanted: string, now: Date): Promise<SubscriptionRow> {
  const row = await findAnySubscription(queries, wanted, now);
  if (row === undefined) throw new OperatorError(`There is no subscription ${wanted}.`);
  return row;
}

/** Subscriptions, for operators. A command knows real time only. */
export const subscriptionCommands = [
  command({
    words: 'subscriptions list',
    usage: '[--organization ID] [--status PAST_DUE] [--late]',
    about:
      'lists subscriptions, newest first, 100 at most; with --late those that nobody has charged although it is time, the longest first',
    example: ['--organization', EXAMPLE_ID],
    options: z.object({
      organization: uuid.optional(),
      status: z.enum(subscriptionStatuses).optional(),
      late: z.literal(true).optional(),
    }),
    run: async (db: Database, { organization, status, late }) => {
      const now = new Date();
      const rows = await listForOperators(
        db,
        { organizationId: organization, status, isLate: late === true },
        now,
        MOST_LISTED,
      );
      return rows.map((row) => {
        const { id: one, organizationId, lastDeclineCode, wakeAt, waitsFor, isCharging } = shown(row, now);
        return { id: one, organizationId, status: row.status, lastDeclineCode, wakeAt, waitsFor, isCharging };
      });
    },
  }),
  command({
    words: 'subscriptions show',
    usage: '--id ID',
    about: 'shows a subscription as its merchant sees it, and when somebody looks at it next',
    example: ['--id', EXAMPLE_ID],
    options: z.object({ id }),
    layout: 'fields',
    run: async (db: Database, options) => {
      const now = new Date();
      return shown(await find(db, options.id, now), now);
    },
  }),
  command({
    words: 'subscriptions wake',
    usage: '--id ID',
    about: 'has a subscription looked at now: what is due is charged, and nothing twice',
    example: ['--id', EXAMPLE_ID],
    options: z.object({ id }),
    layout: 'fields',
    run: async (db: Database, options) => {
      const now = new Date();
      await wakeNow(db, options.id);
      return shown(await find(db, options.id, now), now);
    },
  }),
  command({
    words: 'subscriptions cancel',
    usage: '--id ID',
    about: 'cancels a subscription now, as its merchant would: no charge begins any more, nothing is given back',
    example: ['--id', EXAMPLE_ID],
    options: z.object({ id }),
    layout: 'fields',
    run: (db: Database, options) => cancelNow(db, options.id, new Date()),
  }),
];

const cancelNow = (db: Database, wanted: string, now: Date): Promise<Shown> =>
  db.inTransaction(async (tx) => {
    await tx.run(lockingSubscription(wanted));
    const row = await find(tx, wanted, now);
    if (hasEnded(row)) return shown(row, now);
    changeLocked(tx, wanted, { endedAt: now, endReason: 'MERCHANT' }, now);
    return shown(await find(tx, wanted, now), now);
  });
