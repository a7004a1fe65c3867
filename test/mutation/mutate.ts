/**
 * `npm run drill -- mutation`: Stryker changes one thing after the other in every `*.rules.ts` and in `libs/domain`, and each time a test
 * beside the rule has to fail. Less than 90 % noticed fails the run. Results are in `.stack/mutation.json`. What no test notices gets its
 * test, or is listed here:
 * - hold-window.ts: a day's closing time is worked out anew: it is the same
 * - hold-window.ts, `holdDaysRemaining`: `<=` instead of `<`: at the same instant either will do
 * - mexico-city.ts, `offsetMinutes`: the cache: it affects only time and memory
 * - key.rules.ts, `parseKey`: goes on without a prefix: such a text has no kind either
 * - partner-payment.rules.ts, `centavosOf`: the empty list for "no amount" has a first element: only the second and third are looked at
 * - emv.rules.ts: another entry mode for a number that was typed in: the function has returned before
 */
import { inOwnRun } from '../../dev/stack/in-own-run.ts';
import { mutateRules } from './mutate-rules.ts';

await inOwnRun(mutateRules);
