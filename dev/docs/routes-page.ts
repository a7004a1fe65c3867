import { type AnswerContract, outsidePath, type RouteContract, type Who } from '@cobro/contracts/route.ts';
import {
  internalContracts,
  mainContracts,
  partnerContracts,
  personContracts,
  platformContracts,
} from '@cobro/contracts/routes.ts';
import { code, page, table } from './markdown.ts';

const keys: Record<Who, string> = {
  merchant: '`x-api-key`, a merchant’s',
  partner: '`x-api-key`, a partner’s',
  terminal: '`x-terminal-key`',
  public: 'none',
  service: 'an internal token',
  person: 'none: people alone',
  platform: 'none: the platform alone',
};

/** Every route, from its contract. */
export function routesPage(): string {
  return page(
    'Routes',
    'From the contracts in `libs/contracts/src/routes`. Each row has the refusals that are the route’s own; every route can also give those ' +
      'of its kind (`refusalsOf` in `libs/contracts/src/route.ts`), which the OpenAPI documents beside this page list with the rest. A contract ' +
      'that no service keeps yet answers 501 `NOT_IMPLEMENTED`, after the key check. Every service also has `/health/live` and `/health/ready`.',
    '## Main API',
    tableOf(mainContracts, outsidePath),
    '## Partner API, on its own port',
    tableOf(partnerContracts, outsidePath),
    '## For people alone, on the port of the dashboard',
    tableOf(personContracts, outsidePath),
    '## For whoever runs the platform, on the same port',
    tableOf(platformContracts, outsidePath),
    '## Between services, never routed from outside',
    tableOf(internalContracts, ({ path }) => path),
  );
}

const tableOf = (contracts: readonly RouteContract[], pathOf: (contract: RouteContract) => string) =>
  table(
    ['route', 'what', 'key', 'service', 'lane, limit', 'answers', 'its own refusals'],
    contracts.map((contract) => [
      `${contract.method} ${code(pathOf(contract))}`,
      contract.summary,
      keys[contract.who],
      contract.service,
      `${contract.lane}, ${contract.timeLimitMs / 1_000} s`,
      answersOf(contract),
      contract.refusals.map(code).join(', ') || '–',
    ]),
  );

const answersOf = ({ answers }: RouteContract) =>
  Object.entries(answers)
    .map(([status, answer]) => `${status}${kindOf(answer)}: ${answer.means}`)
    .join(' ');

const kindOf = (answer: AnswerContract) =>
  'stream' in answer
    ? ` (${answer.stream})`
    : 'media' in answer
      ? ` (${answer.media})`
      : 'empty' in answer
        ? ' (empty)'
        : '';
