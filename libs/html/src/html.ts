/** A fragment of our own, whose parts are escaped already. */
export class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template. `null`, `undefined` and `false` show nothing, so that parts can be left out. */
type Value = Html | string | number | null | undefined | false | readonly Value[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for an element or a quoted attribute. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');

const compacted = (part: string) => part.replaceAll(/\s*\n\s*/g, '\n');

function shown(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return value.map(shown).join('');
}

/**
 * A template whose values are escaped unless they are fragments themselves. Attributes with values need quotes. Line breaks and
 * the indentation of our own text come out as one line break.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const text = parts.map((part, i) => {
    if (i < values.length && /\s[\w-]+=$/.test(part)) throw new Error(`an attribute without quotes: ${part}`);
    return i < values.length ? `${compacted(part)}${shown(values[i])}` : compacted(part);
  });
  return new Html(text.join(''));
}

/** For the style sheet, whose text must stay as it is. Never for anything that somebody sent. */
export const unescaped = (text: string): Html => new Html(text);
