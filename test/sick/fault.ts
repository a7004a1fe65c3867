import type { ServiceName } from '../../services/definitions.ts';
import type { SickStack } from './sick-stack.ts';

/** Something that becomes sick. */
export interface Fault {
  name: string;
  /** True if only the bank is sick: then no request may wait in vain after its claim, so none gets 504. */
  onlyBank?: boolean;
  /** The p99 of reads may be this many times that with nothing sick; absent if nothing is promised. */
  mostTimesReads?: number;
  /** True if others must not notice: they are not refused, wait little longer, and every service stays ready. */
  isFeltByNobody?: boolean;
  /** The service that is not ready meanwhile, because the fault stops it. */
  stops?: ServiceName;
  /** Makes it sick. The returned function makes it well again and returns what was wrong meanwhile. */
  begin(sick: SickStack): Promise<() => Promise<string[] | void>>;
}
