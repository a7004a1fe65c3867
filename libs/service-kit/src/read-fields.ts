import { refuseField } from '@cobro/contracts/validation.ts';
import { masked } from './masked-text.ts';

/**
 * The fields of a form or of a query. A field that was sent more than once becomes a list. @throws Refusal where something is no
 * UTF-8, which every parser of such fields replaces, so that two different texts become one
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
