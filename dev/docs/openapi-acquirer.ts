import { idempotencyKey } from '@cobro/contracts/acquirer/operation-requests.ts';
import { type Problem, problems } from '@cobro/contracts/acquirer/problems.ts';
import { type AcquirerRoute, acquirerRoutes } from '@cobro/contracts/acquirer/routes.ts';
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';

/** The OpenAPI document of the acquirer protocol, for authors of adapters. */
export function acquirerDocument(): string {
  const paths = Object.entries(acquirerRoutes).map(
    ([name, route]) => [route.path, { [route.method.toLowerCase()]: operationOf(name, route) }] as const,
  );
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Cobro, the acquirer protocol',
      version: '1.0.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: 'What a process in front of an acquirer answers. docs/acquirers/protocol.md has the rules.',
    },
    servers: [{ url: '/', description: 'Below the address of the acquirer' }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}

const operationOf = (name: string, { summary, isKeyed, query, body, answer, problems: known }: AcquirerRoute) =>
  ({
    operationId: name,
    summary,
    requestParams: {
      ...(isKeyed && { header: z.object({ 'Idempotency-Key': idempotencyKey }) }),
      ...(query && { query }),
    },
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      200: { description: 'The answer', content: { 'application/json': { schema: answer } } },
      ...problemsOf(known),
    },
  }) satisfies ZodOpenApiOperationObject;

function problemsOf(known: readonly Problem[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(known, (problem) => problems[problem][0]);
  const responses = [...byStatus].map(([status, errors]) => {
    const description = errors.map((error) => `${error}: ${problems[error][1]}`).join(' ');
    const schema = z.looseObject({ error: z.enum(errors), message: z.string() });
    return [status, { description, content: { 'application/json': { schema } } }] as const;
  });
  return Object.fromEntries(responses) as ZodOpenApiResponsesObject;
}
