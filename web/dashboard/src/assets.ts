import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compactStyle } from '@cobro/html/compact-style.ts';

/** A file that pages load: served at GET /assets/{name}, with these headers. */
export interface Asset {
  headers: Record<string, string>;
  body: string;
}

export interface DashboardAssets {
  /** Addresses from the root. */
  style: string;
  script: string;
  /** For pages that ask a device for a passkey. */
  passkeys: string;
  /** Files by name. A name holds a hash of the content, so that a cached copy is never stale. */
  files: ReadonlyMap<string, Asset>;
}

/** Reads the style sheet and the script from this package. Done once, as the process starts: the pages themselves read nothing. */
export function readDashboardAssets(): DashboardAssets {
  const style = asset('dashboard.css', 'text/css', compactStyle);
  const script = asset('dashboard.js', 'text/javascript', (text) => text);
  const passkeys = asset('passkeys.js', 'text/javascript', (text) => text);
  return {
    style: `/assets/${style.name}`,
    script: `/assets/${script.name}`,
    passkeys: `/assets/${passkeys.name}`,
    files: new Map([style, script, passkeys].map(({ name, headers, body }) => [name, { headers, body }])),
  };
}

function asset(file: string, media: string, prepare: (text: string) => string): Asset & { name: string } {
  const body = prepare(readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8'));
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  const headers = {
    'Content-Type': `${media}; charset=utf-8`,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  return { name: file.replace('.', `.${hash}.`), headers, body };
}
