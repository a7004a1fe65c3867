import { testCards } from '@cobro/contracts/test-cards.ts';
import { openShownStack } from './open-shown-stack.ts';
import { tellFailure } from './servers/server.ts';
import type { Stack } from './stack.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** `npm start`: starts everything and keeps it up until Ctrl-C. */
async function start(): Promise<void> {
  const stack = await openShownStack({ say, exitCode: 0 });
  say(howToUse(stack, await saveCard(stack)));
}

async function saveCard({ baseUrl, merchants }: Stack): Promise<string> {
  const response = await fetch(`${baseUrl}/payment-method`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': merchants.apiKey },
    body: cardBody,
  });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`saving a card answered ${response.status}: ${answer}`);
  return (JSON.parse(answer) as { id: string }).id;
}

const cardBody = JSON.stringify({
  card: {
    number: testCards.approved,
    expirationMonth: 12,
    expirationYear: 2039,
    cvc: '123',
    holderName: 'Ana Torres',
  },
});

function howToUse(stack: Stack, cardId: string): string {
  const { baseUrl, bankUrl, clockUrl, merchants } = stack;
  const key = `-H 'x-api-key: ${merchants.apiKey}'`;
  const json = `-H 'content-type: application/json'`;
  const payment = `${baseUrl}/payment-method/${cardId}/payment`;
  return `
Cobro is up.

# save a card
curl -s ${baseUrl}/payment-method ${key} ${json} -d '${cardBody}'

# charge a saved card, once, however often this is sent
curl -s ${payment} ${key} ${json} -d '{"amount":250.50,"externalId":"order-1"}'

# hold funds on it, to be captured or released later
curl -s ${payment} ${key} ${json} -d '{"amount":1200,"holdFunds":true,"externalId":"order-2"}'

# its payments and all payments of the merchant
curl -s ${payment} ${key}
curl -s ${baseUrl}/developer/v1/payment ${key}

# the books of the bank, and moving all clocks by eight days and back
curl -s ${bankUrl}/operations
curl -s -X PUT ${clockUrl} -d '{"advanceSeconds":691200}'
curl -s -X DELETE ${clockUrl}

For programs: .stack/demo.json. Spans: .stack/spans.jsonl. Logs: ${stack.logFolder}
Ctrl-C ends everything.`;
}

await start().catch((error: unknown) => process.exit(tellFailure(say)(error)));
