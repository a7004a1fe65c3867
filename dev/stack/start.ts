import { type Client, createClient } from '@cobro/client/client.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { openShownStack, type ShownStack } from './open-shown-stack.ts';
import { reportFailure } from './servers/server.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** `npm start`: starts everything and keeps it up until Ctrl-C. */
async function start(): Promise<void> {
  const stack = await openShownStack({ say, exitCode: 0 });
  const merchant = createClient({ baseUrl: stack.baseUrl, apiKey: stack.merchants.apiKey });
  const [cardId, link, expired] = await Promise.all([
    saveCard(merchant),
    createLink(merchant),
    createLink(merchant, EXPIRES_IN_MS),
  ]);
  say(howToUse(stack, { cardId, link, expired }));
}

/** Long enough to be accepted, and over before anybody can open the page. */
const EXPIRES_IN_MS = 1_000;

async function saveCard({ paymentMethods }: Client): Promise<string> {
  const saved = await paymentMethods.save(cardBody);
  return (await saved.settled()).id;
}

/** The address of a page to pay on. */
async function createLink({ call }: Client, lifetimeMs?: number): Promise<string> {
  const expiresAt = lifetimeMs === undefined ? {} : { expiresAt: new Date(Date.now() + lifetimeMs).toISOString() };
  const what = { amount: 1_499.9, description: 'Dos boletos, fila 7' };
  const made = await call('createOneTimePayment', { body: { ...what, allowedTerms: [1, 3, 6], ...expiresAt } });
  return made.checkoutUrl;
}

const cardBody = {
  card: {
    number: testCards.approved,
    expirationMonth: 12,
    expirationYear: 2039,
    cvc: '123',
    holderName: 'Ana Torres',
  },
};

interface Made {
  cardId: string;
  /** Addresses of pages. */
  link: string;
  expired: string;
}

function howToUse(stack: ShownStack, { cardId, link, expired }: Made): string {
  const { baseUrl, bankUrl, clockUrl, merchants, terminal, receiverUrl, dashboard } = stack;
  const key = `-H 'x-api-key: ${merchants.apiKey}'`;
  const json = `-H 'content-type: application/json'`;
  const payment = `${baseUrl}/payment-method/${cardId}/payment`;
  return `
Cobro is up.

# save a card
curl -s ${baseUrl}/payment-method ${key} ${json} -d '${JSON.stringify(cardBody)}'

# charge a saved card, once, however often this is sent
curl -s ${payment} ${key} ${json} -d '{"amount":250.50,"externalId":"order-1"}'

# hold funds on it, to be captured or released later
curl -s ${payment} ${key} ${json} -d '{"amount":1200,"holdFunds":true,"externalId":"order-2"}'

# its payments and all payments of the merchant
curl -s ${payment} ${key}
curl -s ${baseUrl}/developer/v1/payment ${key}

# a link to pay: open it in a browser (any test card of the README); another one has expired already
${link}
${expired}

# make one
curl -s ${baseUrl}/one-time-payment ${key} ${json} -d '{"amount":350,"description":"Café de olla","allowedTerms":[1,3]}'

# a terminal: start it in another shell of this folder, send it an intent, and press t there to tap a card
npm run terminal -- ${terminal.code}
curl -s ${baseUrl}/payment-intent ${key} ${json} -d '{"amount":185.50,"currency":"MXN","externalId":"ticket-1","terminalCode":"${terminal.code}"}'

# what happened, what a receiver of the merchant was sent of it, and what happens from now on
curl -s "${baseUrl}/event" ${key}
curl -s ${receiverUrl}
npm run listen

# the dashboard: open this link once and press Continue; below are e-mail, password and secret of the codes of one person for each role
${dashboard.signInUrl}
${dashboard.people.map(({ email, password, totpSecret }) => `${email.padEnd(28)}${password}  ${totpSecret}`).join('\n')}

# the books of the bank, and moving all clocks by eight days and back
curl -s ${bankUrl}/operations
curl -s -X PUT ${clockUrl} -d '{"advanceSeconds":691200}'
curl -s -X DELETE ${clockUrl}

For programs: .stack/demo.json. Spans: .stack/spans.jsonl. Logs: ${stack.logFolder}
Ctrl-C ends everything.`;
}

await start().catch((error: unknown) => process.exit(reportFailure(say)(error)));
