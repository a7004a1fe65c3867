import { FIRST_KEY } from '@cobro/events/retelling.ts';
import { reseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import { listSealedSecrets, replaceSealedSecret } from './endpoint.store.ts';

const PAGE = 500;

/** Seals with the first key of the ring what an older one has sealed, so that the older one can be taken away after an hour. */
export async function resealSecrets(deps: Deps): Promise<number> {
  for (let after: string | undefined = FIRST_KEY; after !== undefined;) {
    const page = await listSealedSecrets(deps.db, after, PAGE);
    for (const { id, sealedSecret, sealedOldSecret } of page)
      for (const was of [sealedSecret, sealedOldSecret]) if (was !== null) await resealOne(deps, id, was);
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  }
  return 0;
}

async function resealOne({ db, secretKeys, log }: Deps, id: string, was: Buffer): Promise<void> {
  let anew: Buffer | undefined;
  try {
    anew = reseal(secretKeys, id, was);
  } catch (error) {
    // Its key is gone. Those after it must not wait for it.
    log.error({ error, target: id }, 'the secret of an endpoint could not be read');
    return;
  }
  if (anew !== undefined) await replaceSealedSecret(db, id, was, anew);
}
