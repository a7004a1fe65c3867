import { join } from 'node:path';
import { createClient } from '@cobro/client/merchant.ts';
import { webhooks } from '@cobro/client/webhooks.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { listen, type Listening } from '../../dev/listen/listen.ts';
import { openPosition } from '../../dev/listen/position.ts';
import { openSmallServer } from '../../dev/stack/small-http-server.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** `npm run listen`, stopped and started again. */
export function listening({ stack, merchant }: StackUnderTest): void {
  /** Listens while `during` runs. Returns the printed lines. */
  async function whileListening(
    options: Partial<Listening>,
    during: (lines: string[]) => Promise<void>,
  ): Promise<string[]> {
    const { baseUrl, merchants, run } = stack();
    const off = new AbortController();
    const lines: string[] = [];
    const listens = listen({
      forwardTo: undefined,
      sinceMs: undefined,
      types: [],
      client: createClient({ baseUrl, apiKey: merchants.apiKey }),
      position: openPosition(join(run.folder, 'listen.json'), merchants.apiKey),
      say: (line) => lines.push(line),
      signal: off.signal,
      ...options,
    });
    await Promise.race([during(lines), listens]);
    off.abort(new Error('switched off'));
    await expect(listens).rejects.toThrow('switched off');
    return lines;
  }
  const has = (lines: string[], ...words: string[]) =>
    until(words.join(' '), () => lines.some((line) => words.every((word) => line.includes(word))));

  test('prints what happens, and what happened while nobody listened', async () => {
    const card = await merchant().saveCard();
    const confirmed = (id: string) => (lines: string[]) => has(lines, 'payment.confirmed', id, 'CONFIRMED 100.00');
    await whileListening({}, async (lines) => confirmed((await merchant().charge(card)).body.id)(lines));
    const { id } = (await merchant().charge(card)).body;
    const lines = await whileListening({}, confirmed(id));
    expect(lines).toContainEqual(expect.stringContaining(id));
  });

  test('forwards signed events of some types, old ones too, and says what came back', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().hold(card)).body;
    const { secret } = openPosition(join(stack().run.folder, 'listen.json'), stack().merchants.apiKey);
    const came: string[] = [];
    const receiver = await openSmallServer(await freePort(), ({ body, headers }) => {
      came.push(webhooks.verify(body, headers, secret).object.id);
      return { status: 418, body: {} };
    });
    const options = { forwardTo: new URL(receiver.url), sinceMs: 3_600_000, types: ['hold.*'] };
    const lines = await whileListening(options, (shown) => has(shown, 'hold.placed', id, '→ 418'));
    await receiver.close();
    expect(came).toContain(id);
    expect(lines.filter((line) => !line.includes(' hold.'))).toEqual([]);
  });
}
