import { randomBytes } from 'node:crypto';
import type { PeerMerchant } from './system.ts';

/** The administrator that the war has built in. Kill Bill listens on the loopback address only. */
const ADMINISTRATOR = `Basic ${Buffer.from('admin:password').toString('base64')}`;

/** The headers of a merchant's requests to Kill Bill. */
export const killBillHeaders = ({ apiKey, apiSecret }: PeerMerchant): Record<string, string> => ({
  authorization: ADMINISTRATOR,
  'content-type': 'application/json',
  'x-killbill-createdby': 'bench',
  ...(apiKey !== undefined && { 'x-killbill-apikey': apiKey }),
  ...(apiSecret !== undefined && { 'x-killbill-apisecret': apiSecret }),
});

/** A tenant with one account, which pays by Kill Bill's built-in plugin: it says yes at once to everything, in Kill Bill's own process. */
export async function makeKillBillMerchant(baseUrl: string, n: number): Promise<PeerMerchant> {
  const tenant = { apiKey: `merchant-${n}`, apiSecret: randomBytes(18).toString('hex') };
  await create(`${baseUrl}/tenants`, {}, tenant);
  const account = await create(`${baseUrl}/accounts`, tenant, { name: `Merchant ${n}`, currency: 'MXN' });
  const accountId = account.slice(account.lastIndexOf('/') + 1);
  const method = { pluginName: '__EXTERNAL_PAYMENT__', pluginInfo: {} };
  await create(`${baseUrl}/accounts/${accountId}/paymentMethods?isDefault=true`, tenant, method);
  return { ...tenant, accountId };
}

/** Returns the address of the new object. */
async function create(url: string, merchant: PeerMerchant, body: object): Promise<string> {
  const headers = killBillHeaders(merchant);
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.headers.get('location') ?? '';
}
