import type { z } from 'zod';

/** A place in a request at which text may stand. */
export interface TextField {
  /** The names on the way to the field. A member of a list has the name 0, a name that the caller chooses is `*`. */
  path: string[];
  /** Whether the text is a name that the caller chooses, and not a value. */
  isName: boolean;
  schema: z.ZodType;
}

type Def = { type: string } & Record<
  'shape' | 'innerType' | 'in' | 'out' | 'element' | 'keyType' | 'valueType',
  never
> & {
    options: z.ZodType[];
  };

const WITHOUT_TEXT = new Set([
  'boolean',
  'custom',
  'enum',
  'int',
  'literal',
  'null',
  'number',
  'transform',
  'undefined',
]);

/** Every field of a schema that takes text, whatever stands around it. @throws for a kind of schema that it does not know */
export function textFieldsOf(schema: z.ZodType, path: string[] = []): TextField[] {
  const def = schema.def as unknown as Def;
  switch (def.type) {
    case 'object':
      return Object.entries<z.ZodType>(def.shape).flatMap(([name, field]) => textFieldsOf(field, [...path, name]));
    case 'optional':
    case 'nullable':
    case 'default':
      return textFieldsOf(def.innerType, path);
    case 'pipe': {
      const sent = textFieldsOf(def.in, path);
      // A transform before a list may accept a single text.
      return sent.length > 0 ? sent : textFieldsOf(def.out, path);
    }
    case 'union':
      return def.options.flatMap((option) => textFieldsOf(option, path));
    case 'array':
      return textFieldsOf(def.element, [...path, '0']);
    case 'record': {
      const names = textFieldsOf(def.keyType, [...path, '*']).map((field) => ({ ...field, isName: true }));
      return [...names, ...textFieldsOf(def.valueType, [...path, '*'])];
    }
    case 'string':
    case 'unknown':
      return [{ path, isName: false, schema }];
    default:
      if (WITHOUT_TEXT.has(def.type)) return [];
      throw new Error(`${path.join('.')}: is text in a schema of the kind ${def.type}?`);
  }
}
