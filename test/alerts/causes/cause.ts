import { createTerminal } from '../../../dev/stack/create-terminal.ts';
import type { Parts } from '../parts.ts';

/** How real parts make an alert fire. */
export interface Cause {
  alert: string;
  what: string;
  /** Alerts that may rightly fire as well. */
  also?: string[];
  /** True if no client may list by `/developer` meanwhile, because reporting is away. */
  withoutLists?: boolean;
  /** Makes the cause. Returns a function that removes it. */
  begin(parts: Parts): Promise<() => Promise<void>>;
}

export const every = (ms: number, work: () => Promise<unknown>) => {
  const timer = setInterval(() => void work().catch(() => {}), ms);
  return () => clearInterval(timer);
};

/** Makes a trigger that refuses rows of a table. Returns a function that removes it. */
export async function refuseRows(admin: Parts['admin'], table: string, when: string): Promise<() => Promise<void>> {
  await admin(
    `create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
  );
  await admin(
    `create trigger refuse before insert or update on ${table} for each row when (${when}) execute function public.refuse()`,
  );
  return () => admin(`drop trigger if exists refuse on ${table}; drop function if exists public.refuse()`);
}

/** Makes a terminal that has an intent. Returns a function that taps a card there. */
export async function terminalWithIntent({ stack, merchant }: Parts, code: string) {
  const { organizationId, apiKey } = stack.merchants;
  const terminal = await createTerminal(stack.databaseUrl, { organizationId, code });
  const intent = { amount: 75, currency: 'MXN', externalId: crypto.randomUUID(), terminalCode: code };
  const { id } = await merchant.post('/payment-intent', intent, { 'x-api-key': apiKey });
  return (card: object) => {
    const attempt = { attemptId: crypto.randomUUID(), card: { ...card, entryMode: 'MANUAL' } };
    return merchant.post(`/terminal/v1/payment-intent/${id}/payment`, attempt, { 'x-terminal-key': terminal.key });
  };
}
