import { centavosOf } from '@cobro/contracts/amount.ts';
import { holdsCardData } from '@cobro/contracts/card-data.ts';
import {
  type CalculatorView,
  calculatorPage,
  cardTypes,
  fundingSources,
  networks,
} from '@cobro/dashboard/calculator/calculator-page.ts';
import { readAmount } from '@cobro/dashboard/payments/action-page.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { READING } from '../http/reading.ts';
import { offersOf } from './offers.rules.ts';

/** GET /calculator: uses the fees that the organization's next payments will have. */
export async function showCalculator(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { query } = visit;
  const typed = field(query, 'amount');
  const card = {
    type: cardTypes.find((one) => one === query.get('type')) ?? 'CARD_NOT_PRESENT',
    network: networks.find((one) => one === query.get('network')) ?? 'VISA',
    fundingSource: fundingSources.find((one) => one === query.get('fundingSource')) ?? 'CREDIT',
  } as const;
  const isShowable = !holdsCardData(typed);
  const here = isShowable ? visit : { ...visit, address: '/calculator' };
  const draw = (found: CalculatorView['found']) =>
    show(deps, here, (frame) => calculatorPage(frame, { typed: isShowable ? typed : '', card, found }));
  if (typed === '') return draw({ kind: 'nothing' });
  const pesos = readAmount(typed);
  const amount = pesos === undefined ? undefined : centavosOf(pesos);
  if (pesos === undefined || amount === undefined) return draw({ kind: 'wrong-amount' });
  const result = await visit.api.records.fees(READING).result();
  if (result.kind !== 'done') return draw({ kind: 'unavailable' });
  return draw({ kind: 'offers', amount: pesos, offers: offersOf(result.value.items, amount, card) });
}
