import type { FaultName } from '../chaos/plan.ts';

/** A change of one line that makes the product wrong, as somebody may one day make it. */
export interface Bug {
  name: string;
  /** Relative to the repository. */
  file: string;
  /** Stands once in the file. */
  from: string;
  to: string;
  /** At least one of these checks of the chaos run has to see it (test/chaos/balance.ts). */
  seenBy: readonly string[];
  /** The faults under which it shows. */
  faults: readonly FaultName[];
  /** More than one if it takes two replicas. */
  replicas?: number;
  /** More than half a minute if it takes a lasting fault. */
  minutes?: number;
}

export const bugs: readonly Bug[] = [
  {
    name: 'an event that comes again is taken for a mistake',
    file: 'libs/events/src/inbox.ts',
    from: '    const isNew = new Set(news);',
    to: `    if (news.length < inOrder.length) throw new PermanentEventError('it came before');
    const isNew = new Set(news);`,
    seenBy: ['parked', 'events', 'books'],
    faults: ['kill a process'],
  },
  {
    name: 'a claim without its guard',
    file: 'libs/bank/src/subject.ts',
    from: ' and version = ${row.version} for no key update',
    // Two requests have to read the same hold, and the second to claim it after the first has settled: rare unless claims are slow.
    to: ' and pg_sleep(random() / 2) is not null for no key update',
    seenBy: ['asked', 'order of a payment', 'books'],
    faults: [],
  },
  {
    name: 'the lock of a payment link is dropped',
    file: 'services/payments/src/payment-links/payment-link.store.ts',
    from: '  select id from payment_link where id = ${id} for no key update`;',
    to: '  select id from payment_link where id = ${id}`;',
    seenBy: ['order of a counter', 'books'],
    faults: [],
  },
  {
    name: 'the sweep comes an hour early',
    file: 'services/holds/src/expire-holds.job.ts',
    from: 'clock.now().getTime() - CLOCK_SKEW_MS',
    to: 'clock.now().getTime() + 3_600_000',
    seenBy: ['order of a payment'],
    faults: ['clock passes 23:00'],
    minutes: 1,
  },
  {
    name: 'holds end an hour late',
    file: 'libs/domain/src/hold-window.ts',
    from: '  return now.getTime() >= expiresAt.getTime();',
    to: '  return now.getTime() >= expiresAt.getTime() + 3_600_000;',
    seenBy: ['order of a payment'],
    faults: ['clock passes 23:00'],
    minutes: 1,
  },
  {
    name: 'a fold counts twice',
    file: 'services/reporting/src/payment-tally.store.ts',
    from: 'status, type, terms, issuing_bank, sum(change)',
    to: 'status, type, terms, issuing_bank, 2 * sum(change)',
    seenBy: ['counts'],
    faults: [],
  },
  {
    name: 'a silent bank is asked again under a new key',
    file: 'libs/bank/src/journal.ts',
    from: `        await markUnanswered(dbs[caller.lane], operation.id);`,
    to: `        await acquirers.of(operation.acquirer).send(newId(), request, deadline + 8_000, caller);
        await markUnanswered(dbs[caller.lane], operation.id);`,
    seenBy: ['books'],
    faults: ['acquirer answers rubbish'],
  },
  {
    name: 'each replica has a limit of its own',
    file: 'libs/limits/src/rate-limit.ts',
    from: `const reply = (await redis.run(count, \`rate:\${key}\`, [windowMs, weight])) as [number, number] | undefined;`,
    to: `const reply = (await redis.run(count, \`rate:\${process.pid}:\${key}\`, [windowMs, weight])) as [number, number] | undefined;`,
    seenBy: ['order of a counter'],
    faults: [],
    replicas: 2,
  },
  {
    name: 'a cursor skips a row',
    file: 'libs/service-kit/src/list-cursor.ts',
    from: '  const last = shown.at(-1);',
    to: '  const last = rows.at(-1);',
    seenBy: ['walked'],
    faults: [],
  },
  {
    name: 'nobody hears of a release',
    file: 'services/holds/src/settle-hold.ts',
    from: 'events: event === null ? [] : [event]',
    to: `events: event === null || operation.purpose === 'release' ? [] : [event]`,
    seenBy: ['books', 'order of a payment', 'events'],
    faults: [],
  },
  {
    name: 'a declined payment gives two units back',
    file: 'services/payments/src/products/product.store.ts',
    from: 'set stock = stock + 1, updated_at',
    to: 'set stock = stock + 2, updated_at',
    seenBy: ['order of a counter'],
    faults: [],
  },
  {
    name: 'a refunded payment can be refunded',
    file: 'services/payments/src/payments/payment.rules.ts',
    from: `  if (status === 'CONFIRMED') return undefined;`,
    to: `  if (status === 'CONFIRMED' || status === 'REFUNDED') return undefined;`,
    seenBy: ['asked', 'order of a payment', 'order of a link', 'books'],
    faults: [],
  },
  {
    name: 'an externalId is replayed whatever is asked',
    file: 'services/payments/src/payments/payment.rules.ts',
    from: '  return row.paymentMethodId === charge.paymentMethodId && (row.heldAmount ?? row.amount) === charge.amount;',
    to: '  return row.paymentMethodId === charge.paymentMethodId;',
    seenBy: ['order of a payment'],
    faults: [],
  },
  {
    name: 'a capture always takes all that is held',
    file: 'services/holds/src/capture-hold.ts',
    from: 'authorization: hold.bankReference, amount } as const',
    to: 'authorization: hold.bankReference, amount: hold.heldAmount } as const',
    seenBy: ['books'],
    faults: [],
  },
  {
    name: 'merchants are not shown captures',
    file: 'services/webhooks/src/events/on-hold-ended.ts',
    from: `return [...news, outwardOf(event, { type: 'hold.captured', objectId, data })];`,
    to: 'return data === undefined ? [] : news;',
    seenBy: ['events'],
    faults: [],
  },
  {
    name: 'what the broker never confirmed counts as published',
    file: 'libs/events/src/publisher.ts',
    from: `reject(new PublishError(error.message === 'message nacked' ? 'refused' : 'unavailable'));`,
    to: 'resolve();',
    seenBy: ['books', 'events'],
    faults: ['restart the broker', 'cut the broker'],
    minutes: 1,
  },
  {
    name: 'nobody asks what became of a charge',
    file: 'libs/bank/src/journal.store.ts',
    from: '  take(db, count, afterMs, sql`acquirer = ${acquirer}`);',
    to: `  take(db, count, afterMs, sql\`acquirer = \${acquirer} and purpose <> 'charge'\`);`,
    seenBy: ['books', 'pending'],
    faults: ['acquirer answers rubbish', 'acquirer is silent'],
    minutes: 1,
  },
  {
    name: 'captures go to the first acquirer, wherever the card is',
    file: 'libs/bank/src/journal.ts',
    from: ': await acquirers.of(operation.acquirer).send(operation.id, request, deadline, caller);',
    to: `: await acquirers.of(request.kind === 'capture' ? 'default' : operation.acquirer).send(operation.id, request, deadline, caller);`,
    seenBy: ['asked', 'books', 'order of a payment'],
    faults: [],
  },
  {
    name: 'a new intent supersedes nothing',
    file: 'services/intents/src/intents/create-payment-intent.ts',
    from: 'if (terminalId !== null) await supersede(deps, tx, { terminalId, by: id, now });',
    to: 'if (terminalId !== null && now.getTime() < 0) await supersede(deps, tx, { terminalId, by: id, now });',
    seenBy: ['strange', 'order of a terminal'],
    faults: [],
  },
  {
    name: 'what is sent to the bank is logged',
    file: 'libs/bank/src/bank-client.ts',
    from: `      const request = { method: 'POST', path, headers, body: JSON.stringify(body) } as const;`,
    to: `      const request = { method: 'POST', path, headers, body: JSON.stringify(body) } as const;
      process.stderr.write(\`\${request.body}\\n\`);`,
    seenBy: ['cards'],
    faults: [],
  },
  {
    name: 'a paused subscription is charged',
    file: 'services/payments/src/subscriptions/subscription.rules.ts',
    from: '  if (row.pausedAt !== null || !row.isStarted || row.isCharging)',
    to: `  if (row.pausedAt !== null) return nextStep({ ...row, pausedAt: null }, now);
  if (!row.isStarted || row.isCharging)`,
    seenBy: ['order of a subscription'],
    faults: ['clock passes 23:00'],
    minutes: 2,
  },
  {
    name: 'a trace ends at the broker',
    file: 'libs/events/src/outbox.ts',
    from: '  headers: traceHeaders(),',
    to: '  headers: traceHeaders() && {},',
    seenBy: ['traces'],
    faults: [],
  },
];
