/**
 * `npm run sick [-- --seconds 20 --only bank-silent,flood --merchants 12 --per-second 16]`: makes one part after the other sick under the
 * mixed load of many merchants, and prints what healthy merchants felt. Exits with 1 unless books agree, every event came to its merchant
 * under one id, nothing is parked and no answer is strange. Within 5 s of the fault's end answers have to be as before, and within 60 s
 * books and events. It runs in its own mount namespace (`unshare --mount`), so that the small disks go with its processes.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@cobro/postgres/database.ts';
import { type Books, disagreementsAfter } from '@cobro/testing/agreement.ts';
import { stackFolder } from '../../dev/stack/run-record.ts';
import type { Run } from '../../dev/stack/run.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';
import { optionsOf } from '../../bench/bench-program.ts';
import type { Merchant } from '../../bench/payment-requests.ts';
import { makeMerchants } from '../../bench/merchants.ts';
import { booksOf } from '../../bench/open-books.ts';
import { inOwnRun, say } from '../../dev/stack/in-own-run.ts';
import { type History, openHistory } from '../chaos/history.ts';
import { hasGo, judge } from '../chaos/judge.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { moveMerchants } from './other-acquirer.ts';
import { counted, type Felt, feltAfterAll, isRefused, laneOf, strange, tableOf } from './felt.ts';
import { brokenContractsOf, parked } from './left-behind.ts';
import { watchReadiness } from './readiness.ts';
import { openReceivers } from './receivers.ts';
import { type SickStack, startSickStack } from './sick-stack.ts';
import { startTraffic, type Traffic } from './traffic.ts';

const WARM_UP_MS = 8_000;
const ANSWERS_WITHIN_MS = 5_000;
/** How long the traffic goes on after those 5 s, to see that nothing more is refused. */
const WATCHED_MS = 3_000;
const SETTLED_WITHIN_MS = 60_000;
/** A delivery that failed for a while is first retried after a minute, a fifth more or less. */
const EVENTS_WITHIN_MS = 90_000;
/** Merchants of the other acquirer, which send nothing except during its own faults. */
const MOVED = 6;
/** Below this nobody feels a p99, which is one or two of some hundred requests. */
const UNFELT_MS = 40;

const options = optionsOf({ seconds: 20, only: Object.keys(faults).join(','), merchants: 12, 'per-second': 16 });
const { seconds } = options;
const historyFile = join(stackFolder, 'sick-history.jsonl');

const NOTHING: Fault = { name: 'nothing', begin: async () => async () => {} };

async function main(run: Run): Promise<number> {
  const wanted = options.only.split(',').map((word): Fault => {
    const fault = faults[word];
    if (fault === undefined) throw new Sentence(`No fault is called ${word}: ${Object.keys(faults).join(', ')}.`);
    return fault;
  });
  const started = await startSickStack(run);
  const all = await makeMerchants(started.stack, options.merchants + 1 + MOVED, say);
  const [troublemaker, ...others] = all as [Merchant, ...Merchant[]];
  const moved = await moveMerchants(started, others.splice(0, MOVED));
  const healthy = others;
  const receivers = await openReceivers(started.stack, healthy);
  run.onStop(async () => receivers.close());
  const sick: SickStack = { ...started, troublemaker, moved, receivers };
  // Opened anew for each fault, because some faults break connections.
  const books = booksOf(sick.stack);
  say('warming up');
  const warmUp = await startTraffic(sick.stack.baseUrl, healthy, options['per-second']);
  await sleep(WARM_UP_MS);
  await warmUp.stop();
  const history = openHistory(historyFile);
  const felt: Felt[] = [];
  for (const fault of [NOTHING, ...wanted]) {
    felt.push(await suffer({ ...sick, history }, books.open(), healthy, fault, felt[0]));
    await books.close();
  }
  await history.close();
  const broken = [...counted(brokenContractsOf(sick.stack)), ...judged()];
  process.stdout.write(`${tableOf(felt)}\n`);
  const problems = [...felt.flatMap((of) => of.problems.map((problem) => `${of.fault}: ${problem}`)), ...broken];
  for (const problem of problems) process.stdout.write(`NOT RIGHT: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** Runs one fault from its beginning until all is settled. `quiet` is what was felt with nothing sick. */
async function suffer(
  sick: SickStack & { history: History },
  books: Books,
  merchants: Merchant[],
  fault: Fault,
  quiet: Felt | undefined,
): Promise<Felt> {
  const { history } = sick;
  const traffic = await startTraffic(sick.stack.baseUrl, merchants, options['per-second'], { history });
  const begun = performance.now();
  const end = await fault.begin(sick);
  const sickFrom = performance.now();
  say(`${fault.name}: sick after ${((sickFrom - begun) / 1_000).toFixed(1)} s`);
  const others = Object.entries(sick.stack.urls).flatMap(([name, urls]) => (name === fault.stops ? [] : urls));
  const readiness = watchReadiness(fault.isFeltByNobody === true ? others : []);
  await sleep(seconds * 1_000);
  const problems = counted(await readiness.stop());
  problems.push(...((await end()) ?? []));
  const well = performance.now();
  await sleep(ANSWERS_WITHIN_MS + WATCHED_MS);
  const lastSent = performance.now();
  await traffic.stop();

  const withinMs = Math.max(1_000, SETTLED_WITHIN_MS - (performance.now() - well));
  const disagreements = await disagreementsAfter(books, withinMs);
  problems.push(...disagreements);
  const settledAfterMs = disagreements.length === 0 ? performance.now() - well : undefined;
  problems.push(...(await sick.receivers.wrongAfter(Math.max(1_000, EVENTS_WITHIN_MS - (performance.now() - well)))));
  problems.push(...(await parked(sick.stack)), ...(await brokenPromises(books, traffic)));
  const { ended } = traffic;
  problems.push(...counted(ended.map((one) => strange(one, fault.onlyBank === true))));
  const during = ended.filter(({ at }) => at >= sickFrom && at < well);
  const after = ended.filter(({ at }) => at >= well && at < lastSent);
  const answeredAfterMs = Math.max(0, ...after.filter(isRefused).map(({ at }) => at - well));
  if (answeredAfterMs > ANSWERS_WITHIN_MS)
    problems.push(`a request was still refused ${answeredAfterMs} ms after the end`);
  const lanes = { reads: laneOf(during, true), money: laneOf(during, false) };
  if (fault.isFeltByNobody === true && quiet !== undefined)
    problems.push(...feltAfterAll(lanes.money, lanes.reads, quiet.money));
  const mostMs = Math.max(UNFELT_MS, (fault.mostTimesReads ?? Infinity) * (quiet?.reads.p99 ?? Infinity));
  if (lanes.reads.p99 > mostMs) problems.push(`p99 of reads was ${lanes.reads.p99} ms, more than ${mostMs} ms`);
  const codes = counted(during.filter(isRefused).map(({ status, code }) => `${status} ${code}`));
  say(
    `${fault.name}: ${codes.join(', ') || 'nothing refused'}${problems.length > 0 ? `\n  ${problems.join('\n  ')}` : ''}`,
  );
  const unknown = during.filter(({ status }) => status === 202).length;
  return { fault: fault.name, ...lanes, unknown, answeredAfterMs, settledAfterMs, problems };
}

/** Lets porcupine judge every call to payments, if this machine has Go. */
function judged(): string[] {
  if (!hasGo()) {
    say('The history is not judged, because there is no Go.');
    return [];
  }
  const { shown, violations, unknown } = judge(historyFile);
  if (shown !== '') say(shown);
  return [...(violations ?? []), ...(unknown ?? [])].map((part) => `no order explains the answers about ${part}`);
}

/** Payments whose books contradict the last successful answer. */
async function brokenPromises({ payments }: Books, { promised }: Traffic): Promise<string[]> {
  const rows = await payments.many<{ id: string; status: string }>(sql`
    select id, status from payment where id = any(${[...promised.keys()]})`);
  const booked = new Map(rows.map(({ id, status }) => [id, status]));
  const broken = [...promised].filter(([id, status]) => booked.get(id) !== status);
  return counted(broken.map(([id, status]) => `answered as ${status}, but is ${booked.get(id)}`));
}

await inOwnRun(main);
