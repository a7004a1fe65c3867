import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { setRoute } from '@cobro/service-kit/set-route.ts';
import type { Express } from 'express';

const READ_WITHIN_MS = 60_000;
const SLICE = 65_536;

/**
 * Serves a file without a key, in slices of one copy in memory, so that a caller who does not read costs little more than a connection,
 * and for a minute at most. `as` is the route's name in logs and spans.
 */
export function serveFile(
  app: Express,
  path: string,
  file: string,
  { as = path, headers = {} }: { as?: string; headers?: Record<string, string> } = {},
): void {
  const content = readFileSync(file);
  const slices = Array.from({ length: Math.ceil(content.length / SLICE) }, (_, n) =>
    content.subarray(n * SLICE, (n + 1) * SLICE),
  );
  const etag = `"${hash('sha256', content, 'base64url')}"`;
  app.get(path, (req, res) => {
    setRoute(res, as);
    res.set({ 'cache-control': 'public, max-age=0', etag, ...headers }).type(extname(file));
    if (req.fresh) return void res.status(304).end();
    res.set('content-length', String(content.length));
    if (req.method === 'HEAD') return void res.end();
    const late = setTimeout(() => res.destroy(), READ_WITHIN_MS);
    pipeline(Readable.from(slices), res, () => clearTimeout(late));
  });
}
