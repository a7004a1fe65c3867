import { type Sql, sql } from '@cobro/postgres/database.ts';

/**
 * The condition of a filter, with the same text where nothing is asked for, so filters in any combination are one prepared
 * statement. Connections for reads plan for the values, and the planner leaves out what is true.
 */
export const ifAsked = (value: unknown, condition: Sql): Sql => sql`(${value === undefined}::boolean or ${condition})`;
