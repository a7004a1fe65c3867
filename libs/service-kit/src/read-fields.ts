import { refuseField } from '@cobro/contracts/validation.ts';
import { masked } from './masked-text.ts';

/**
 * Reads the fields of a form or query. A field that was sent more than once becomes a list. @throws Refusal if a field is not
 * UTF-8, because other parsers replace the invalid bytes, which can make two different texts equal
 */
export function readFields(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const part of text.split('&')) {
    if (part === '') continue;
    const [written = ''] = part.split('=', 1);
    const name = decoded(written, '');
    const value = decoded(part.slice(written.length + 1), name);
    const earlier = fields.get(name);
    if (Array.isArray(earlier)) earlier.push(value);
    else fields.set(name, earlier === undefined ? value : [earlier, value]);
  }
  return Object.fromEntries(fields);
}

function decoded(written: string, field: string): string {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    throw refuseField(masked(field), 'must be UTF-8, percent-encoded');
  }
}
