import { type AnswerContract, isMetered, outsidePath, refusalsOf, type RouteContract } from '@cobro/contracts/route.ts';
import { mainContracts, nameOf, partnerContracts } from '@cobro/contracts/routes.ts';
import { type RefusalCode, refusals } from '@cobro/contracts/refusals.ts';
import { NO_CARD_DATA, UNSTORABLE } from '@cobro/contracts/text.ts';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { type Example, exampleOf } from './examples.ts';
import { acquirerDocument } from './openapi-acquirer.ts';
import { type Links, linksOf } from './openapi-links.ts';

/** One OpenAPI 3.1 document for each API, by the name of its file; the gateway serves all but the acquirers'. */
export function openApiDocuments(): Record<string, string> {
  return {
    'openapi-main.json': documentOf('Cobro, the main API', mainContracts),
    'openapi-developer-v1.json': documentOf('Cobro, the Developer API v1', mainContracts.filter(isMetered)),
    'openapi-acquirer.json': acquirerDocument(),
    'openapi-partner.json': documentOf('Cobro, the sales partner API', partnerContracts),
  };
}

/**
 * Rules that JSON Schema cannot express stand in descriptions, in the words of the refusal. So a program knows which requests may be
 * refused though they fit the schema. `test/openapi` checks every refusal against them.
 */
const UNSAID = [
  'A rule that no schema can say stands in the description of its field, in the words of its refusal (400 VALIDATION_ERROR).',
  'Two rules are for every text of a request:',
  `- ${UNSTORABLE}`,
  `- ${NO_CARD_DATA}`,
].join('\n');

function documentOf(title: string, contracts: readonly RouteContract[]): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of contracts) {
    const path = contract.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [contract.method.toLowerCase()]: operationOf(contract, contracts),
      // The checkout's pages have no `/api` in their path, unlike the server's address in this document.
      ...(outsidePath(contract) === contract.path && { servers: [{ url: '/' }] }),
    };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title,
        version: '1.0.0',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        description: UNSAID,
      },
      servers: [{ url: '/api', description: 'Below the address of the deployment' }],
      paths,
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          terminalKey: { type: 'apiKey', in: 'header', name: 'x-terminal-key' },
        },
      },
    },
    {
      // `format` says the same, and with patterns the document would be twice as long.
      override: ({ jsonSchema }) => {
        if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      },
    },
  );
  return `${JSON.stringify(document, null, 2)}\n`;
}

function operationOf(contract: RouteContract, all: readonly RouteContract[]): ZodOpenApiOperationObject {
  const { who, summary, params, query, body } = contract;
  const example = exampleOf(contract);
  return {
    operationId: nameOf(contract),
    summary,
    security: who === 'public' ? [] : [who === 'terminal' ? { terminalKey: [] } : { apiKey: [] }],
    requestParams: {
      ...(params && { path: params }),
      ...(query instanceof z.ZodObject && { query }),
    },
    ...(body && { requestBody: requestBodyOf(body, example) }),
    responses: responsesOf(contract, example, linksOf(contract, all)),
  };
}

function requestBodyOf(body: NonNullable<RouteContract['body']>, example: Example | undefined) {
  if ('form' in body) return { content: { 'application/x-www-form-urlencoded': { schema: body.form } } };
  const shown = example?.request === undefined ? {} : { example: example.request };
  // A body without required fields may be left out.
  const required = !body.json.safeParse({}).success;
  return { ...(required && { required }), content: { 'application/json': { schema: body.json, ...shown } } };
}

function responsesOf(contract: RouteContract, example: Example | undefined, links: Links): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(refusalsOf(contract), (code) => refusals[code][0]);
  const answered = Object.entries(contract.answers).map(
    ([status, answer]) =>
      [
        Number(status),
        { description: answer.means, ...contentOf(answer, example?.answers[status]), ...linked(answer, links) },
      ] as const,
  );
  const pages = new Map<number, ZodOpenApiResponseObject>(answered);
  const refused = [...byStatus].map(
    ([status, codes]) => [status, besides(pages.get(status), refusedWith(contract, status, codes))] as const,
  );
  const tooLong = { description: 'The address and the headers have more than 16 KB. No body.' };
  const all: (readonly [status: number, response: ZodOpenApiResponseObject])[] = [
    ...answered,
    ...refused,
    ...(contract.query ? [[431, tooLong] as const] : []),
  ];
  if (!isMetered(contract)) return Object.fromEntries(all) as ZodOpenApiResponsesObject;
  const responses = all.map(
    ([status, response]) => [status, [401, 431].includes(status) ? response : withBudget(response)] as const,
  );
  return Object.fromEntries(responses) as ZodOpenApiResponsesObject;
}

/** Merges both, because a page may have the status of a refusal. */
function besides(page: ZodOpenApiResponseObject | undefined, refusal: ReturnType<typeof refusedWith>) {
  if (page === undefined) return refusal;
  const description = `${page.description} ${refusal.description}`;
  return { ...refusal, description, content: { ...page.content, ...refusal.content } };
}

const wholeNumber = (description: string) => ({ schema: { type: 'integer' as const }, description });

/** Adds the headers with the key's budget, which every answer of a metered route to a known key has. */
const withBudget = (response: ZodOpenApiResponseObject): ZodOpenApiResponseObject => ({
  ...response,
  headers: {
    ...(response.headers as Record<string, object> | undefined),
    'X-RateLimit-Limit': wholeNumber('Requests that are allowed in the window'),
    'X-RateLimit-Remaining': wholeNumber('Those that are left'),
    'X-RateLimit-Reset': wholeNumber('Seconds until the window rolls over'),
  },
});

/** The links of a JSON answer; others have none. */
const linked = (answer: AnswerContract, links: Links) =>
  'json' in answer && Object.keys(links).length > 0 ? { links } : {};

function contentOf(answer: AnswerContract, example: unknown) {
  if ('empty' in answer) return {};
  if ('stream' in answer) return { content: { [answer.stream]: { schema: z.string() } } };
  if ('media' in answer) return { content: { [answer.media]: { schema: z.string() } } };
  return { content: { 'application/json': { schema: answer.json, ...(example === undefined ? {} : { example }) } } };
}

function refusedWith({ who }: RouteContract, status: number, codes: RefusalCode[]) {
  const description = codes.map((code) => `${code}: ${refusals[code][1]}`).join(' ');
  if (status === 401 && who === 'partner') {
    return { description, content: { 'text/plain': { schema: z.literal('Unauthorized') } } };
  }
  const schema = z.object({
    message: z.string(),
    code: z.enum(codes),
    ...(codes.includes('VALIDATION_ERROR') && {
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    }),
    ...(status === 402 && { declineCode: z.string(), paymentId: z.string().nullable().optional() }),
  });
  const tryAgain = status === 429 || codes.some((code) => (refusals[code] as readonly unknown[])[2] !== undefined);
  const headers = { 'Retry-After': wholeNumber('Seconds') };
  return { description, content: { 'application/json': { schema } }, ...(tryAgain && { headers }) };
}
