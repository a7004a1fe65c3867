import { refusals } from '@cobro/contracts/refusals.ts';
import { refusalsOf, type RouteContract } from '@cobro/contracts/route.ts';
import { mainContracts, nameOf, partnerContracts } from '@cobro/contracts/routes.ts';

/** The part of JSON Schema that the OpenAPI documents use. */
interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas?: Record<string, Schema> };
}

/**
 * The types of libs/client and what it needs to know of each route, written out so that the package depends on no other and its types can
 * be read.
 */
export function clientApi(documents: Readonly<Record<string, string>>): string {
  const main = JSON.parse(documents['openapi-main.json'] ?? '') as Document;
  const partner = JSON.parse(documents['openapi-partner.json'] ?? '') as Document;
  const contracts = [
    ...mainContracts.map((contract) => [contract, main] as const),
    ...partnerContracts.map((contract) => [contract, partner] as const),
  ].filter(([contract]) => !isPage(contract) && contract.lane !== 'stream');
  const schemas = { ...partner.components.schemas, ...main.components.schemas };
  return [
    '/* Written by `npm run docs` from the contracts. */',
    '/* oxlint-disable max-lines */',
    ...Object.entries(schemas).map(([name, schema]) => `\nexport type ${name} = ${typeOf(schema)};`),
    '\n/** Every code of a refusal, and its status. */',
    `export interface RefusalStatus {\n${Object.entries(refusals)
      .map(([code, [status]]) => `  ${code}: ${status};`)
      .join('\n')}\n}`,
    '\n/** What each route takes and answers, and how it may refuse. */',
    `export interface Routes {\n${contracts.map(([contract, document]) => routeType(contract, document)).join('\n')}\n}`,
    '\nexport type RouteName = keyof Routes;',
    '\n/** How each route is called; and whether a repetition does nothing more, and answers the same. */',
    `export const routes: Readonly<Record<RouteName, { method: string; path: string; repeatable: boolean }>> = {\n${contracts
      .map(([contract]) => routeValue(contract))
      .join('\n')}\n};\n`,
  ].join('\n');
}

const isPage = ({ path }: RouteContract) => path.startsWith('/checkout/');
const pathOf = ({ path }: RouteContract) => path.replaceAll(/:(\w+)/g, '{$1}');

const routeValue = (contract: RouteContract) =>
  `  ${nameOf(contract)}: { method: '${contract.method}', path: '${pathOf(contract)}', repeatable: ${contract.repeatable === true} },`;

function routeType(contract: RouteContract, { paths }: Document): string {
  const operation = paths[pathOf(contract)]?.[contract.method.toLowerCase()];
  if (operation === undefined) throw new Error(`${nameOf(contract)} is in no document`);
  const { parameters = [], requestBody, responses } = operation;
  const params = parameters.filter((one) => one.in === 'path').map(({ name }) => `${name}: string`);
  const query = parameters.filter((one) => one.in === 'query').map((one) => queryField(one.name, one.schema));
  const body = requestBody?.content?.['application/json']?.schema;
  const answers = Object.entries(contract.answers).map(([status, answer]) => {
    const schema = responses[status]?.content?.['application/json']?.schema;
    return `/** ${answer.means} */\n      ${status}: ${schema === undefined ? 'undefined' : typeOf(schema, 3)}`;
  });
  return [
    `  /** ${contract.summary}. */`,
    `  ${nameOf(contract)}: {`,
    ...(params.length > 0 ? [`    params: ${block(params, 2)};`] : []),
    ...(query.length > 0 ? [`    query?: ${block(query, 2)} | undefined;`] : []),
    ...(body === undefined ? [] : [`    body${isNeeded(body) ? '' : '?'}: ${typeOf(body, 2)};`]),
    `    answers: ${block(answers, 2)};`,
    `    refusals:\n${refusalsOf(contract)
      .map((code) => `      | '${code}'`)
      .join('\n')};`,
    '  };',
  ].join('\n');
}

/** Fields of an object type that begins at this depth. */
const block = (fields: string[], depth: number) =>
  `{\n${fields.map((field) => `${'  '.repeat(depth + 1)}${field};\n`).join('')}${'  '.repeat(depth)}}`;

const isNeeded = ({ required = [] }: Schema) => required.length > 0;

/** A filter that may be repeated may also be one value. */
const queryField = (name: string, schema: Schema) =>
  schema.items === undefined
    ? `${name}?: ${typeOf(schema)} | undefined`
    : `${name}?: ${typeOf(schema.items)} | ${listOf(typeOf(schema.items))} | undefined`;

const listOf = (type: string) => (/^\w+$/.test(type) ? `readonly ${type}[]` : `readonly (${type})[]`);

const quoted = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value));

function typeOf(schema: Schema, depth = 0): string {
  const { $ref, enum: values, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '');
  if ('const' in schema) return quoted(schema.const);
  if (values !== undefined) return values.map(quoted).join(' | ');
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map((one) => typeOf(one, depth)))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, depth)).join(' | ');
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return listOf(typeOf(schema.items ?? {}, depth));
    case 'object':
      return objectType(schema, depth);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`a schema that the client's types cannot show: ${JSON.stringify(schema)}`);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, depth: number): string {
  if (typeof additionalProperties === 'object')
    return `Readonly<Record<string, ${typeOf(additionalProperties, depth)}>>`;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?';
    const type = typeOf(schema, depth + 1);
    const comment = schema.description === undefined ? '' : `/** ${schema.description} */\n${'  '.repeat(depth + 1)}`;
    return `${comment}${name}${optional}: ${type}${optional === '?' ? ' | undefined' : ''}`;
  });
  return fields.length === 0 ? 'Readonly<Record<string, never>>' : block(fields, depth);
}
