import { existsSync } from 'node:fs';
import { uuidOnly } from '@cobro/contracts/span-ids.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import type { RecordReader, Records } from './records.ts';
import { findTraces, idOf, isLedToBy, isLinkedTo, rootOf, type Trace } from './spans.ts';

/** All that is known of the payment that an id leads to. */
export interface Timeline {
  asked: string;
  records: Records;
  traces: Trace[];
  /** Traces of requests that only read the payment, which are left out unless they are asked for. */
  reads: number;
  /** What could not be looked at, in sentences. */
  missing: string[];
}

export interface Sources {
  records: RecordReader;
  spansFile: string | undefined;
}

/**
 * Finds the timeline of a payment by its id, or by the id of a link, a subscription, an intent, an operation, an event, a request or a
 * trace. Only spans know the last three. @throws OperatorError if nothing is known of the id
 */
export async function findTimeline(asked: string, withReads: boolean, sources: Sources): Promise<Timeline> {
  const { records, spansFile } = sources;
  const spansAreThere = spansFile !== undefined && existsSync(spansFile);
  const tracesOf: FindTraces = async (ids) => (spansAreThere ? findTraces(spansFile, ids) : []);
  // Our ids are in lower case. A caller may have written its request's id in any.
  const led = new Set([asked, asked.toLowerCase()]);

  const { named, payments, ids } = await subjectsOf(led, records, tracesOf);
  const known = await records.about(payments, [...ids]);
  const leading = new Set([...led, ...ids, ...known.operations.map(({ id }) => id)]);
  const meant = new Set([...led, ...named]);
  const own = (await tracesOf(leading)).filter((trace) => mentions(trace, meant) || !isOfOthers(trace, leading));
  const traces = own.filter((trace) => withReads || !isRead(trace) || isRequest(trace, led));
  known.applied = await records.applied([...eventsIn(traces)]);

  const missing = [
    ...(spansAreThere ? [] : [noSpans(spansFile)]),
    ...(spansAreThere && traces.length === 0 ? [`No span of it is in ${spansFile}.`] : []),
    ...records.missing(),
  ];
  const { operations, intents, holds, projections, events, waiting } = known;
  const all = [payments, operations, intents, holds, projections, events, waiting, own];
  const isKnown = all.some((found) => found.length > 0);
  if (!isKnown) throw new OperatorError([`Nothing is known of ${asked}.`, ...missing].join('\n'));
  return { asked, records: known, traces, reads: own.length - traces.length, missing };
}

type FindTraces = (ids: ReadonlySet<string>) => Promise<Trace[]>;

const noSpans = (file: string | undefined) =>
  `Spans are missing: ${file === undefined ? 'no file of spans is given' : `there is no file ${file}`}. Only spans know requests, and which process did what.`;

/** The payments, links or intents that the id means, their payments, and the ids of all these and of the payments' origins. */
async function subjectsOf(led: ReadonlySet<string>, records: RecordReader, tracesOf: FindTraces) {
  const inDatabases = await subjectsInDatabases(led, records);
  const named = inDatabases.length > 0 ? inDatabases : subjectsIn(await tracesOf(led), led);
  if (named.length === 0) return { named, payments: [], ids: new Set<string>() };
  const payments = await records.payments(named);
  // Spans may know payments that the database does not.
  const ids = payments.length > 0 ? payments.flatMap(idsOfPayment) : idsIn(await tracesOf(new Set(named)), named);
  return { named, payments, ids: new Set([...named, ...ids]) };
}

/** The id under which the databases know what was asked for: a payment's, a link's, an intent's. */
async function subjectsInDatabases(led: ReadonlySet<string>, records: RecordReader): Promise<string[]> {
  const id = [...led].map(uuidOnly).at(-1);
  if (id === undefined) return [];
  const found = await records.payments([id]);
  if (found.length > 0) return [id];
  const subject = await records.subjectOf(id);
  if (subject !== undefined) return [subject];
  const { holds, intents, projections } = await records.about([], [id]);
  return [holds, intents, projections].some((some) => some.length > 0) ? [id] : [];
}

/** Leaves out its payment link, whose other payments are no part of its timeline. */
const idsOfPayment = ({ id, oneTimePaymentId, paymentIntentId }: Records['payments'][number]): string[] =>
  [id, oneTimePaymentId, paymentIntentId].filter((one) => one !== null);

/**
 * The payments that these traces name; in a trace of several payments, those on a span with the id that was asked for. If there are none,
 * the links and intents.
 */
function subjectsIn(traces: Trace[], led: ReadonlySet<string>): string[] {
  const found = traces.flatMap(({ spans }) => {
    const near = spans.filter((span) => isLedToBy(span, led) && idOf(span, 'paymentId') !== undefined);
    return (near.length > 0 ? near : spans).flatMap((span) => uuidOnly(idOf(span, 'paymentId')) ?? []);
  });
  return found.length > 0 ? [...new Set(found)] : originsIn(traces);
}

/** The payments of these links and intents, and the links and intents of these payments. */
const idsIn = (traces: Trace[], named: string[]) => [...subjectsIn(traces, new Set(named)), ...originsIn(traces)];

/** The links and intents that these traces name. */
const originsIn = (traces: Trace[]): string[] =>
  traces
    .flatMap(({ spans }) => spans.flatMap((span) => [idOf(span, 'oneTimePaymentId'), idOf(span, 'paymentIntentId')]))
    .flatMap((id) => uuidOnly(id) ?? []);

const eventsIn = (traces: Trace[]): Set<string> =>
  new Set(traces.flatMap(({ spans }) => spans.flatMap((span) => uuidOnly(idOf(span, 'eventId')) ?? [])));

const mentions = ({ spans }: Trace, led: ReadonlySet<string>) => spans.some((span) => isLedToBy(span, led));

/** Whether exactly this request was asked for, by its own id or by the id of its caller's trace. */
const isRequest = ({ traceId, spans }: Trace, led: ReadonlySet<string>) =>
  led.has(traceId) || spans.some((span) => led.has(idOf(span, 'requestId') ?? '') || isLinkedTo(span, led));

/** Whether the trace made only other payments, of the same link or intent. */
function isOfOthers({ spans }: Trace, ids: ReadonlySet<string>): boolean {
  const payments = spans.flatMap((span) => idOf(span, 'paymentId') ?? []);
  return payments.length > 0 && !payments.some((id) => ids.has(id));
}

const isRead = (trace: Trace) => /^(GET|HEAD)\b/.test(rootOf(trace)?.name ?? '');
