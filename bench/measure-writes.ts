import { type Stack } from '../dev/stack/stack.ts';
import { forkDriver, say } from './bench-program.ts';
import type { Figures } from './figures.ts';
import { measure, warmUp } from './measure.ts';
import { makeMerchants } from './merchants.ts';
import type { Grown } from './print-grown.ts';

const MERCHANTS = 16;
const SECONDS = 5;

/** Runs pairs at each of these stacks, in turn, so that a slow moment of the machine meets all of them. */
export async function measureWrites(full: { payments: number; stack: Stack }[], runs: number): Promise<Grown[]> {
  const driver = forkDriver();
  try {
    const orders = [];
    for (const { payments, stack } of full) {
      const order = { baseUrl: stack.baseUrl, merchants: await makeMerchants(stack, MERCHANTS, say) };
      say(`warming up ${payments}`);
      await warmUp(driver, order);
      orders.push({ ...order, scenario: 'pair', seconds: SECONDS } as const);
    }
    const turns: Figures[][] = full.map(() => []);
    for (let turn = 0; turn < runs; turn++) {
      for (const [i, { stack }] of full.entries()) {
        const about = { telemetry: 'off', acquirer: 'bank', atStart: {}, runs: 1 } as const;
        turns[i]?.push(await measure(stack, driver, orders[i] as (typeof orders)[number], about));
      }
    }
    return full.map(({ payments }, i) => {
      return { factor: `${payments.toLocaleString('en')} payments before`, figures: medianOf(turns[i] ?? []) };
    });
  } finally {
    driver.disconnect();
  }
}

/** The run with the median CPU, with the spread of all. */
function medianOf(turns: Figures[]): Figures {
  const cpuOf = ({ cpu }: Figures) => cpu['ours']?.median ?? 0;
  const inOrder = turns.toSorted((a, b) => cpuOf(a) - cpuOf(b));
  const middle = inOrder[Math.floor(inOrder.length / 2)] as Figures;
  const rates = turns.map(({ perSecond }) => perSecond.median);
  const failed = turns.reduce((sum, one) => sum + one.failed, 0);
  const perSecond = { ...middle.perSecond, lowest: Math.min(...rates), highest: Math.max(...rates) };
  return { ...middle, perSecond, failed };
}
