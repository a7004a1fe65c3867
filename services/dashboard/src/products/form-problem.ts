import type { ProductProblem } from '@cobro/dashboard/products/product-parts.ts';
import type { SignedIn } from '../http/screen.ts';

/** The refusal of a form that was used before or is too old. */
export const formProblem = ({ requestId }: SignedIn, code: 'FORM_USED' | 'FORM_TOO_OLD'): ProductProblem => ({
  kind: 'refused',
  code,
  status: 409,
  requestId,
});
