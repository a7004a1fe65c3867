import type { OneTimePayment } from '@cobro/contracts/one-time-payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { tappedCardBody } from '@cobro/testing/test-intents.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createTerminal } from '../../dev/stack/create-terminal.ts';
import { sendTo } from '../e2e/client.ts';
import { signInAs } from '../e2e/sign-in.ts';
import type { StackUnderTest } from '../e2e/stack-under-test.ts';
import { type OpenPage, openPage } from './open-page.ts';

/** What a person sees happen who leaves pages of the dashboard open. */
export function dashboardLive(under: StackUnderTest, browser: () => Browser): void {
  const { stack, merchant } = under;
  let opened: OpenPage;
  const origins = new Set<string>();
  beforeAll(async () => {
    const { cookies } = await signInAs(under, 'owner');
    opened = await openPage(browser(), { width: 1280 });
    const url = stack().dashboardUrl;
    await opened.page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
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
    const { id } = (await merchant().charge(await merchant().saveCard(testCards.silentDone))).body;
    const page = await open(`/payments/${id}`);
    await page.getByText('No lo repitas').waitFor();
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
    const send = sendTo(stack().baseUrl, undefined);
    const headers = { 'x-terminal-key': key };
    const next = await send<{ id: string }>('GET', '/terminal/v1/payment-intent/next', { headers });
    const body = { attemptId: crypto.randomUUID(), card: tappedCardBody() };
    const paid = await send('POST', `/terminal/v1/payment-intent/${next.body.id}/payment`, { headers, body });
    expect(paid.status).toBe(201);
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
    const { body } = await merchant().send<{ items: OneTimePayment[] }>('GET', '/one-time-payment');
    const made = body.items.filter((link) => link.description === description);
    expect(made.map(({ status }) => status)).toEqual(['CANCELLED']);
  });

  test('nothing was asked of another origin, and no policy of the page was broken', () => {
    expect([...origins]).toEqual([new URL(stack().dashboardUrl).origin]);
    expect(opened.complaints).toEqual([]);
  });
}
