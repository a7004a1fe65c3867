import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** What a driver did for one order. */
export interface Report {
  /** Charges, pairs of authorize and capture, or other requests that were answered. */
  done: number;
  failed: number;
  firstFailure: string | undefined;
  seconds: number;
  /** Milliseconds from sending to the whole answer: of one request, or of authorize and capture together. */
  latencies: number[];
}

/** Drives all merchants at once. Each sends its next request when the last is answered, until the time is up. */
export async function drive<M>(merchants: M[], seconds: number, ask: (merchant: M) => Promise<void>): Promise<Report> {
  const report: Report = { done: 0, failed: 0, firstFailure: undefined, seconds: 0, latencies: [] };
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const drivenBy = async (merchant: M) => {
    for (let now = performance.now(); now < end; now = performance.now()) {
      try {
        await ask(merchant);
        report.done++;
        report.latencies.push(performance.now() - now);
      } catch (error) {
        report.failed++;
        report.firstFailure ??= String(error);
      }
    }
  };
  await Promise.all(merchants.map(drivenBy));
  report.seconds = (performance.now() - begun) / 1_000;
  return report;
}

/** In a driver's process: carries out each order that it is sent, until its parent disconnects. */
export function serveOrders(carryOut: (order: never) => Promise<object | void>): void {
  process.on('message', (order) => {
    void carryOut(order as never).then((report) => process.send?.(report ?? {}));
  });
  process.on('disconnect', () => process.exit());
}

/** Sends an order to a driver's process and waits for its report. */
export async function sendOrder<Done = Report>(driver: ChildProcess, order: object): Promise<Done> {
  driver.send(order);
  const [report] = (await once(driver, 'message')) as [Done];
  return report;
}
