import { FIRST_KEY } from '@cobro/events/retelling.ts';
import { reseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import { listSealedSecrets, replaceSealedSecret } from './endpoint.store.ts';

const PAGE = 500;

/** Seals secrets of an older key anew with the ring's first key, so that the older key can be dropped after an hour. */
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
    // Its key is gone. The secrets after it must not wait.
    log.error({ error, target: id }, 'the secret of an endpoint could not be read');
    return;
  }
  if (anew !== undefined) await replaceSealedSecret(db, id, was, anew);
}
