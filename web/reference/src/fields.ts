import type { Schema } from './document.ts';

/** A field as the pages list it. `name` is its path: `card.lastFourDigits`. */
export interface Field {
  name: string;
  type: string;
  required: boolean;
  description: string | undefined;
}

type Schemas = Readonly<Record<string, Schema>>;

/** Every field of an object, each followed by its inner fields; a choice between objects has the fields of all. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = ''): Field[] {
  const fields = choicesOf(schema, schemas).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([key, inner]) => {
      const name = `${prefix}${key}`;
      const { type, inside } = typeOf(inner, schemas);
      const field = { name, type, required: required.includes(key), description: resolved(inner, schemas).description };
      return [field, ...inside.flatMap((one) => fieldsOf(one, schemas, `${name}.`))];
    }),
  );
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.replace(/.*\//, '')] ?? {});

/** The schemas that a value may meet. */
const choicesOf = (schema: Schema, schemas: Schemas): Schema[] => {
  const { anyOf, oneOf, ...self } = resolved(schema, schemas);
  const choices = anyOf ?? oneOf;
  return choices === undefined ? [self] : choices.flatMap((one) => choicesOf(one, schemas));
};

/** The type in words, and the objects whose fields belong to it. */
export function typeOf(schema: Schema, schemas: Schemas): { type: string; inside: Schema[] } {
  const choices = choicesOf(schema, schemas);
  const words = choices.map((one) => wordsOf(one, schemas));
  const lists = choices.flatMap(({ items }) => (items === undefined ? [] : choicesOf(items, schemas)));
  const inside = [...choices, ...lists].filter(({ properties }) => properties !== undefined);
  return {
    type: [...new Set(words)].toSorted((a, b) => Number(a === 'null') - Number(b === 'null')).join(' or '),
    inside,
  };
}

function wordsOf(schema: Schema, schemas: Schemas): string {
  const { type, format, enum: values, items, minimum, maximum } = schema;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (items !== undefined) return `list of ${typeOf(items, schemas).type}`;
  if (Array.isArray(type)) return type.map((one) => wordsOf({ ...schema, type: one }, schemas)).join(' or ');
  if (type === 'string') return format === 'date-time' ? 'time' : format === 'uuid' ? 'UUID' : (format ?? 'text');
  if (type === 'number' || type === 'integer') return `${type}${boundsOf(minimum, maximum)}`;
  return type ?? 'any value';
}

const boundsOf = (minimum: number | undefined, maximum: number | undefined) =>
  minimum === undefined || maximum === undefined || maximum > 2 ** 52 ? '' : `, ${minimum} to ${maximum}`;
