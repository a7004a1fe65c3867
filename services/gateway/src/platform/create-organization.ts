import { NO_PARTNER } from '@cobro/contracts/platform.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createPlatformOrganization as contract } from '@cobro/contracts/routes/platform.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { createOnce } from '@cobro/service-kit/create-once.ts';
import type { Deps } from '../deps.ts';
import { registerOrganization } from '../registry/organization-registration.ts';
import { findOrganization, type StoredOrganization } from '../registry/organization.store.ts';
import { partnerExists } from '../registry/partner.store.ts';

/** POST /platform/organization */
export async function createPlatformOrganization(
  { db }: Deps,
  { readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { id, name, websiteURL: websiteUrl = null, partnerId = null } = readBody();
  return createOnce({
    key: id,
    find: (key) => findOrganization(db, key),
    isSame: (row) => row.name === name && row.websiteUrl === websiteUrl && row.partnerId === partnerId,
    insert: async () => {
      if (partnerId !== null && !(await partnerExists(db, partnerId))) throw refuseField('partnerId', NO_PARTNER);
      return registerOrganization(db, { id, name, websiteUrl, partnerId, color: null });
    },
    show: showOrganization,
  });
}

const showOrganization = ({ id, name, websiteUrl, partnerId, partnerName }: StoredOrganization) => ({
  id,
  name,
  websiteURL: websiteUrl,
  partner: partnerId === null ? null : { id: partnerId, name: partnerName ?? '' },
});
