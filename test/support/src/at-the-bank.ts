import { sql } from '@cobro/postgres/database.ts';
import type { ServiceName } from '../../../services/definitions.ts';
import type { RunningServices } from './start-services.ts';
import { until } from './until.ts';

/** Waits until the bank has received a request of this service and has not decided on it yet. */
export const untilAtTheBank = (services: RunningServices, service: ServiceName): Promise<void> =>
  until(`the bank is at something that ${service} has asked`, async () => {
    const open = sql`select id from bank_operation where status = 'open'`;
    const asked = await services.db(service).many<{ id: string }>(open);
    const outcomes = await Promise.all(asked.map(({ id }) => services.bank.outcomeOf(id)));
    return outcomes.includes('in_progress');
  });

const saysAway = async (services: RunningServices, service: ServiceName): Promise<boolean> => {
  const { body } = await services.call(service, { path: '/health/ready' });
  return JSON.stringify(body).includes('bank_away');
};

/** Waits until this service reports that one of its banks is away. The report is at most a second old. */
export const untilBankIsAway = (services: RunningServices, service: ServiceName): Promise<void> =>
  until(`a bank is away for ${service}`, () => saysAway(services, service));

/**
 * Waits until this service has noticed that the bank answers again. Its readiness may be from before the bank went away, so its log must
 * also have one `bank_back` for each `bank_away`.
 */
export const untilBankIsBack = (services: RunningServices, service: ServiceName): Promise<void> =>
  until(`the bank is back for ${service}`, async () => {
    const said = (event: string) => services.logs(service).split(`"event":"${event}"`).length;
    return said('bank_away') === said('bank_back') && !(await saysAway(services, service));
  });
