import { spawn } from 'node:child_process';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { until } from '@cobro/testing/until.ts';

export type Wire = Awaited<ReturnType<typeof openWire>>;

const NUMBER = Buffer.from(testCards.approved);

/** Listens by tcpdump on every interface of this machine. @param filter in tcpdump's syntax */
export async function openWire(filter: string) {
  const args = ['-i', 'any', '-U', '-s', '0', '-B', '65536', '-w', '-', filter];
  const child = spawn('tcpdump', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  let [bytes, numbers] = [0, 0];
  let end = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    const heard = Buffer.concat([end, chunk]);
    for (let at = heard.indexOf(NUMBER); at >= 0; at = heard.indexOf(NUMBER, at + 1)) numbers++;
    // A number may come in two chunks, and is counted once.
    end = heard.subarray(heard.length - NUMBER.length + 1);
  });
  await until('tcpdump listens', async () => {
    if (child.exitCode !== null) throw new Error(`tcpdump ended: ${said}`);
    return said.includes('listening on');
  });
  /** Bytes so far, and how often a card's number was in them. */
  const heard = () => ({ bytes, numbers });
  return { heard, close: () => void child.kill() };
}
