import type { OneTimePayment } from '@cobro/contracts/one-time-payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createTerminal } from '../../dev/stack/create-terminal.ts';
import type { Client } from '../e2e/client.ts';
import { signInAs } from '../e2e/sign-in.ts';
import type { StackUnderTest } from '../e2e/stack-under-test.ts';
import { payNext } from '../e2e/tap.ts';
import { type OpenPage, openPage } from './open-page.ts';

/** What happens on pages of the dashboard that a person leaves open. */
export function dashboardLive(under: StackUnderTest, browser: () => Browser): void {
  const { stack, merchant } = under;
  let opened: OpenPage;
  const origins = new Set<string>();
  beforeAll(async () => {
    opened = await openPage(browser(), { width: 1280 });
    await takeSession(opened.page, await signInAs(under, 'owner'), stack().dashboardUrl);
    opened.page.on('request', (request) => origins.add(new URL(request.url()).origin));
  });
  afterAll(() => opened.close());
  const open = async (path: string) => {
    await opened.page.goto(`${stack().dashboardUrl}${path}`);
    return opened.page;
  };

  test('a payment that comes is said over the list, and is there on a click', async () => {
    const begins = opened.page.waitForResponse((answer) => answer.url().endsWith('/news'));
    const page = await open('/payments');
    await begins;
    const { id } = (await merchant().charge(await merchant().saveCard())).body;
    expect(await page.locator(`a[href="/payments/${id}"]`).count()).toBe(0);
    await page.getByRole('link', { name: /^\d+ pagos? nuevos?$/ }).click();
    await page.locator(`a[href="/payments/${id}"]`).waitFor();
  });

  test('a payment whose bank is silent turns by itself; its refund by a dialog, clicked twice, is one', async () => {
    await setFaults(stack().bankUrl, unansweredInquiries);
    const { id } = (await merchant().charge(await merchant().saveCard(testCards.silentDone))).body;
    const page = await open(`/payments/${id}`);
    await page.getByText('No lo repitas').waitFor();
    await setFaults(stack().bankUrl, {});
    await page.getByRole('link', { name: 'Devolver el pago' }).click();
    const dialog = page.getByRole('dialog', { name: 'Devolver el pago' });
    await dialog.getByRole('button', { name: 'Devolver $100.00' }).dblclick();
    await page.getByText('El pago se devolvió.').waitFor();
    expect(await page.getByText('Ana Torres').count()).toBe(1);
  });

  test('a terminal shows what was sent to it, and by itself that it was paid', async () => {
    const code = `SN-${crypto.randomUUID()}`;
    const { organizationId } = stack().merchants;
    const { key } = await createTerminal(stack().databaseUrl, { organizationId, code });
    const page = await open('/terminals');
    const tile = page.getByRole('region', { name: code });
    await tile.getByLabel('Importe en pesos').fill('185.50');
    await tile.getByRole('button').click();
    await tile.getByText('Esperando la tarjeta').waitFor();
    expect((await payNext(stack(), key)).status).toBe(201);
    await tile.getByText('Cobrado', { exact: true }).waitFor();
    await tile.getByText('Sin cobro pendiente').waitFor();
  });

  test('a form of a link that is clicked twice makes one, which is shown with its code and cancelled by a dialog', async () => {
    const page = await open('/links/new');
    const description = `Pan ${crypto.randomUUID()}`;
    await page.getByLabel('Importe en pesos').fill('12.50');
    await page.getByLabel('Concepto').fill(description);
    await page.getByRole('button', { name: 'Crear el enlace' }).dblclick();
    await page.getByText('El enlace está listo').waitFor();
    await page.getByRole('img', { name: 'Código QR de la dirección de pago' }).waitFor();
    await page.getByRole('link', { name: 'Cancelar el enlace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancelar el enlace' });
    await dialog.getByRole('button', { name: 'Cancelar el enlace' }).click();
    await page.getByText('El enlace se canceló.').waitFor();
    expect(await statusesOf(merchant(), description)).toEqual(['CANCELLED']);
  });

  test('waits that are ended early are begun again after pauses that grow', async () => {
    const waiting = await openPage(browser(), { width: 1280 });
    const { page } = waiting;
    await takeSession(page, await signInAs(under, 'owner'), stack().dashboardUrl);
    let waits = 0;
    await page.route('**/news?after=*', async (route) => {
      waits += 1;
      await route.fulfill({ json: { news: [], after: 'x' } });
    });
    await page.clock.install({ time: new Date('2026-11-25T18:00:00Z') });
    await page.clock.pauseAt(new Date('2026-11-25T18:00:01Z'));
    await page.goto(`${stack().dashboardUrl}/payments`);
    for (const [ms, asked] of [
      [0, 1],
      [1_000, 2],
      [1_000, 2],
      [1_000, 3],
      [3_000, 3],
      [1_000, 4],
    ] as const) {
      await page.clock.runFor(ms);
      await until('it asks', async () => waits >= asked);
      // Without a pause the page would send its request before these.
      for (let i = 0; i < 20; i++) await page.evaluate(() => fetch('/assets/none').then((answer) => answer.status));
      expect(waits).toBe(asked);
    }
    await waiting.close();
  });

  test('nothing was asked of another origin, and no policy of the page was broken', () => {
    expect([...origins]).toEqual([new URL(stack().dashboardUrl).origin]);
    expect(opened.complaints).toEqual([]);
  });
}

const takeSession = (page: Page, { cookies }: TestBrowser, url: string) =>
  page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));

/** The statuses of the merchant's links with this description. */
async function statusesOf(merchant: Client, description: string): Promise<string[]> {
  const { body } = await merchant.send<{ items: OneTimePayment[] }>('GET', '/one-time-payment');
  return body.items.filter((link) => link.description === description).map(({ status }) => status);
}
