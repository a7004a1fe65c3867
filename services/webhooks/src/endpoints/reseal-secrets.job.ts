import { FIRST_KEY } from '@cobro/events/retelling.ts';
import { reseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import { listSealedSecrets, replaceSealedSecret } from './endpoint.store.ts';

const PAGE = 500;

/** Seals with the first key of the ring what an older one has sealed, so that the older one can be taken away after an hour. */
export async function resealSecrets({ db, secretKeys }: Deps): Promise<number> {
  for (let after: string | undefined = FIRST_KEY; after !== undefined;) {
    const page = await listSealedSecrets(db, after, PAGE);
    for (const { id, sealedSecret, sealedOldSecret } of page) {
      for (const was of [sealedSecret, sealedOldSecret]) {
        const anew = was === null ? undefined : reseal(secretKeys, id, was);
        if (was !== null && anew !== undefined) await replaceSealedSecret(db, id, was, anew);
      }
    }
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  }
  return 0;
}
