import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';

export interface Organization {
  id: string;
  name: string;
  websiteUrl: string | null;
  partnerId: string | null;
  /** The colour of its checkout page, as #rrggbb. */
  color: string | null;
}

interface Contacts {
  supportEmail: string | null;
  supportPhoneNumber: string | null;
}

export interface StoredOrganization extends Organization, Contacts {
  partnerName: string | null;
  version: number;
  createdAt: Date;
  /** Null if it was never changed. */
  updatedAt: Date | null;
}

/** A field that is undefined stays as it is. */
export interface OrganizationChange {
  id: string;
  name: string | undefined;
  websiteUrl: string | undefined;
  partnerId?: string | undefined;
  color?: string | undefined;
  supportEmail?: string | undefined;
  supportPhoneNumber?: string | undefined;
}

const columns = sql`
  id, name, website_url as "websiteUrl", partner_id as "partnerId",
  (select partners.name from partners where partners.id = partner_id) as "partnerName", color,
  support_email as "supportEmail", support_phone_number as "supportPhoneNumber", version, created_at as "createdAt",
  updated_at as "updatedAt"`;

/** Returns undefined if the id is taken. */
export function insertOrganization(db: Queries, organization: Organization): Promise<StoredOrganization | undefined> {
  const { id, name, websiteUrl, partnerId, color } = organization;
  return db.maybe<StoredOrganization>(sql`
    insert into organizations (id, name, website_url, partner_id, color)
    values (${id}, ${name}, ${websiteUrl}, ${partnerId}, ${color}) on conflict (id) do nothing
    returning ${columns}`);
}

/** Locked until the transaction ends: changes take their turns here. */
export const lockOrganization = (tx: Tx, id: string) =>
  tx.maybe<StoredOrganization>(sql`select ${columns} from organizations where id = ${id} for no key update`);

type Changes = Partial<Omit<Organization & Contacts, 'id'>>;

export const updateOrganization = (tx: Tx, id: string, change: Changes): Promise<StoredOrganization> => {
  const { name, websiteUrl, partnerId, color, supportEmail, supportPhoneNumber } = change;
  return tx.one(sql`
    update organizations set name = coalesce(${name}, name), website_url = coalesce(${websiteUrl}, website_url),
      partner_id = coalesce(${partnerId}, partner_id), color = coalesce(${color}, color),
      support_email = coalesce(${supportEmail}, support_email),
      support_phone_number = coalesce(${supportPhoneNumber}, support_phone_number),
      updated_at = clock_timestamp(), version = version + 1
    where id = ${id} returning ${columns}`);
};

export const findOrganization = (db: Queries, id: string) =>
  db.maybe<StoredOrganization>(sql`select ${columns} from organizations where id = ${id}`);

export async function organizationExists(db: Queries, id: string): Promise<boolean> {
  return (await db.maybe(sql`select from organizations where id = ${id}`)) !== undefined;
}

export function listAllOrganizations(db: Queries): Promise<StoredOrganization[]> {
  return db.many(sql`select ${columns} from organizations order by created_at, id`);
}

/** In the order of their ids. */
export const findOrganizationsAfter = (db: Queries, id: string, limit: number) =>
  db.many<StoredOrganization>(sql`select ${columns} from organizations where id > ${id} order by id limit ${limit}`);

export const findOrganizationsOfIds = (db: Queries, ids: readonly string[]) =>
  db.many<StoredOrganization>(sql`select ${columns} from organizations where id = any(${ids}::uuid[])`);
