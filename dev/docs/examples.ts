import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteContract } from '@cobro/contracts/route.ts';
import { mainContracts, nameOf, partnerContracts } from '@cobro/contracts/routes.ts';

/** A request and its answers by status, as recorded on a real stack. */
export interface Example {
  request?: unknown;
  answers: Record<string, unknown>;
}

/** Where recorded examples lie, one file for each contract. */
export const examplesFolder = path.join(import.meta.dirname, '../../docs/examples');

/** The recorded example of a contract, if there is one. @throws if the example does not fit the contract */
export function exampleOf(contract: RouteContract): Example | undefined {
  const file = path.join(examplesFolder, `${nameOf(contract)}.json`);
  if (!existsSync(file)) return undefined;
  const example = JSON.parse(readFileSync(file, 'utf8')) as Example;
  const wrong = problemOf(contract, example);
  if (wrong !== undefined) throw new Error(`docs/examples/${nameOf(contract)}.json: ${wrong}`);
  return example;
}

function problemOf({ body, answers }: RouteContract, example: Example): string | undefined {
  if (example.request !== undefined) {
    const read = body !== undefined && 'json' in body ? body.json.safeParse(example.request) : undefined;
    if (read?.success !== true) return 'its request is not what the route takes';
  }
  for (const [status, json] of Object.entries(example.answers)) {
    const answer = answers[Number(status)];
    if (answer === undefined || !('json' in answer)) return `${status} is not a JSON answer of the route`;
    const read = answer.json.safeParse(json);
    if (!read.success) return `its ${status} is not what the route answers: ${read.error.message}`;
  }
  return undefined;
}

/** Recorded files of routes that no longer exist. */
export function staleExamples(): string[] {
  const known = new Set([...mainContracts, ...partnerContracts].map((contract) => `${nameOf(contract)}.json`));
  return existsSync(examplesFolder) ? readdirSync(examplesFolder).filter((file) => !known.has(file)) : [];
}
