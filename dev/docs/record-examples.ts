/**
 * `npm run docs -- examples`: takes the demo's tour on a stack of its own and writes, for each route that the tour calls, its first
 * request and its first answer of each status to docs/examples. `npm run docs` shows them in the OpenAPI documents.
 */
import { testCards } from '@cobro/contracts/test-cards.ts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteContract } from '@cobro/contracts/route.ts';
import { mainContracts, nameOf, partnerContracts } from '@cobro/contracts/routes.ts';
import { takeTour } from '../demo/tour.ts';
import { say } from '../stack/in-own-run.ts';
import { openShownStack } from '../stack/open-shown-stack.ts';
import { reportFailure } from '../stack/servers/server.ts';
import { type Example, examplesFolder } from './examples.ts';

/** Replaces the recording stack's address in the examples. */
const SHOWN_ORIGIN = 'https://api.example.mx';
/** The secret in Standard Webhooks' own example. */
const SHOWN_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** A list is cut after this many entries. */
const MOST_ENTRIES = 2;

async function record(): Promise<number> {
  const stack = await openShownStack({ say, exitCode: 130 });
  const { baseUrl, partnerBaseUrl, bankUrl, clockUrl, merchants, terminal } = stack;
  const examples = new Map<RouteContract, Example>();
  const ask = globalThis.fetch;
  // The tour calls by fetch, as a merchant would, so all requests and answers pass here.
  globalThis.fetch = async (input, init) => {
    const response = await ask(input, init);
    const url = input instanceof Request ? input.url : String(input);
    const contract =
      byFixedSegments(mainContracts).find((one) => calls(one, init, url, baseUrl)) ??
      partnerContracts.find((one) => calls(one, init, url, partnerBaseUrl));
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    // Refusals are skipped: the catalogue of errors has them.
    if (contract !== undefined && isJson && response.status in contract.answers) {
      const example = examples.get(contract) ?? { answers: {} };
      if (response.ok && typeof init?.body === 'string') example.request ??= JSON.parse(init.body);
      const text = (await response.clone().text()).replaceAll(new URL(baseUrl).origin, SHOWN_ORIGIN);
      const answer = text.replaceAll(/whsec_[^"]+/g, SHOWN_SECRET);
      example.answers[response.status] ??= JSON.parse(answer, shortened);
      examples.set(contract, example);
    }
    return response;
  };
  try {
    await takeTour({
      baseUrl,
      partnerBaseUrl,
      clockUrl,
      bankUrl,
      terminal,
      declinedCard: testCards.insufficientFunds,
      ...merchants,
    });
  } finally {
    await stack.stop();
  }
  rmSync(examplesFolder, { recursive: true, force: true });
  mkdirSync(examplesFolder, { recursive: true });
  for (const [contract, example] of examples)
    writeFileSync(path.join(examplesFolder, `${nameOf(contract)}.json`), `${JSON.stringify(example, null, 2)}\n`);
  return 0;
}

/** A path with a fixed segment comes before a path that has a parameter in that segment. */
const byFixedSegments = (contracts: readonly RouteContract[]) =>
  contracts.toSorted((a, b) => a.path.split(':').length - b.path.split(':').length);

function calls(
  { method, path: asked }: RouteContract,
  init: RequestInit | undefined,
  url: string,
  baseUrl: string,
): boolean {
  const pattern = new RegExp(`^${asked.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`);
  return method === (init?.method ?? 'GET') && url.startsWith(baseUrl) && pattern.test(url.slice(baseUrl.length));
}

const shortened = (_key: string, value: unknown): unknown =>
  Array.isArray(value) ? (value as unknown[]).slice(0, MOST_ENTRIES) : value;

process.exit(await record().catch(reportFailure(say)));
