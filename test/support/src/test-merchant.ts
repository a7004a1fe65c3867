import type { Caller } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { mainContracts } from '@cobro/contracts/routes.ts';
import { sql } from '@cobro/postgres/database.ts';
import { patiently } from './patiently.ts';
import type { ServiceName } from '../../../services/definitions.ts';
import type { HttpRequest, RunningServices } from './start-services.ts';
import { until } from './until.ts';

export type MerchantRequest = Omit<HttpRequest, 'caller'>;

export type TestMerchant = Awaited<ReturnType<typeof testMerchant>>;

export const cardBody = (number: string = testCards.approved) => ({
  number,
  expirationMonth: 12,
  expirationYear: 2032,
  cvc: '123',
  holderName: 'Ana Pérez',
});

/**
 * A new organization that calls the services; its requests are routed as the gateway does it. It pays 3.5 % for every card and kind;
 * without fees it has no fee channel.
 */
export async function testMerchant(services: RunningServices, { fees = true }: { fees?: boolean } = {}) {
  const organizationId = newId();
  if (fees) {
    await services.db('payments').run(sql`
      insert into fee_channel (organization_id, type, terms, fee_bps)
      select ${organizationId}::uuid, type, terms, 350
      from unnest(array['CARD_PRESENT', 'CARD_NOT_PRESENT']) type, unnest(array[1, 3, 6, 9, 12]) terms`);
  }
  const caller: Caller = { kind: 'merchant', by: { kind: 'key', id: newId() }, organizationId };
  const call = (request: MerchantRequest) => services.call(ownerOf(request), { ...request, caller });
  return {
    organizationId,
    caller,
    call,
    /** Saves a card that expires at the end of 2032. Waits if a slow machine leaves the outcome open. @throws if it is not saved */
    saveCard: async (number?: string) => {
      const request = { method: 'POST', path: '/payment-method', body: { card: cardBody(number) } };
      const saved = await patiently(() => call(request));
      let method = saved.body as PaymentMethod;
      if (saved.status === 202) {
        const look = async () => (await call({ path: `/payment-method/${method.id}` })).body as PaymentMethod;
        await until(`${method.id} is active`, async () => (method = await look()).status === 'ACTIVE');
      } else if (saved.status !== 201) throw new Error(`the card was not saved: ${JSON.stringify(saved.body)}`);
      return method;
    },
    /** `body` is added to an amount of 100. */
    charge: (paymentMethodId: string, body?: object) =>
      call({ method: 'POST', path: `/payment-method/${paymentMethodId}/payment`, body: { amount: 100, ...body } }),
  };
}

const routes = mainContracts.map(({ method, path, service }) => ({
  method,
  path: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  service: service as ServiceName,
}));

/** The service that the gateway would send this to; payments if no contract has the path. */
function ownerOf({ method = 'GET', path }: MerchantRequest): ServiceName {
  const [pathname = ''] = path.split('?');
  return routes.find((route) => route.method === method && route.path.test(pathname))?.service ?? 'payments';
}
