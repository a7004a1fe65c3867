import { ASSUMED, BYTES_A_PAYMENT, needsOf, TODAY_PER_DAY } from '../capacity/capacity.ts';
import { connectionsOfServices } from './connections-page.ts';
import { page, table } from './markdown.ts';

const TIMES = [1, 10, 100, 1_000, 10_000];
const round = (value: number) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US'));

/** What multiples of today's load need. */
export function capacityPage(): string {
  const needs = TIMES.map((times) => needsOf(TODAY_PER_DAY * times));
  const row = (what: string, of: (need: (typeof needs)[number]) => string) => [what, ...needs.map(of)];
  return page(
    'Capacity',
    'From `dev/capacity/capacity.ts`: arithmetic and queueing from CPU and sizes that were measured ([figures](../performance.md)). It says where the next limit is, and not what a day will be like: ' +
      'it knows no disk, no caches and no neighbours, and above 700 payments a second nothing was ever run. What follows from it: [scaling](../scaling.md).',
    table(
      ['today × ', ...TIMES.map(String)],
      [
        row('payments a day', ({ perDay }) => round(perDay)),
        row('in the fullest second', ({ perSecond }) => round(perSecond)),
        row('pods of gateway', ({ processes }) => String(processes.gateway)),
        row('of payments', ({ processes }) => String(processes.payments)),
        row('of holds', ({ processes }) => String(processes.holds)),
        row('of reporting', ({ processes }) => String(processes.reporting)),
        row('of webhooks', ({ processes }) => String(processes.webhooks)),
        row('cores of one Postgres', ({ cores }) => String(cores.postgres)),
        row('its commits a second that wait for the disk', ({ commitsPerSecond }) => round(commitsPerSecond)),
        row('its connections at most, during an upgrade', ({ processes }) =>
          round(connectionsOfServices({ ...processes, intents: 2, dashboard: 2 })),
        ),
        row('its growth in a year, GB', ({ gigabytesPerYear }) => round(gigabytesPerYear)),
        row('cores of one RabbitMQ', ({ cores }) => String(cores.rabbitmq)),
      ],
    ),
    `Today is ${round(TODAY_PER_DAY)} payments a day: ten million in three years. Assumed: ${ASSUMED.pairs * 100} % of them are holds with a capture; ${ASSUMED.reads} reads for each; ` +
      `${ASSUMED.fullestHour * 100} % of a day in its fullest hour, and in the fullest second ${ASSUMED.burst} times the average of that hour; the bank takes ${ASSUMED.bankMs} ms; a process uses at most ` +
      `${ASSUMED.busiest} of a core in that second, one in a hundred requests waits ${ASSUMED.waitMs} ms for it at most, and one pod may be away; Postgres uses ${ASSUMED.postgresBusiest} of its cores; a payment takes ` +
      `${round(BYTES_A_PAYMENT / 1_000)} KB in all schemas, with indexes.`,
  );
}
