import type { Database } from '@cobro/postgres/database.ts';
import { createKey } from './create-key.ts';
import { createOrganization } from './create-organization.ts';
import { createPartner } from './create-partner.ts';

/** Makes two partners, an organization under each, and a key of each, to try out a new deployment. */
export async function bootstrap(db: Database) {
  const [first, second] = [
    await bootstrapOne(db, { partner: 'Ventas del Norte', organization: 'Café Tacuba' }),
    await bootstrapOne(db, { partner: 'Aliados del Sur', organization: 'Librería Coyoacán' }),
  ];
  return {
    organizationId: first.organizationId,
    otherOrganizationId: second.organizationId,
    apiKey: first.apiKey,
    otherApiKey: second.apiKey,
    partnerApiKey: first.partnerApiKey,
    otherPartnerApiKey: second.partnerApiKey,
  };
}

async function bootstrapOne(db: Database, names: { partner: string; organization: string }) {
  const { id: partnerId } = await createPartner(db, names.partner);
  const organization = await createOrganization(db, {
    name: names.organization,
    websiteUrl: undefined,
    partnerId,
    color: undefined,
  });
  const apiKey = await createKey(db, { kind: 'merchant', mode: 'test', organizationId: organization.id });
  const partnerApiKey = await createKey(db, { kind: 'partner', partnerId });
  return {
    organizationId: organization.id,
    apiKey: apiKey.key.reveal(),
    partnerApiKey: partnerApiKey.key.reveal(),
  };
}
