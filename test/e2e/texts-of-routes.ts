import { outsidePath, type RouteContract } from '@cobro/contracts/route.ts';
import { mainContracts, nameOf, partnerContracts } from '@cobro/contracts/routes.ts';
import { opaque } from '@cobro/contracts/text.ts';
import { type TextField, textFieldsOf } from '@cobro/testing/text-fields.ts';
import type { Answer } from './client.ts';
import { recordsIn, type RouteExample, routeExamples, sendExample } from './route-examples.ts';
import type { Shop } from './shop-records.ts';

/** A text field of a route, and a way to send text in it. */
export interface TextOfRoute {
  route: keyof typeof routeExamples;
  /** `billingInformation.email`; the name of an EMV tag is `card.emv.*`. */
  name: string;
  /** Whether the field takes any words, and not only ids of records and tags. */
  takesWords: boolean;
  /** Sends the route's example with these texts in these fields. */
  send: (texts: Record<string, string>) => Promise<Answer<unknown>>;
  /** These words in a form that the field accepts. */
  worded: (words: string) => string;
}

/**
 * Finds every field of outside routes that takes free text, from the contracts. Ids, dates and numbers take no words; fields that are
 * only compared, and the card, are left out. Each route has one example, about records of the shop.
 */
export async function textsOfRoutes(shop: Shop): Promise<TextOfRoute[]> {
  const texts: TextOfRoute[] = [];
  for (const contract of [...mainContracts, ...partnerContracts]) {
    const { query, body } = contract;
    const isForm = body !== undefined && 'form' in body;
    const schema = isForm ? undefined : (body?.json ?? query);
    const fields = isForm ? formTexts : schema === undefined ? [] : textFieldsOf(schema).flatMap(wordedField);
    if (fields.length === 0) continue;
    const route = nameOf(contract) as TextOfRoute['route'];
    const example = await routeExamples[route](shop);
    const records = new Set(recordsIn(example));
    const sent: Record<string, unknown> = { ...example.query, ...(typeof example.body === 'object' && example.body) };
    const namesRecord = (name: string) => records.has(sent[name] as string);
    const send = (given: Record<string, string>) => sendWith(shop, contract, example, given);
    for (const { name, worded } of fields) {
      texts.push({ route, name, worded, takesWords: !name.endsWith('*') && !namesRecord(name), send });
    }
  }
  return texts;
}

/** The fields of the checkout form. Its contract does not list them, because the page parses the form. */
const formTexts = ['email', 'firstName', 'lastName', 'phoneNumber', 'addressLine', 'city', 'state', 'zip'].map(
  (name) => ({
    name,
    worded: name === 'email' ? emailOf : (words: string) => words,
  }),
);

function emailOf(words: string): string {
  return `${words.replaceAll(' ', '.')}@example.com`;
}

function wordedField({ path, isName, schema }: TextField): Pick<TextOfRoute, 'name' | 'worded'>[] {
  const isFree = isName || (path[0] !== 'card' && schema.def !== opaque.def && schema.def.type !== 'unknown');
  const forms = [(words: string) => words, emailOf, (words: string) => `https://shop.example/${encodeURI(words)}`];
  const worded = isName ? forms[0] : forms.find((form) => schema.safeParse(form('some words')).success);
  // Drops a list's index: a filter that may be repeated is sent once.
  return isFree && worded !== undefined ? [{ name: path.filter((part) => part !== '0').join('.'), worded }] : [];
}

async function sendWith(
  { stack }: Shop,
  contract: RouteContract,
  example: RouteExample,
  given: Record<string, string>,
): Promise<Answer<unknown>> {
  const { apiKey, partnerApiKey } = stack.merchants;
  const keys: Partial<Record<RouteContract['who'], Record<string, string>>> = {
    merchant: { 'x-api-key': apiKey },
    partner: { 'x-api-key': partnerApiKey },
    terminal: { 'x-terminal-key': example.terminalKey ?? '' },
  };
  const { origin } = new URL(contract.who === 'partner' ? stack.partnerBaseUrl : stack.baseUrl);
  const entries = Object.entries(given);
  const filled: RouteExample = { ...example };
  if (contract.body === undefined) filled.query = { ...example.query, ...given };
  else if ('form' in contract.body) {
    filled.body = new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(String(example.body))),
      ...given,
    }).toString();
  } else {
    filled.body = entries.reduce<object>(
      (body, [name, text]) => withText(body, name.split('.'), text),
      example.body ?? {},
    );
  }
  return sendExample(`${origin}${outsidePath(contract)}`, contract, filled, { ...keys[contract.who] });
}

/** The body with the text at the path, alone in its list if the example has one; `*` is a field named by the text. */
function withText(body: object, [name = '', ...rest]: string[], text: string): object {
  if (name === '*') return { ...body, [text]: '00' };
  const inner = (body as Record<string, object | undefined>)[name];
  const written = Array.isArray(inner) ? [text] : text;
  return { ...body, [name]: rest.length === 0 ? written : withText(inner ?? {}, rest, text) };
}
