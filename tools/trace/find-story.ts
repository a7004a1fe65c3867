import { existsSync } from 'node:fs';
import { uuidOnly } from '@cobro/contracts/span-ids.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import type { RecordReader, Records } from './records.ts';
import { findTraces, idOf, isLedToBy, type Trace } from './spans.ts';

/** All that is known of the payment that an id leads to. */
export interface Story {
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
 * Finds the story of a payment by its id, or by that of a link, an intent, an operation, an event, a request or a trace. Only
 * spans know the last three. @throws OperatorError where nothing is known of the id
 */
export async function findStory(asked: string, withReads: boolean, { records, spansFile }: Sources): Promise<Story> {
  const spansAreThere = spansFile !== undefined && existsSync(spansFile);
  const tracesOf = (ids: ReadonlySet<string>) => (spansAreThere ? findTraces(spansFile, ids) : Promise.resolve([]));

  let subjects = await subjectsOf(asked, records);
  if (subjects.length === 0) subjects = paymentsIn(await tracesOf(new Set([asked])), asked);
  const payments = subjects.length === 0 ? [] : await records.payments(subjects);
  const ids = new Set([...subjects, ...payments.flatMap(idsOfPayment)]);
  const known = await records.about(payments, [...ids]);
  const leading = new Set([asked, ...ids, ...known.operations.map(({ id }) => id)]);
  const own = (await tracesOf(leading)).filter((trace) => !isOfOthers(trace, asked, leading));
  const traces = own.filter((trace) => withReads || !isRead(trace) || isRequest(trace, asked));
  const eventIds = new Set(
    traces.flatMap(({ spans }) => spans.flatMap((span) => uuidOnly(idOf(span, 'eventId')) ?? [])),
  );
  known.applied = await records.applied([...eventIds]);

  const missing = [
    ...(spansAreThere ? [] : [noSpans(spansFile)]),
    ...(spansAreThere && traces.length === 0 ? [`No span of it is in ${spansFile}.`] : []),
    ...records.missing(),
  ];
  const { operations, intents, holds, projections, waiting } = known;
  const isKnown = [payments, operations, intents, holds, projections, waiting, own].some((found) => found.length > 0);
  if (!isKnown) throw new OperatorError([`Nothing is known of ${asked}.`, ...missing].join('\n'));
  return { asked, records: known, traces, reads: own.length - traces.length, missing };
}

const noSpans = (file: string | undefined) =>
  `Spans are missing: ${file === undefined ? 'no file of spans is given' : `there is no file ${file}`}. Only spans know requests, and which process did what.`;

/** The ids under which the databases know what was asked for: a payment's, a link's, an intent's. */
async function subjectsOf(asked: string, records: RecordReader): Promise<string[]> {
  const id = uuidOnly(asked)?.toLowerCase();
  if (id === undefined) return [];
  const found = await records.payments([id]);
  if (found.length > 0) return [id];
  const subject = await records.subjectOf(id);
  if (subject !== undefined) return [subject];
  const { holds, intents, projections } = await records.about([], [id]);
  return [holds, intents, projections].some((some) => some.length > 0) ? [id] : [];
}

const idsOfPayment = ({ id, oneTimePaymentId, paymentIntentId }: Records['payments'][number]): string[] =>
  [id, oneTimePaymentId, paymentIntentId].filter((one) => one !== null);

/** The payments that these traces tell of; of a trace that serves several, those beside the id that was asked for. */
function paymentsIn(traces: Trace[], asked: string): string[] {
  const led = new Set([asked]);
  const found = traces.flatMap(({ spans }) => {
    const near = spans.filter((span) => isLedToBy(span, led) && idOf(span, 'paymentId') !== undefined);
    return (near.length > 0 ? near : spans).flatMap((span) => uuidOnly(idOf(span, 'paymentId')) ?? []);
  });
  return [...new Set(found)];
}

const mentions = ({ spans }: Trace, id: string) => spans.some((span) => isLedToBy(span, new Set([id])));

/** Whether just this request was asked for, by its own id. */
const isRequest = ({ traceId, spans }: Trace, id: string) =>
  traceId === id || spans.some((span) => idOf(span, 'requestId') === id);

/** A trace of the same link or intent in which another payment was made. */
function isOfOthers(trace: Trace, asked: string, ids: ReadonlySet<string>): boolean {
  if (mentions(trace, asked)) return false;
  const payments = trace.spans.flatMap((span) => idOf(span, 'paymentId') ?? []);
  return payments.length > 0 && !payments.some((id) => ids.has(id));
}

function isRead({ spans }: Trace): boolean {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const root = spans.find(({ parentSpanId }) => parentSpanId === null || !ids.has(parentSpanId));
  return /^(GET|HEAD)\b/.test(root?.name ?? '');
}
