import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { referencePolicy } from '@cobro/reference/policy.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { listening } from '@cobro/testing/listening.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { browserForTests, describeInBrowser } from './browser-tests.ts';
import { accessibilityFaults, scrollsSideways, whatIsNew } from './check-accessibility.ts';
import { looks, type OpenPage, openPage } from './open-page.ts';

const folder = path.join(import.meta.dirname, '../../docs/generated/reference');
const files = readdirSync(folder);
const pages = files.filter((file) => file.endsWith('.html'));
const kinds: Record<string, string> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/** In the short form each page has one look; the looks take turns. */
const looksOf = (page: string) => (inFull ? looks : looks.filter((_, i) => i === pages.indexOf(page) % looks.length));

describeInBrowser('the API reference', () => {
  const browser = browserForTests();
  let server: Awaited<ReturnType<typeof listening>>;
  let opened: OpenPage;
  let url: string;
  const worthALook = whatIsNew();
  beforeAll(async () => {
    // Serves files like the gateway, whose own test requests a page.
    server = await listening(
      createServer((request, response) => {
        const file = path.basename(new URL(request.url ?? '/', 'http://localhost').pathname);
        if (!files.includes(file)) return void response.writeHead(404).end();
        const type = `${kinds[path.extname(file).slice(1)]}; charset=utf-8`;
        response.writeHead(200, { 'content-type': type, 'content-security-policy': referencePolicy });
        response.end(readFileSync(path.join(folder, file)));
      }),
    );
    url = `${server.url}/reference`;
    opened = await openPage(browser());
  });
  afterAll(async () => {
    await opened.close();
    await server.close();
  });

  test.each(pages)('%s: axe finds nothing, and nothing is wider than the window', async (file) => {
    const { page, complaints } = opened;
    for (const [width, scheme] of looksOf(file)) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(`${url}/${file}`);
      const faults = (await worthALook(page)) ? await accessibilityFaults(page) : [];
      expect([width, scheme, faults]).toEqual([width, scheme, []]);
      expect([width, await scrollsSideways(page)]).toEqual([width, false]);
    }
    expect(complaints).toEqual([]);
  });

  test('the search finds a code and leads to it, also if the index did not come at first', async () => {
    const { page } = opened;
    await page.route('**/search.json', (route) => route.abort(), { times: 1 });
    await page.goto(`${url}/index.html`);
    await page.keyboard.press('/');
    await page.keyboard.type('hold window');
    await page.locator('#found a').first().click();
    await page.waitForURL(`${url}/errors.html#HOLD_WINDOW_CLOSED`);
    expect(await page.locator('#HOLD_WINDOW_CLOSED').isVisible()).toBe(true);
  });
});
