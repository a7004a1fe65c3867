import { Refusal } from '@cobro/contracts/refusals.ts';
import type { BodyContract } from '@cobro/contracts/route.ts';
import express, { type Request } from 'express';

const MOST_BYTES = 64 * 1024;

/** Receives the whole body as bytes, whatever its type. A use case parses the body where it reads it. */
export const receiveBytes = express.raw({ limit: MOST_BYTES, type: () => true });

const MEDIA = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** Refuses, with 415, a body of another media type than the route takes. */
export function requireMedia(contract: BodyContract | undefined, req: Request): void {
  if (contract === undefined || bytesOf(req) === undefined) return;
  const media = 'json' in contract ? MEDIA.json : MEDIA.form;
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]+)"?/i.exec(req.headers['content-type'] ?? '') ?? [];
  if (!req.is(media) || !/^utf-?8$/i.test(charset)) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
}

/**
 * The body as JSON or as fields of a form, not validated yet; `{}` where there is no body. @throws Refusal where the body is
 * malformed
 */
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

/** Parses form fields. A field that was sent more than once becomes a list. */
function fieldsOf(text: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = fields[name];
    fields[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return { ...fields };
}
