import type { Browser, Page } from 'playwright-core';

export const widths = { phone: 360, desk: 1280 } as const;
export const schemes = ['light', 'dark'] as const;
/** Every pair of a width and a colour scheme. */
export const looks = Object.values(widths).flatMap((width) => schemes.map((scheme) => [width, scheme] as const));

export interface PageSettings {
  width?: number;
  scheme?: (typeof schemes)[number];
  /** The value of Accept-Language. */
  locale?: string;
  withoutScript?: boolean;
}

export interface OpenPage {
  page: Page;
  /** The browser's complaints so far: errors of scripts and the console, violations of the page's policy, dialogs. */
  complaints: string[];
  /**
   * The sum of layout shifts without user input, rounded to hundredths: a busy machine may paint a page before its last bytes, and nobody
   * sees a shift of some thousandths.
   */
  layoutShift(): Promise<number>;
  close(): Promise<void>;
}

declare global {
  // Written by the observers of every page.
  var observed: { shift: number };
}

/** Opens a page in its own context, like a person's browser, and records what goes wrong. */
export async function openPage(browser: Browser, settings: PageSettings = {}): Promise<OpenPage> {
  const { width = widths.phone, scheme = 'light', locale = 'es-MX', withoutScript = false } = settings;
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 740 : 800 },
    colorScheme: scheme,
    locale,
    javaScriptEnabled: !withoutScript,
    reducedMotion: 'reduce',
  });
  // Equals the timeout of `until`.
  context.setDefaultTimeout(120_000);
  if (!withoutScript) await context.addInitScript(observe);
  const page = await context.newPage();
  const complaints = listen(page);
  return {
    page,
    complaints,
    layoutShift: async () => Number((await page.evaluate(() => globalThis.observed.shift)).toFixed(2)),
    close: () => context.close(),
  };
}

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource') && message.location().url === page.url();
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return complaints;
}

function observe(): void {
  globalThis.observed = { shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) globalThis.observed.shift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  // The console shows violations too, but not of every kind.
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error(`against the policy: ${event.violatedDirective} ${event.blockedURI}`);
  });
}
