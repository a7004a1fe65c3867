import type { Movement } from '@cobro/contracts/acquirer/settlement-report.ts';
import { type Database, type Queries, sql } from '@cobro/postgres/database.ts';

/** An organization's movements of one kind. Centavos; null if the acquirer did not report it for each movement. */
export interface SettledLine {
  organizationId: string;
  kind: Movement['kind'];
  movements: number;
  gross: bigint;
  fee: bigint | null;
  net: bigint | null;
}

/** Replaces the lines of an acquirer's day. */
export const keepBankSettlement = (db: Database, acquirer: string, day: string, lines: readonly SettledLine[]) =>
  db.inTransaction(async (tx) => {
    await tx.run(sql`delete from bank_settlement where day = ${day} and acquirer = ${acquirer}`);
    for (const { organizationId, kind, movements, gross, fee, net } of lines) {
      await tx.run(sql`
        insert into bank_settlement (organization_id, day, acquirer, kind, movements, gross, fee, net)
        values (${organizationId}, ${day}, ${acquirer}, ${kind}, ${movements}, ${gross}, ${fee}, ${net})`);
    }
  });

export type KeptLine = Omit<SettledLine, 'organizationId'> & { day: string; acquirer: string };

export const listBankSettlement = (queries: Queries, organizationId: string, from: string, to: string) =>
  queries.many<KeptLine>(sql`
    select day::text as day, acquirer, kind, movements, gross, fee, net from bank_settlement
    where organization_id = ${organizationId} and day >= ${from} and day <= ${to}
    order by day, acquirer, kind`);

/** Finds the organization of each payment. */
export const organizationsOf = (queries: Queries, paymentIds: readonly string[]) =>
  queries.many<{ id: string; organizationId: string }>(sql`
    select id, organization_id as "organizationId" from payment where id = any(${paymentIds})`);
