import { isUtf8 } from 'node:buffer';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { BodyContract } from '@cobro/contracts/route.ts';
import type { Request, RequestHandler } from 'express';
import { readFields } from './read-fields.ts';
import { readJson } from './read-json.ts';
import { createRequestBodies } from './request-bodies.ts';

const bodies = createRequestBodies();

/** Receives the whole body as bytes, whatever its type. The body is parsed when a use case reads it. */
export const receiveBytes: RequestHandler = async (req, res, next) => {
  const body = await bodies.receive(res, req.socket.remoteAddress ?? '');
  if (body === 'caller left') return;
  if (body instanceof Refusal) throw body;
  req.body = body;
  next();
};

const MEDIA = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** Refuses, with 415, a body of another media type than the route takes, or an encoded one. */
export function requireMedia(contract: BodyContract | undefined, req: Request): void {
  if (contract === undefined || bytesOf(req) === undefined) return;
  const media = 'json' in contract ? MEDIA.json : MEDIA.form;
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]+)"?/i.exec(req.headers['content-type'] ?? '') ?? [];
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (!req.is(media) || encoding !== 'identity' || !/^utf-?8$/i.test(charset))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { message: `The body must be ${media}, in UTF-8 and not compressed.` });
}

/**
 * Reads the body as JSON or as fields of a form, not validated yet; `{}` if there is no body. @throws Refusal if the body is
 * malformed
 */
export function unreadBody(contract: BodyContract, req: Request): unknown {
  const bytes = bytesOf(req);
  if (bytes === undefined) return {};
  // Decoding replaces invalid UTF-8, which can make two different externalIds equal.
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  const text = bytes.toString('utf8');
  return 'json' in contract ? parseJson(text) : readFields(text);
}

const malformed = (message: string) => new Refusal('VALIDATION_ERROR', { message, details: [{ path: '', message }] });

function bytesOf({ body }: Request): Buffer | undefined {
  return body instanceof Buffer && body.length > 0 ? body : undefined;
}

function parseJson(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed('The body is not valid JSON.');
    throw error;
  }
}
