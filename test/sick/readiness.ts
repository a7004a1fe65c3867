import { pause } from '@cobro/async/time-limit.ts';

const EVERY_MS = 200;

/** Polls the readiness of each address. `stop` returns the answers that were not 200, as sentences. */
export function watchReadiness(addresses: string[]): { stop(): Promise<string[]> } {
  const over = new AbortController();
  const notReady: string[] = [];
  const watch = async (address: string) => {
    while (!over.signal.aborted) {
      const status = await fetch(`${address}/health/ready`).then(
        async (response) => (await response.text(), response.status),
        String,
      );
      if (status !== 200) notReady.push(`readiness of ${address} answered ${status}`);
      await pause(EVERY_MS, over.signal);
    }
  };
  const watching = addresses.map(watch);
  return {
    stop: async () => {
      over.abort();
      await Promise.all(watching);
      return notReady;
    },
  };
}
