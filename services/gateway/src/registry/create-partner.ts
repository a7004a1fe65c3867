import { newId } from '@cobro/contracts/ids.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { insertPartner, type Partner } from './partner.store.ts';

export async function createPartner(db: Database, name: string): Promise<Partner> {
  const partner = { id: newId(), name };
  await insertPartner(db, partner);
  return partner;
}
