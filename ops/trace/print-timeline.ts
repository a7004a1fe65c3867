import type { Timeline } from './find-timeline.ts';
import { type Moment, momentsOf, spanOf } from './moments.ts';
import { nameOf } from './name-of-span.ts';
import { aboutEvent, aboutOperation, aboutPayment } from './print-records.ts';
import { endOf, idOf, type Micros, rootOf, startOf, type Trace } from './spans.ts';
import { type Row, rowsOf } from './waterfall.ts';
import { clockOf, column, cut, cutInside, spanOfTime } from './words.ts';

/** No line is longer. */
const WIDTH = 110;
const BAR = 25;
const NUMBER = 8;
const PROCESS = 10;
const WHAT = WIDTH - 2 * NUMBER - 3 - PROCESS - 2 - BAR;
const MOMENT = '◆';

/** The timeline as a person reads it in a shell; in full, with every span and every trace. */
export function printTimeline(timeline: Timeline, full: boolean): string {
  const { records, traces, missing, reads } = timeline;
  const moments = momentsOf(records, traces);
  const blocks = inTimeOrder(traces, moments);
  const notes = [
    ...(reads > 0 ? [`${count(reads, 'trace')} of requests that only read it: --full shows them.`] : []),
    ...missing,
  ];
  const parts = [
    ...(records.payments.length === 0 ? [`What is known of ${timeline.asked}`] : []),
    ...records.payments.map((payment) => aboutPayment(payment, records)),
    ...(records.operations.length > 0
      ? [['Asked of the bank', ...records.operations.flatMap(aboutOperation)].join('\n')]
      : []),
    ...(records.events.length > 0
      ? [['Shown to the merchant (business time)', ...records.events.flatMap(aboutEvent)].join('\n')]
      : []),
    ...printBlocks(blocks, timeline, full),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ];
  return `${parts.map(narrow).join('\n\n')}\n`;
}

const narrow = (text: string) =>
  text
    .split('\n')
    .map((line) => cut(line, WIDTH))
    .join('\n');

/** A trace with what the databases noted while it ran, or moments that are in no trace. */
type Block = { start: Micros; moments: Moment[]; trace?: Trace };

function inTimeOrder(traces: readonly Trace[], moments: readonly Moment[]): Block[] {
  const blocks: (Block & { trace: Trace })[] = traces.map((trace) => ({ start: startOf(trace), moments: [], trace }));
  const loose: Block[] = [];
  for (const moment of moments) {
    const [nearest] = blocks
      .flatMap((block) => {
        const spanOfMoment = spanOf(moment, block.trace);
        return spanOfMoment === undefined ? [] : [{ block, away: spanOfMoment.away }];
      })
      .toSorted((a, b) => a.away - b.away);
    if (nearest === undefined) loose.push({ start: moment.at, moments: [moment] });
    else nearest.block.moments.push(moment);
  }
  const all = [...blocks, ...loose].toSorted((a, b) => a.start - b.start);
  // Moments without a trace that follow one another share a heading.
  return all.reduce<Block[]>((merged, block) => {
    const last = merged.at(-1);
    if (block.trace !== undefined || last === undefined || last.trace !== undefined) return [...merged, block];
    return [...merged.slice(0, -1), { ...last, moments: [...last.moments, ...block.moments] }];
  }, []);
}

function printBlocks(blocks: readonly Block[], { asked, traces }: Timeline, full: boolean): string[] {
  const printed: string[] = [];
  let number = 0;
  let before: Micros | undefined;
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at];
    if (block === undefined) break;
    const later = before === undefined || block.start - before < 1_000_000 ? undefined : block.start - before;
    before = block.trace === undefined ? block.moments.at(-1)?.at : endOf(block.trace);
    if (block.trace === undefined) {
      printed.push(printLoose(block.moments, later));
      continue;
    }
    number += 1;
    const trace = printTrace(block.trace, block.moments, { number, of: traces.length, later, full, asked });
    const alike = full ? 0 : countAlike(blocks, at);
    if (alike < 2) printed.push(trace);
    else {
      const last = blocks[at + alike]?.trace ?? block.trace;
      before = endOf(last);
      const more = `${count(alike, 'trace')} like it, the last at ${clockOf(startOf(last))}: --full shows them.`;
      printed.push(`${trace}\n${more}`);
      number += alike;
      at += alike;
    }
  }
  return printed;
}

/** How many blocks after this one are traces of the same kind without moments, such as unanswered inquiries. */
function countAlike(blocks: readonly Block[], at: number): number {
  const kindOf = (block: Block | undefined) =>
    block?.trace === undefined || block.moments.length > 0 ? undefined : titleOf(block.trace);
  const kind = kindOf(blocks[at]);
  if (kind === undefined) return 0;
  const rest = blocks.slice(at + 1);
  const other = rest.findIndex((block) => kindOf(block) !== kind);
  return other === -1 ? rest.length : other;
}

function titleOf(trace: Trace): string {
  const root = rootOf(trace);
  return root === undefined ? '' : `${root.service ?? '?'} ${nameOf(root)}`;
}

interface Heading {
  number: number;
  of: number;
  later: Micros | undefined;
  full: boolean;
  asked: string;
}

const laterBy = (later: Micros | undefined) => (later === undefined ? '' : `, ${spanOfTime(later)} later`);

function printTrace(trace: Trace, moments: Moment[], { number, of, later, full, asked }: Heading): string {
  const [start, end] = [startOf(trace), endOf(trace)];
  const requestId = trace.spans.map((span) => idOf(span, 'requestId')).find((id) => id !== undefined);
  const isAsked = trace.traceId === asked || requestId === asked;
  const rows = rowsOf(trace, moments, full);
  const scale = { start: Math.min(start, ...rows.map((row) => row.start)), end };
  return [
    `Trace ${number} of ${of}: ${clockOf(start)} UTC${laterBy(later)}, ${spanOfTime(end - start)}`,
    `  trace ${trace.traceId}${requestId === undefined ? '' : `, request ${requestId}`}${isAsked ? ', asked for' : ''}`,
    `${'at ms'.padStart(NUMBER)} ${'for ms'.padStart(NUMBER)}  ${'process'.padEnd(PROCESS)}what`,
    ...rows.map((row) => printRow(row, start, scale)),
  ].join('\n');
}

function printRow(row: Row, start: Micros, scale: { start: Micros; end: Micros }): string {
  const { kind, depth, process, what } = row;
  const length = kind === 'moment' ? '' : column(Math.max(0, row.end - row.start));
  const indented = `${'  '.repeat(Math.min(depth, 8))}${kind === 'moment' ? `${MOMENT} ` : ''}${what}`;
  return [
    column(row.start - start).padStart(NUMBER),
    ' ',
    length.padStart(NUMBER),
    '  ',
    cut(process, PROCESS - 1).padEnd(PROCESS),
    (kind === 'span' ? cutInside(indented, WHAT) : cut(indented, WHAT)).padEnd(WHAT),
    '  ',
    barOf(row, scale),
  ]
    .join('')
    .trimEnd();
}

/** When in the trace it happened, and how much of the trace it took. */
function barOf({ kind, start, end }: Row, scale: { start: Micros; end: Micros }): string {
  const whole = Math.max(1, scale.end - scale.start);
  const barAt = (at: Micros) => Math.floor(((at - scale.start) / whole) * BAR);
  const from = Math.min(BAR - 1, Math.max(0, barAt(start)));
  if (kind === 'moment') return `${' '.repeat(from)}${MOMENT}`;
  const length = Math.max(1, Math.min(BAR, barAt(end) + 1) - from);
  return `${' '.repeat(from)}${(kind === 'statements' ? '▒' : '█').repeat(length)}`;
}

function printLoose(moments: readonly Moment[], later: Micros | undefined): string {
  const [first] = moments;
  if (first === undefined) return '';
  return [
    `Without spans: ${clockOf(first.at)} UTC${laterBy(later)}`,
    ...moments.map(({ at, service, what }) => `  ${clockOf(at)}  ${service.padEnd(10)}${MOMENT} ${what}`),
  ].join('\n');
}

const count = (number: number, noun: string) => `${number} more ${noun}${number === 1 ? '' : 's'}`;
