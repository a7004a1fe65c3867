import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { loadCheckoutAsset as contract } from '@cobro/contracts/routes/checkout.ts';
import type { Deps } from '../deps.ts';

/** GET /checkout/assets/{name}, public. */
export async function loadCheckoutAsset(
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const asset = deps.checkoutAssets.files.get(params.name);
  if (asset === undefined) throw new Refusal('NOT_FOUND');
  return { status: 200, headers: asset.headers, text: asset.body };
}
