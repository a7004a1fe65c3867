import { FIRST_KEY } from '@cobro/events/retelling.ts';
import { reseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import { secretContext } from '../sign-on/issuer.ts';
import { listSealedSignOns, resealSignOn } from '../sign-on/sign-on.store.ts';
import { listSealedFactors, resealFactor } from './factor.store.ts';

const PAGE = 500;

/** Reseals with the ring's first key what an older one has sealed, so that the older one can be dropped after an hour. */
export async function resealFactors({ db, secretKeys }: Deps): Promise<number> {
  for (let after: string | undefined = FIRST_KEY; after !== undefined;) {
    const page = await listSealedFactors(db, after, PAGE);
    for (const { id, sealedSecret } of page) {
      const anew = reseal(secretKeys, id, sealedSecret);
      if (anew !== undefined) await resealFactor(db, id, sealedSecret, anew);
    }
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  }
  for (const { id, sealedSecret } of await listSealedSignOns(db)) {
    const anew = reseal(secretKeys, secretContext(id), sealedSecret);
    if (anew !== undefined) await resealSignOn(db, id, sealedSecret, anew);
  }
  return 0;
}
