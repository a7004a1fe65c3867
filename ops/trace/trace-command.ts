import { secretUrl } from '@cobro/service-kit/config.ts';
import { type CommandTable, command, commandTable, EXAMPLE_ID } from '@cobro/service-kit/admin-command.ts';
import { UnknownWhereError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import { type Addresses, openForReading, someAddresses } from '../schema-addresses.ts';
import { findTimeline, type Timeline } from './find-timeline.ts';
import { printTimeline } from './print-timeline.ts';
import { type Databases, recordReader, SCHEMAS } from './records.ts';
import { timelineAsJson } from './timeline-as-json.ts';

export const TRACE_USAGE = 'ID [--full] [--database URL] [--spans FILE]';

const options = z.object({
  id: z
    .string({ error: 'is missing: the id of a payment, link, intent, operation, event, request or trace' })
    .regex(/^[\w.:-]{1,128}$/, { error: 'is no id of ours' }),
  full: z.boolean().default(false),
  database: secretUrl.optional(),
  spans: z.string().min(1).optional(),
});

interface Needs {
  addresses: Addresses;
  spansFile: string | undefined;
}

interface Printed {
  timeline: Timeline;
  full: boolean;
}

/** Keeps the timeline itself beside its JSON, for the report to people; JSON.stringify prints only what `toJSON` gives. */
const printed = ({ timeline, full }: Printed) => ({ timeline, full, toJSON: () => timelineAsJson(timeline) });

const trace = command({
  words: '',
  usage: TRACE_USAGE,
  about:
    'prints the timeline of a payment, by its id or by that of its link, intent, operation, event, request or trace: what each process did, what the bank was asked, and what the databases noted',
  example: [EXAMPLE_ID],
  options,
  run: async ({ addresses, spansFile }: Needs, { id, full, database, spans }) => {
    const given: Addresses = database === undefined ? addresses : { DATABASE_URL: database };
    // The spans of the local stack say nothing about another database.
    const file = spans ?? (database === undefined ? spansFile : undefined);
    const databases: Databases = Object.fromEntries(
      SCHEMAS.flatMap((schema) => {
        const db = openForReading(given, schema);
        return db === undefined ? [] : [[schema, db]];
      }),
    );
    try {
      if (file === undefined && Object.keys(databases).length === 0) {
        throw new UnknownWhereError('It is not known where to look: give --database URL, or --spans FILE, or both.');
      }
      return printed({
        timeline: await findTimeline(id, full, { records: recordReader(databases), spansFile: file }),
        full,
      });
    } finally {
      await Promise.all(Object.values(databases).map((db) => db.close()));
    }
  },
  report: ({ timeline, full }) => ({ text: printTimeline(timeline, full), isBad: false }),
});

/** The one command of `npm run trace`. It reads, and changes nothing. */
export const traceTable: CommandTable = commandTable({
  name: 'trace',
  environment: someAddresses(SCHEMAS).extend({ SPANS_FILE: z.string().optional() }),
  open: ({ SPANS_FILE, ...addresses }): Needs => ({ addresses: addresses as Addresses, spansFile: SPANS_FILE }),
  // A database that is away is no failure here: the timeline says what is missing.
  explain: () => undefined,
  commands: [trace],
});
