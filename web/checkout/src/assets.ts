import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compactStyle } from '@cobro/html/compact-style.ts';

/** A file that the page loads: served at GET /checkout/assets/{name}, with these headers. */
export interface Asset {
  headers: Record<string, string>;
  body: string;
}

export interface CheckoutAssets {
  /** Part of the page itself, so that the first answer can be shown at once. */
  style: string;
  /** Address of the script, from the root. */
  scriptAddress: string;
  /** The hash of the script in the page: a browser runs no other file. */
  scriptIntegrity: string;
  /** By name; a name holds a hash of the content, so that a cached copy is never stale. */
  files: ReadonlyMap<string, Asset>;
}

/** Reads the style sheet and the script from this package. Done once, as the process starts: the pages themselves read nothing. */
export function readCheckoutAssets(): CheckoutAssets {
  const script = read('checkout.js');
  const hash = createHash('sha256').update(script).digest();
  const name = `checkout.${hash.toString('hex').slice(0, 12)}.js`;
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  return {
    style: compactStyle(read('checkout.css')),
    scriptAddress: `/checkout/assets/${name}`,
    scriptIntegrity: `sha256-${hash.toString('base64')}`,
    files: new Map([[name, { headers, body: script }]]),
  };
}

const read = (file: string) => readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8');
