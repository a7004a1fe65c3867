/**
 * `npm run docs -- pictures`: takes pictures of every page of the checkout. Full ones go to .stack/screenshots, for review; one small
 * sheet per page goes to docs/checkout, for docs/checkout.md. With the font Roboto they look as on most phones.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkoutViews } from '@cobro/checkout/samples/checkout-views.ts';
import type { Browser, Page } from 'playwright-core';
import { openPage } from './open-page.ts';
import { serveViews } from './serve-views.ts';
import { type Shot, shots, withBrowser } from './with-browser.ts';

const root = path.join(import.meta.dirname, '../..');
const whole = path.join(root, '.stack/screenshots');
const sheets = path.join(root, 'docs/checkout');

/** The scale on the sheet. */
const scaleOf = (shot: Shot | undefined) => (shot?.settings.width === 360 ? 0.5 : 0.35);

/** These differ from `declined` only in the text at the top. */
const alike = [
  'too-many-attempts',
  'bank-unavailable',
  'terms-not-available',
  'card-not-accepted',
  'in-progress',
  'stale-page',
];
const heightOf = (state: string) => (alike.includes(state) ? 600 : 1_750);

async function take(browser: Browser): Promise<void> {
  mkdirSync(whole, { recursive: true });
  mkdirSync(sheets, { recursive: true });
  const sheetPage = await (await browser.newContext()).newPage();
  for (const state of Object.keys(checkoutViews('es'))) {
    const pictures: Buffer[] = [];
    for (const shot of shots) {
      const picture = await pictureOf(browser, state, shot);
      writeFileSync(path.join(whole, `${state}-${shot.name}.png`), picture);
      pictures.push(picture);
    }
    const sheet = await sheetOf(sheetPage, pictures, heightOf(state));
    writeFileSync(path.join(sheets, `${state}.webp`), sheet);
    console.log(`${state}: ${sheet.length} bytes`);
  }
}

async function pictureOf(browser: Browser, state: string, { language, settings }: Shot): Promise<Buffer> {
  const view = checkoutViews(language)[state];
  if (view === undefined) throw new Error(`There is no page ${state}.`);
  const served = await serveViews(view);
  const { page, close } = await openPage(browser, settings);
  await page.goto(`${served.url}/checkout/${view.id}`);
  const picture = await page.screenshot({ fullPage: true });
  await close();
  await served.close();
  return picture;
}

/** The pictures side by side, scaled down, no higher than `height` of their own pixels. */
async function sheetOf(page: Page, pictures: Buffer[], height: number): Promise<Buffer> {
  const sources = pictures.map((picture, i) => ({
    address: `data:image/png;base64,${picture.toString('base64')}`,
    scale: scaleOf(shots[i]),
  }));
  const address = await page.evaluate(
    async ({ given, most }) => {
      const gap = 12;
      const drawn = await Promise.all(
        given.map(async ({ address: source, scale }) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          const used = Math.min(image.height, most);
          return { image, used, width: Math.round(image.width * scale), height: Math.round(used * scale) };
        }),
      );
      const canvas = document.createElement('canvas');
      canvas.width = drawn.reduce((sum, { width }) => sum + width + gap, gap);
      canvas.height = Math.max(...drawn.map(({ height: of }) => of)) + 2 * gap;
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.fillStyle = '#c7cbd3';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.imageSmoothingQuality = 'high';
      let left = gap;
      for (const { image, used, width, height: of } of drawn) {
        context.drawImage(image, 0, 0, image.width, used, left, gap, width, of);
        left += width + gap;
      }
      return canvas.toDataURL('image/webp', 0.7);
    },
    { given: sources, most: height },
  );
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}

await withBrowser(take);
