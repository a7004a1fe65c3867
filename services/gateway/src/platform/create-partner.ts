import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createPlatformPartner as contract } from '@cobro/contracts/routes/platform.ts';
import { createOnce } from '@cobro/service-kit/create-once.ts';
import type { Deps } from '../deps.ts';
import { findPartner, insertPartner } from '../registry/partner.store.ts';

/** POST /platform/partner */
export async function createPlatformPartner(
  { db }: Deps,
  { readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const asked = readBody();
  return createOnce({
    key: asked.id,
    find: (id) => findPartner(db, id),
    isSame: ({ name }) => name === asked.name,
    insert: async () => ((await insertPartner(db, asked)) === 0 ? undefined : asked),
    show: ({ id, name }) => ({ id, name }),
  });
}
