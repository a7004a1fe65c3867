import type { PeerMerchant } from './system.ts';

/** The headers of a merchant's requests to Medusa. */
export const medusaHeaders = ({ token }: PeerMerchant): Record<string, string> => ({
  'content-type': 'application/json',
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
});

/** The token of a user of Medusa's, which has no merchants: it is one shop. */
export async function makeMedusaMerchant(
  baseUrl: string,
  user: { email: string; password: string },
): Promise<PeerMerchant> {
  const url = `${baseUrl}/auth/user/emailpass`;
  const headers = medusaHeaders({});
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(user) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  const { token } = (await response.json()) as { token: string };
  return { token };
}
