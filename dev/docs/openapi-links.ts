import type { RouteContract } from '@cobro/contracts/route.ts';
import { nameOf } from '@cobro/contracts/routes.ts';
import * as checkout from '@cobro/contracts/routes/checkout.ts';
import * as links from '@cobro/contracts/routes/one-time-payments.ts';
import * as intents from '@cobro/contracts/routes/payment-intents.ts';
import * as paymentLinks from '@cobro/contracts/routes/payment-links.ts';
import * as reads from '@cobro/contracts/routes/payment-reads.ts';
import * as promotions from '@cobro/contracts/routes/promotions.ts';
import * as cardPayments from '@cobro/contracts/routes/saved-card-payments.ts';
import * as endpoints from '@cobro/contracts/routes/webhook-endpoints.ts';
import { z } from 'zod';

/** OpenAPI's links, by name. */
export type Links = Record<string, { operationId: string; parameters: Record<string, string> }>;

const atTheTerminal = [intents.askPaymentIntent, intents.payPaymentIntent, intents.declinePaymentIntent];

/** Routes that take an id from these answers too, though their paths do not show it. */
const elsewhere: readonly (readonly [from: RouteContract, to: readonly RouteContract[]])[] = [
  [cardPayments.chargePaymentMethod, [reads.readDeveloperPayment]],
  [links.createOneTimePayment, [checkout.showCheckout]],
  [paymentLinks.createPaymentLink, [checkout.showCheckout]],
  [promotions.createPromotion, [promotions.readDeveloperPromotion]],
  [promotions.listPartnerPromotions, [promotions.acceptPromotion, promotions.endPartnerPromotion]],
  [intents.createPaymentIntent, atTheTerminal],
  [intents.nextPaymentIntent, atTheTerminal],
  [endpoints.testWebhookEndpoint, [endpoints.resendDelivery]],
  [endpoints.listDeliveries, [endpoints.resendDelivery]],
];

const paramsOf = ({ path }: RouteContract) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
/** A path up to its last parameter, and the rest after it. */
const splitAtLastParam = ({ path }: RouteContract) => /^(.+)\/:\w+(.*?)$/.exec(path) ?? [];

/** Whether an answer of `from` has the last parameter of `to`: a creation leads to all routes of the new object, a list to its items. */
function leadsTo(from: RouteContract, to: RouteContract): boolean {
  if (elsewhere.some(([one, others]) => one === from && others.includes(to))) return true;
  const [, above, below] = splitAtLastParam(to);
  return (
    above === from.path && (from.method === 'POST' || (from.method === 'GET' && to.method === 'GET' && below === ''))
  );
}

/** Where the id is in an answer: in the first item of a list, or in the new object. */
function idIn({ answers }: RouteContract): string {
  const answer = answers[200];
  const fields = answer && 'json' in answer && answer.json instanceof z.ZodObject ? answer.json.shape : {};
  const list = ['items', 'data'].find((name) => name in fields);
  return list === undefined ? '$response.body#/id' : `$response.body#/${list}/0/id`;
}

/** The links of a route's answers to other routes of the same document. The other parameters are the request's. */
export function linksOf(contract: RouteContract, inDocument: readonly RouteContract[]): Links {
  const given = paramsOf(contract);
  return Object.fromEntries(
    inDocument
      .filter((to) => leadsTo(contract, to))
      .map((to) => {
        const asked = paramsOf(to);
        const parameters = asked.map((name, at) => [
          name,
          at === asked.length - 1 ? idIn(contract) : `$request.path.${given[at] ?? ''}`,
        ]);
        return [nameOf(to), { operationId: nameOf(to), parameters: Object.fromEntries(parameters) }];
      }),
  );
}
