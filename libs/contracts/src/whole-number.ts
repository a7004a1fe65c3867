import { z } from 'zod';
import { must } from './text.ts';

/** A whole number in a request body, both bounds included. */
export const wholeNumberFrom = (min: number, max: number) => {
  const rule = `must be from ${min} to ${max}`;
  return z.int(must('be a whole number')).min(min, { error: rule }).max(max, { error: rule });
};
