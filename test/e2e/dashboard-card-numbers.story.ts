import { testCards } from '@cobro/contracts/test-cards.ts';
import { until } from '@cobro/testing/until.ts';
import { type TestBrowser, unescaped } from '@cobro/testing/test-browser.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../../dev/seed/run-command.ts';
import { createTerminal } from '../../dev/stack/create-terminal.ts';
import { aProductBody, promotion } from './shop-records.ts';
import { signInAs, signInAtShop } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const NUMBER = testCards.approved;
const IN_GROUPS = NUMBER.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
const SHOWN = /4242\D{0,3}4242\D{0,3}4242\D{0,3}4242/;
/** These forms end the session or leave the scope. */
const LEAVES = ['/sign-out', '/scope'];

interface Field {
  name: string;
  type: string;
  value: string;
}

interface Form {
  method: string;
  action: string;
  fields: Field[];
}

/** Card numbers typed into forms of the dashboard. card-data.story.ts checks at the end that none was kept. */
export function dashboardCardNumbers(tested: StackUnderTest): void {
  const { stack } = tested;
  let owner: TestBrowser;

  beforeAll(async () => {
    const { databaseUrl } = stack();
    const { browser, organizationId, shop } = await signInAtShop(tested);
    owner = browser;
    const card = await shop.saveCard();
    await shop.charge(card, { amount: 100 });
    await shop.hold(card);
    await createTerminal(databaseUrl, { organizationId, code: 'CAJA-9' });
    const bodies: Record<string, object> = {
      '/one-time-payment': { amount: 80, description: 'Dos cafés' },
      '/payment-link': { amount: 350, description: 'Clase de yoga' },
      '/product': aProductBody,
      '/promotion': promotion,
      '/subscription': { paymentMethodId: card, amount: 349, periodicity: 'MONTHLY' },
      '/webhook-endpoint': { url: 'http://127.0.0.1:9/hook', types: ['webhook_endpoint.*'] },
      '/branch': { name: 'Roma Norte' },
      '/salesperson': { name: 'Lucía Ramos', username: 'lucia' },
    };
    for (const [path, body] of Object.entries(bodies)) await shop.send('POST', path, { body });
    await until('reporting follows', async () => (await owner.get('/payments')).html.includes('href="/payments/'));
  });

  test.each(['nobody', 'an owner', 'an owner of a partner', 'who runs the platform'])(
    'a card number that %s types into any field is refused or forgotten, and never shown',
    async (who) => {
      const browser = await browserOf(who);
      const forms = await formsOf(browser, who === 'nobody' ? '/sign-in' : '/');
      expect(forms.length).toBeGreaterThan(who === 'an owner' ? 30 : 0);
      const wrong: string[] = [];
      for (const form of forms) {
        for (const field of form.fields) {
          for (const typed of new Set([NUMBER, fitting(field, IN_GROUPS)])) {
            const { status, html } = await send(browser, form, { ...field, value: typed });
            if (status >= 500 || SHOWN.test(html)) wrong.push(`${form.method} ${form.action} ${field.name}: ${status}`);
          }
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  test('nor is one that stands in an address', async () => {
    for (const path of [
      ...['payments', 'links', 'products', 'holds', 'deposits', 'sellers', 'invitation', 'sign-in/oidc'].map(
        (of) => `/${of}/${NUMBER}`,
      ),
      `/confirm?next=/payments/${NUMBER}`,
      `/takings?day=${NUMBER}`,
      `/${NUMBER}`,
      `/payments?q=${IN_GROUPS.replaceAll(' ', '+')}&x=%`,
    ]) {
      const { status, html } = await owner.get(path);
      expect({ path, isOurs: status >= 500 || SHOWN.test(html) }).toEqual({ path, isOurs: false });
    }
  });

  async function browserOf(who: string): Promise<TestBrowser> {
    if (who === 'an owner') return owner;
    if (who === 'who runs the platform') return signInAs(tested, 'platform', []);
    const { id } = await runCommand(stack().databaseUrl, 'partners', 'create', '--name', 'Ventas del Bajío');
    const ofPartner = await signInAs(tested, 'owner', ['--partner', id]);
    if (who !== 'nobody') return ofPartner;
    ofPartner.cookies.clear();
    return ofPartner;
  }
}

/** One form of each kind that the person can reach by links. */
async function formsOf(browser: TestBrowser, first: string): Promise<Form[]> {
  const [pages, forms] = [new Set<string>(), new Map<string, Form>()];
  const queue = [first];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const kind = kindOf(path);
    if (pages.has(kind) || /\.csv|^\/assets|[?&]lang=/.test(path)) continue;
    pages.add(kind);
    const { html, location } = await browser.get(path);
    queue.push(...(location?.startsWith('/') ? [location] : []));
    queue.push(...[...html.matchAll(/href="(\/[^"]*)"/g)].map(([, href = '']) => unescaped(href)));
    for (const form of formsIn(html)) {
      const key = `${form.method} ${kindOf(form.action)}`;
      if (!forms.has(key) && !LEAVES.includes(form.action)) forms.set(key, form);
    }
  }
  return [...forms.values()];
}

const kindOf = (path: string) =>
  (path.split('?', 1)[0] ?? '').replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, ':id').replaceAll(/\d{4}-\d\d(-\d\d)?/g, ':day');

const formsIn = (html: string): Form[] =>
  [...html.matchAll(/<form ([^>]*)>([^]*?)<\/form>/g)].map(([, of = '', inside = '']) => ({
    method: attribute(of, 'method') ?? 'get',
    action: attribute(of, 'action') ?? '',
    fields: fieldsIn(inside),
  }));

function fieldsIn(inside: string): Field[] {
  const fields = new Map<string, Field>();
  for (const [, tag = '', of = '', rest = ''] of inside.matchAll(/<(input|select|textarea) ([^>]*)>([^]{0,200})/g)) {
    const name = attribute(of, 'name');
    const type = tag === 'input' ? (attribute(of, 'type') ?? 'text') : tag;
    const chosen = tag === 'select' ? attribute(rest, 'value') : attribute(of, 'value');
    if (name === undefined || name === 'formToken' || fields.has(name)) continue;
    const isNumber = of.includes('inputmode="decimal"');
    const value = chosen || (isNumber ? '10' : fitting({ type }, 'Pan'));
    fields.set(name, { name, type: isNumber ? 'decimal' : type, value });
  }
  return [...fields.values()];
}

/** The text in a form that this type of field accepts. */
function fitting({ type }: Pick<Field, 'type'>, text: string): string {
  const word = text.replaceAll(' ', '');
  if (type === 'email') return `${word}@example.com`;
  if (type === 'url') return `https://example.com/${word}`;
  return type === 'date' ? '2026-11-20' : text;
}

const attribute = (of: string, name: string): string | undefined => {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(of)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

async function send(browser: TestBrowser, { method, action, fields }: Form, changed: Field) {
  const sent = Object.fromEntries([...fields, changed].map(({ name, value }) => [name, value]));
  if (method === 'get') return browser.get(`${action}?${new URLSearchParams(sent).toString()}`);
  return browser.post(action, sent);
}
