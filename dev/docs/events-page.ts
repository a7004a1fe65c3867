import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { eventData, type EventType } from '@cobro/contracts/events.ts';
import { definitions } from '../../services/definitions.ts';
import { code, page, table } from './markdown.ts';

/** The part of a JSON Schema that our events use. */
export interface JsonSchema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** Every event: who publishes it, who follows it, and the fields of its data in their JSON form. */
export function eventsPage(): string {
  const types = Object.keys(eventData) as EventType[];
  return page(
    'Events',
    'From `libs/contracts/src/event-data.ts`. Each travels as a CloudEvents 1.0 envelope (see [events](../events.md)) with the ' +
      'data below. Amounts are whole centavos; names that end in `Bps` are basis points (350 is 3.5 %); times are ISO 8601 UTC ' +
      'with milliseconds. Every field is always there unless marked.',
    table(
      ['type', 'source', 'data version', 'queues'],
      types.map((type) => {
        const { source, version } = eventData[type];
        return [`[${type}](#${type.toLowerCase()})`, code(source), String(version), queuesOf(type).join(', ')];
      }),
    ),
    ...types.flatMap((type) => {
      const schema = eventData[type].data.toJSONSchema({ io: 'input' }) as JsonSchema;
      return [`## ${type}`, table(['field', 'JSON'], fieldsOf(schema))];
    }),
  );
}

/** Rows of path and type, each object before its fields. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const { main, orNull } = withoutNull(schema);
    const absent = required.includes(name) ? '' : ', may be absent';
    return [[code(path), `${typeOf(main)}${orNull ? ' or null' : ''}${absent}`], ...fieldsOf(main, `${path}.`)];
  });
}

function withoutNull(schema: JsonSchema): { main: JsonSchema; orNull: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return { main: { ...schema, type: types.join(' or ') }, orNull: types.length < schema.type.length };
  }
  const options = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [main] = options;
  if (schema.anyOf === undefined) return { main: schema, orNull: false };
  if (main === undefined || options.length > 1)
    throw new Error(`a choice that this page cannot show: ${JSON.stringify(schema)}`);
  const inner = withoutNull(main);
  return { main: inner.main, orNull: inner.orNull || options.length < schema.anyOf.length };
}

function typeOf({ type, format, enum: values, const: only }: JsonSchema): string {
  if (only !== undefined) return code(JSON.stringify(only));
  if (values !== undefined) return values.map((value) => code(JSON.stringify(value))).join(' or ');
  if (format === 'date-time') return 'time';
  if (typeof type !== 'string') throw new Error('a field without a type');
  return format ?? type;
}

function queuesOf(type: EventType): string[] {
  const all: readonly ServiceDefinition[] = definitions;
  return all.filter(({ follows }) => follows.includes(type)).map(({ name }) => name);
}
