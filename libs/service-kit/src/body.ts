import { Refusal } from '@cobro/contracts/refusals.ts';
import type { BodyContract } from '@cobro/contracts/route.ts';
import express, { type Request } from 'express';

const MOST_BYTES = 64 * 1024;

/** Takes a body whole, whatever it is; nothing is made of it until a use case reads it. */
export const receiveBytes = express.raw({ limit: MOST_BYTES, type: () => true });

const MEDIA = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** 415 where there is a body and it is not what the route takes. */
export function requireMedia(contract: BodyContract | undefined, req: Request): void {
  if (contract === undefined || bytesOf(req) === undefined) return;
  const media = 'json' in contract ? MEDIA.json : MEDIA.form;
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]+)"?/i.exec(req.headers['content-type'] ?? '') ?? [];
  if (!req.is(media) || !/^utf-?8$/i.test(charset)) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
}

/** The body as JSON or as fields of a form, not validated yet; without one `{}`. @throws Refusal where it is malformed */
export function unreadBody(contract: BodyContract, req: Request): unknown {
  const text = bytesOf(req)?.toString('utf8');
  if (text === undefined) return {};
  return 'json' in contract ? parseJson(text) : fieldsOf(text);
}

function bytesOf({ body }: Request): Buffer | undefined {
  return body instanceof Buffer && body.length > 0 ? body : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('VALIDATION_ERROR', { message: 'The body is not valid JSON.' });
  }
}

/** A field that is sent more than once is a list. */
function fieldsOf(text: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = fields[name];
    fields[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return { ...fields };
}
