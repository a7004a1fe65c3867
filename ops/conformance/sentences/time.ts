import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Movement } from '@cobro/contracts/acquirer/settlement-report.ts';
import { issuerDayCloses } from '@cobro/domain/hold-window.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { must, mustBeSame } from '../broken.ts';
import type { Kit, Sentence } from '../sentence.ts';

/** The report's movements of a day, read page by page. */
async function movementsOf({ acquirer }: Kit, day: string, limit: number): Promise<Movement[]> {
  const all: Movement[] = [];
  for (let after = ''; ;) {
    const query = { day, limit: String(limit), ...(after !== '' && { after }) };
    const { status, body } = await acquirer.ask('settlementReport', { query });
    must(status === 200, `the report was answered ${status}`);
    const { data: page, next } = body as unknown as { data: Movement[]; next: string | null };
    must(page.length <= limit, `a page of at most ${limit} has ${page.length}`);
    for (const one of page) {
      const [last, { id }] = [all.at(-1)?.id ?? '', one];
      must(Buffer.compare(Buffer.from(last), Buffer.from(id)) < 0, `${id} comes after ${last}`);
      all.push(one);
    }
    if (next === null) return all;
    must(next === page.at(-1)?.id, 'next is not the last id of the page');
    after = next;
  }
}

const REPORTED_WITHIN_MS = 30_000;
/** Longer than any machine stands still. */
const MARGIN_MS = 600_000;

/** What follows from the calendar. */
export const time: Sentence[] = [
  {
    name: 'settlement-report',
    says: 'The settlement report has each sale, capture and refund once, with its sign, and nothing that moved no money.',
    cannot: ({ capabilities }) => (capabilities.settlementReport ? undefined : 'this acquirer gives no report'),
    hold: async (kit) => {
      const { till } = kit;
      const { bodies } = till;
      const authorization = await till.authorize(till.amount);
      const voided = await till.authorize(till.amount);
      const sold = await till.sell(till.amount);
      const moved = [
        [sold, 'charge', till.amount],
        [await till.capture(authorization, till.part), 'charge', till.part],
        [await till.refund(sold, till.part), 'refund', -till.part],
      ] as const;
      const others = [
        authorization,
        voided,
        await till.approved('void', bodies.void(voided)),
        await till.decided('refund', bodies.refund(sold, till.amount)),
      ];
      const days = new Set(moved.map(([{ answer }]) => dayInMexicoCity(new Date(String(answer['time'])))));
      const read = async () => (await Promise.all([...days].map((day) => movementsOf(kit, day, 500)))).flat();
      const until = Date.now() + REPORTED_WITHIN_MS;
      let reported = await read();
      while (!moved.every(([{ key }]) => reported.some(({ id }) => id === key)) && Date.now() < until) {
        await sleep(1_000);
        reported = await read();
      }
      for (const [{ key, answer }, kind, gross] of moved) {
        const found = reported.filter(({ id }) => id === key);
        must(found.length === 1, `the report has the ${kind} ${key} ${found.length} times`);
        const { kind: as, gross: of, reference } = found[0] ?? {};
        const right = { kind, gross, reference: answer['reference'] };
        mustBeSame({ kind: as, gross: of, reference }, right, 'the report and what was done');
      }
      for (const { key, kind } of others) {
        must(!reported.some(({ id }) => id === key), `the report has a ${kind} that moved no money`);
      }
    },
  },
  {
    name: 'report-pages',
    says: 'The report’s pages are in ascending order of the ids, and next is the last id of a page.',
    cannot: ({ capabilities }) => (capabilities.settlementReport ? undefined : 'this acquirer gives no report'),
    hold: async (kit) => {
      const { till } = kit;
      const first = await till.sell(till.amount);
      await till.sell(till.amount);
      await till.sell(till.amount);
      const day = dayInMexicoCity(new Date(String(first.answer['time'])));
      const whole = await movementsOf(kit, day, 1_000);
      const small = await movementsOf(kit, day, Math.max(1, Math.ceil(whole.length / 5)));
      const ids = (all: Movement[]) => all.map(({ id }) => id);
      const missing = ids(whole).filter((id) => !ids(small).includes(id));
      must(missing.length === 0, `small pages lack ${missing.length} of ${whole.length}`);
    },
  },
  {
    name: 'capture-before',
    says: 'captureBefore is later than the authorization, or null.',
    hold: async ({ till }) => {
      const { captureBefore, time: at } = (await till.authorize(till.amount)).answer;
      const { said, authorized } = { said: captureBefore as string | null, authorized: at as string };
      const isLater = said === null || Date.parse(said) > Date.parse(authorized);
      must(isLater, `an authorization of ${authorized} was to be captured before ${said}`);
    },
  },
  {
    name: 'expiry',
    says: 'Until captureBefore an authorization is captured; afterwards a capture is declined expired, and a void already_expired.',
    cannot: ({ moveClock }) => (moveClock === undefined ? 'needs --clock' : undefined),
    hold: async ({ till, moveClock }) => {
      const [inTime, late, released] = [
        await till.authorize(till.amount),
        await till.authorize(till.amount),
        await till.authorize(till.amount),
      ];
      const closes = [inTime, late, released].map(({ answer: { captureBefore, time: at } }) =>
        typeof captureBefore === 'string' ? new Date(captureBefore) : issuerDayCloses(new Date(at as string)),
      );
      const [first, last] = [Math.min(...closes.map(Number)), Math.max(...closes.map(Number))];
      try {
        await moveClock?.(new Date(first - MARGIN_MS));
        const capture = await till.capture(inTime, till.amount);
        await moveClock?.(new Date(last + MARGIN_MS));
        const { capture: captureOf, void: voidOf } = till.bodies;
        await till.declinedWith('expired', 'capture', captureOf(late, till.amount));
        await till.declinedWith('already_expired', 'void', voidOf(released), randomUUID());
        await till.declinedWith('already_captured', 'capture', captureOf(inTime, till.amount));
        await till.refund(capture, till.amount);
      } finally {
        await moveClock?.(undefined);
      }
    },
  },
];
