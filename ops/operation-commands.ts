import { setTimeout as sleep } from 'node:timers/promises';
import { readAnswer } from '@cobro/bank/bank-answer.ts';
import { kindOf } from '@cobro/bank/journal.ts';
import type { ResolvedEnding } from '@cobro/bank/journal.store.ts';
import {
  findOperation,
  insertResolution,
  listResolutions,
  listUnknown,
  lockOperation,
  type Resolution,
  type ShownOperation,
  UNKNOWN_TOO_LONG_MINUTES,
} from '@cobro/bank/resolution.store.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { requiredText } from '@cobro/contracts/text.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, EXAMPLE_ID } from '@cobro/service-kit/admin-command.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import { journalKeepers } from '../services/definitions.ts';
import { closeAll, openSchemas, schemaAddresses } from './schema-addresses.ts';

type Journals = Record<(typeof journalKeepers)[number], Database>;

/** A replica looks each second, and asks the bank once more, which takes up to 8 s. */
const APPLIED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 250;
const MOST = 1_000;

/** The options that an operator must give, and may give, with each outcome. */
const OPTIONS: Record<ResolvedEnding['outcome'], { needed: string[]; possible: string[] }> = {
  approved: { needed: ['reference', 'time'], possible: [] },
  declined: { needed: ['code', 'time'], possible: ['reference'] },
  not_processed: { needed: [], possible: [] },
};

const resolving = z
  .object({
    id: uuid,
    outcome: z.enum(['approved', 'declined', 'not_processed'], {
      error: 'must be approved, declined or not_processed',
    }),
    reference: requiredText(256).optional(),
    code: requiredText(64).optional(),
    time: z.iso.datetime({ offset: true, error: 'must be a time, as 2026-11-20T12:00:00-06:00' }).optional(),
    by: requiredText(100),
    reason: requiredText(1_000),
  })
  .superRefine((given, ctx) => {
    const { needed, possible } = OPTIONS[given.outcome];
    for (const option of ['reference', 'code', 'time'] as const) {
      const isGiven = given[option] !== undefined;
      const isNeeded = needed.includes(option);
      if (isGiven ? isNeeded || possible.includes(option) : !isNeeded) continue;
      const message = `${isNeeded ? 'is needed with' : 'means nothing with'} ${given.outcome}`;
      ctx.addIssue({ code: 'custom', path: [option], message });
    }
  });

const operations = [
  command({
    words: 'operations list',
    usage: '[--minutes 60]',
    about: 'shows the operations at the bank whose outcome has been unknown for so long, oldest first, 1,000 at most',
    example: [],
    options: z.object({
      minutes: z
        .string()
        .regex(/^\d{1,6}$/, { error: 'must be a number of minutes' })
        .transform(Number)
        .prefault(String(UNKNOWN_TOO_LONG_MINUTES)),
    }),
    run: async (journals: Journals, { minutes }) => {
      const found = journalKeepers.map(async (service) =>
        (await listUnknown(journals[service], minutes, MOST)).map((one) => ({ service, one })),
      );
      return (await Promise.all(found))
        .flat()
        .toSorted((a, b) => a.one.claimedAt.getTime() - b.one.claimedAt.getTime())
        .slice(0, MOST)
        .map(({ service, one }) => ({ service, ...shown(one) }));
    },
  }),
  command({
    words: 'operations show',
    usage: '--id ID',
    about: 'shows one operation at the bank, and what operators have decided about it',
    example: ['--id', EXAMPLE_ID],
    options: z.object({ id: uuid }),
    run: async (journals: Journals, { id }) => {
      const { service, operation } = await find(journals, id);
      const resolutions = await listResolutions(journals[service], id);
      return { service, ...shown(operation), resolutions: resolutions.map((one) => stated(one, operation)) };
    },
    report: ({ resolutions, ...operation }) => ({
      text: [operation, ...resolutions].map(linesOf).join('\n'),
      isBad: false,
    }),
  }),
  command({
    words: 'operations resolve',
    usage:
      '--id ID --outcome approved|declined|not_processed [--reference R] [--code C] [--time T] --by NAME --reason TEXT',
    about:
      'settles an operation whose outcome has been unknown for an hour by what the bank has told you, unless the bank answers now',
    example: ['--id', EXAMPLE_ID, '--outcome', 'not_processed', '--by', 'Ana', '--reason', 'case 4711 of the bank'],
    options: resolving,
    run: async (journals: Journals, given) => {
      const { id, by, reason } = given;
      const { service, operation } = await find(journals, id);
      const resolutionId = await decide(journals[service], operation, endingOf(given), { decidedBy: by, reason });
      return untilApplied(journals[service], id, resolutionId);
    },
  }),
];

const iso = (date: Date | null) => date?.toISOString() ?? null;

const shown = ({ amount, claimedAt, unansweredAt, inquireAt, settledAt, ...rest }: ShownOperation) => ({
  ...rest,
  centavos: amount === null ? null : Number(amount),
  claimedAt: iso(claimedAt),
  unansweredAt: iso(unansweredAt),
  inquireAt: iso(inquireAt),
  settledAt: iso(settledAt),
});

/** `overtaken`: the bank's own answer came first. */
const stated = ({ decidedAt, appliedAt, ...rest }: Resolution, { status }: ShownOperation) => ({
  resolution: appliedAt !== null ? 'applied' : status === 'open' ? 'waits' : 'overtaken',
  ...rest,
  decidedAt: iso(decidedAt),
  appliedAt: iso(appliedAt),
});

const linesOf = (fields: object) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}\n`)
    .join('');

async function find(journals: Journals, id: string) {
  for (const service of journalKeepers) {
    const operation = await findOperation(journals[service], id);
    if (operation !== undefined) return { service, operation };
  }
  throw new OperatorError(`There is no operation ${id}.`);
}

function endingOf({ outcome, reference, code = '', time = '' }: z.output<typeof resolving>): ResolvedEnding {
  if (outcome === 'not_processed') return { outcome };
  const at = new Date(time).toISOString();
  return outcome === 'approved'
    ? { outcome, reference: reference ?? '', time: at }
    : { outcome, declineCode: code, time: at, reference: reference ?? null };
}

/** Writes down the resolution. A process of the service settles by it, even if this process dies now. */
async function decide(
  db: Database,
  { id, purpose }: ShownOperation,
  ending: ResolvedEnding,
  who: { decidedBy: string; reason: string },
): Promise<string> {
  if (ending.outcome !== 'not_processed' && readAnswer(kindOf[purpose], ending).outcome === 'unknown') {
    const token = purpose === 'save' && ending.outcome === 'approved';
    throw new OperatorError(
      token
        ? 'Only the bank’s own answer has the token of a saved card: this cannot be resolved as approved.'
        : 'The bank cannot have said that: look at the reference, the code and the time.',
    );
  }
  return db.inTransaction(async (tx) => {
    const operation = await lockOperation(tx, id);
    if (operation?.status !== 'open') throw new OperatorError(`The operation is closed: ${operation?.status}.`);
    if (!operation.isUnknown) {
      throw new OperatorError(
        `The operation is younger than ${UNKNOWN_TOO_LONG_MINUTES} minutes: the bank is still asked.`,
      );
    }
    const [waiting] = (await listResolutions(tx, id)).filter(({ appliedAt }) => appliedAt === null);
    if (waiting !== undefined) {
      throw new OperatorError(`${waiting.decidedBy} has resolved it at ${iso(waiting.decidedAt)}, and that waits.`);
    }
    return insertResolution(tx, { operationId: id, ending, ...who });
  });
}

async function untilApplied(db: Database, id: string, resolutionId: string) {
  for (const end = Date.now() + APPLIED_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    const operation = await findOperation(db, id);
    if (operation !== undefined && operation.status !== 'open') {
      const made = (await listResolutions(db, id)).find((one) => one.id === resolutionId);
      if (made !== undefined && made.appliedAt !== null) return shown(operation);
      throw new OperatorError(`The bank’s own answer came first: the operation is closed as ${operation.status}.`);
    }
    if (Date.now() > end) {
      throw new OperatorError(
        'It is written down, and no process of the service has settled it yet: see operations show.',
      );
    }
  }
}

/** Commands on operations, in the schema and with the rights of each service that keeps a journal. */
export const operationCommands = commandTable({
  name: 'operations',
  environment: schemaAddresses(journalKeepers),
  open: (addresses): Journals => openSchemas(addresses, journalKeepers),
  close: closeAll,
  explain: databaseSentence,
  commands: operations,
});
