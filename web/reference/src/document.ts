/** The part of JSON Schema that our documents use. */
export interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  minimum?: number;
  maximum?: number;
}

export interface Content {
  description?: string;
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  security: Record<string, unknown>[];
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

/** The part of our OpenAPI documents that the pages show. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas?: Record<string, Schema> };
}

/** The part of the AsyncAPI document that the pages show. */
export interface AsyncApi {
  channels: { webhook: { messages: Record<string, unknown> } };
  components: { messages: Record<string, { name: string; summary: string; payload: Schema }> };
}

/** A route of an API, with the schemas that it refers to. */
export interface Route extends Operation {
  method: string;
  path: string;
  schemas: Record<string, Schema>;
}

export const routesOf = ({ paths, components }: OpenApi): Route[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      schemas: components.schemas ?? {},
    })),
  );
