import type { ServiceName } from '../../services/definitions.ts';
import type { SickStack } from './sick-stack.ts';

/** Something that becomes sick. */
export interface Fault {
  name: string;
  /** True where only the bank is sick: then nobody may be left waiting after a claim, so no answer is 504. */
  onlyBank?: boolean;
  /** How many times as long as with nothing sick the p99 of reads may be, where that is promised. */
  mostTimesReads?: number;
  /** True where nothing is sick: others are refused nothing, wait not much longer, and every service is ready all the time. */
  isFeltByNobody?: boolean;
  /** The service that is not ready meanwhile, because the fault stops it. */
  stops?: ServiceName;
  /** Makes it sick. Returns what makes it well again and then says what was not right meanwhile. */
  begin(sick: SickStack): Promise<() => Promise<string[] | void>>;
}
