import { refuseField } from '@cobro/contracts/validation.ts';
import type { Deps } from '../deps.ts';

/** Each delivery checks the address again, because a name may lead elsewhere by then. @throws Refusal 400 */
export async function refuseInnerAddress({ outbound }: Pick<Deps, 'outbound'>, url: string): Promise<void> {
  const refusal = await outbound.refusalOf(new URL(url));
  if (refusal !== undefined) throw refuseField('url', refusal);
}
