import { createHash } from 'node:crypto';
import type { Language } from './language.ts';

/** Allows one inline style, by its hash. */
export const inlineStyle = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The headers of a page: no inline script and nothing of a third party. `styles` is the source of style sheets in the policy.
 */
export function pageHeaders({ styles, language }: { styles: string; language: Language }): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${styles}`,
    "script-src 'self'",
    "connect-src 'self'",
    // The tab's icon.
    'img-src data:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  const switchedOff = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer'];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': [...switchedOff, 'microphone', 'payment', 'usb'].map((name) => `${name}=()`).join(', '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}
