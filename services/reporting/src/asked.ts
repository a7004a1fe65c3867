import { type Sql, sql } from '@cobro/postgres/database.ts';

/**
 * The condition of a filter, which excludes nothing where nothing is asked for. Its text is the same then, so filters in any
 * combination are one prepared statement. The connections for reads plan for the values, and the planner leaves out what is true.
 */
export const ifAsked = (value: unknown, condition: Sql): Sql => sql`(${value === undefined}::boolean or ${condition})`;
