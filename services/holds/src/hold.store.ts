import { type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import type { HoldRow, HoldStatus } from './hold.rules.ts';

const columns = sql`payment_id as "paymentId", organization_id as "organizationId",
  payment_method_id as "paymentMethodId", status, held_amount as "heldAmount", captured_amount as "capturedAmount",
  bank_reference as "bankReference", has_fee_channel as "hasFeeChannel", external_id as "externalId",
  created_at as "createdAt", held_at as "heldAt", expires_at as "expiresAt", captured_at as "capturedAt",
  released_at as "releasedAt", bank_transaction as "bankTransaction", version`;

export type NewHold = Omit<
  HoldRow,
  'status' | 'capturedAmount' | 'capturedAt' | 'releasedAt' | 'bankTransaction' | 'version'
>;

/** The first telling counts; a hold that is told of again, perhaps after its end, stays as it is. */
export const insertHold = (tx: Tx, hold: NewHold): void =>
  tx.send(sql`
    insert into hold (payment_id, organization_id, payment_method_id, status, held_amount, bank_reference,
      has_fee_channel, external_id, created_at, held_at, expires_at)
    values (${hold.paymentId}, ${hold.organizationId}, ${hold.paymentMethodId}, 'HELD', ${hold.heldAmount},
      ${hold.bankReference}, ${hold.hasFeeChannel}, ${hold.externalId}, ${hold.createdAt}, ${hold.heldAt},
      ${hold.expiresAt})
    on conflict (payment_id) do nothing`);

export const findHold = (queries: Queries, paymentId: string) =>
  queries.maybe<HoldRow>(sql`select ${columns} from hold where payment_id = ${paymentId}`);

/** Locked until the transaction ends: one operation at a time begins here. */
export const lockHold = (tx: Tx, paymentId: string) =>
  tx.one<HoldRow>(sql`select ${columns} from hold where payment_id = ${paymentId} for update`);

/** The one way from HELD to an end; undefined where the hold has ended already. */
export const endHold = (tx: Tx, paymentId: string, status: HoldStatus, changes: Sql) =>
  tx.maybe<HoldRow>(sql`
    update hold set status = ${status}, version = version + 1, ${changes}
    where payment_id = ${paymentId} and status = 'HELD' returning ${columns}`);

/** Holds whose window closed before `before`, locked, without an open operation, not taken by another replica. */
export const lockDueHolds = (tx: Tx, before: Date, count: number) =>
  tx.many<HoldRow>(sql`
    select ${columns} from hold
    where status = 'HELD' and expires_at <= ${before}
      and (sweep_again_at is null or sweep_again_at <= clock_timestamp())
      and not exists (select from bank_operation where subject_id = payment_id and bank_operation.status = 'open')
    order by expires_at limit ${count} for update of hold skip locked`);

export const sweepLater = (tx: Tx, paymentId: string, seconds: number) =>
  tx.run(sql`
    update hold set sweep_again_at = clock_timestamp() + ${seconds} * interval '1 second'
    where payment_id = ${paymentId}`);
