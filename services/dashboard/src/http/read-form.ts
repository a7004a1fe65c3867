import { isUtf8 } from 'node:buffer';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Received } from '@cobro/service-kit/request-bodies.ts';
import type { Request } from 'express';

/** The fields of a form. @throws Refusal if the body was refused, or is no form in UTF-8 */
export function readForm(req: Request, body: Received): URLSearchParams {
  if (body instanceof Refusal) throw body;
  if (body === undefined || body.length === 0) return new URLSearchParams();
  if (req.is('application/x-www-form-urlencoded') === false) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  if (!isUtf8(body)) throw new Refusal('VALIDATION_ERROR');
  return new URLSearchParams(body.toString('utf8'));
}
