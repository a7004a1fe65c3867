import { uuid } from '@cobro/contracts/ids.ts';
import { wholeDay } from '@cobro/contracts/reports.ts';
import { validate } from '@cobro/contracts/validation.ts';
import { z } from 'zod';

/** What an owner looks for in the audit. Days are those of Mexico City; `to` is the last one. */
export interface AuditFilters {
  /** A group of actions: `payment`, `people`. */
  what: string | undefined;
  personId: string | undefined;
  from: string | undefined;
  to: string | undefined;
}

const group = z.string().regex(/^[a-z-]{1,40}$/);

/** @throws Refusal 400 if a filter is not valid */
export function filtersIn(query: URLSearchParams): AuditFilters {
  const given = (name: string) => query.get(name) || undefined;
  const what = given('what');
  const person = given('who');
  const [from, to] = ['from', 'to'].map((name) => given(name) && validate(wholeDay, given(name)));
  return {
    what: what && validate(group, what),
    personId: person && validate(uuid, person),
    from,
    to,
  };
}
