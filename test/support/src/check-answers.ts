/**
 * Checks every answer against its contract, and that a process names no more statements than a connection may keep. A service imports
 * this file first (so does a test that runs a service in its own process). A broken contract and a statement too many each become a 500
 * and a line on stderr, which `brokenContracts` finds.
 */
import { refusalsOf, type RouteContract } from '@cobro/contracts/route.ts';
import { type CheckedAnswer, installAnswerCheck } from '@cobro/service-kit/answer-check.ts';
import { reportBroken, MARK } from './check-statements.ts';

installAnswerCheck((contract, answer) => {
  const problem = problemOf(contract, answer);
  if (problem === undefined) return;
  throw reportBroken(`${contract.method} ${contract.path}`, problem);
});

/** How an answer breaks its contract; undefined if it keeps it. */
export function problemOf(contract: RouteContract, answer: CheckedAnswer): string | undefined {
  if ('refusal' in answer) {
    return refusalsOf(contract).includes(answer.refusal) ? undefined : `the refusal ${answer.refusal} is not declared`;
  }
  const promised = contract.answers[answer.status];
  if (promised === undefined) return `the status ${answer.status} is not declared`;
  if ('media' in promised) return answer.text === undefined ? 'the text is missing' : undefined;
  if ('stream' in promised) return answer.parts === undefined ? 'the parts are missing' : undefined;
  if ('empty' in promised) return answer.body === undefined && answer.text === undefined ? undefined : 'it has a body';
  const read = promised.json.safeParse(JSON.parse(JSON.stringify(answer.body ?? null)));
  return read.success ? undefined : `${answer.status} ${read.error.message}`;
}

/** The lines about broken contracts in the output of processes. */
export const brokenContracts = (output: string): string[] =>
  output.split('\n').filter((line) => line.includes(MARK) && !line.startsWith('{'));
