import { inFull } from '@cobro/testing/in-full.ts';

/**
 * A point at which a process dies. `commit`: a transaction, or a statement that commits by itself; `call`: an HTTP call, to the bank or
 * to another service; `statement`: on the connection on which the trap was sprung, from the statement that sprang it on. `number` counts
 * from 1 within the point's own work.
 */
export interface Point {
  kind: 'commit' | 'call' | 'statement';
  number: number;
  moment: Moment;
}

/** `sent`: the request is on its way and the answer has not come. */
export type Moment = 'before' | 'sent' | 'after';

/** Header of a request: the point in its own work at which the process dies. */
export const DIE_AT_HEADER = 'x-die-at';
/** Environment variable that names a file with a `Trap` as JSON, for work that no request starts. */
export const DIE_AT_FILE = 'DIE_AT_FILE';

export interface Trap {
  service: string;
  /**
   * Regular expression over a statement with its values, and those before it in its transaction. The process counts to the point from
   * there.
   */
  statement: string;
  point: string;
}

/** The short form has only moments after which others know more than the dead process. */
const MOMENTS: Record<Point['kind'], Moment[]> = inFull
  ? { commit: ['before', 'after'], call: ['before', 'sent', 'after'], statement: ['before', 'after'] }
  : { commit: ['after'], call: ['sent'], statement: ['after'] };

/** `commit:2:after` */
export function parsePoint(text: string): Point {
  const [, kind, number, moment] = /^(commit|call|statement):(\d+):(before|sent|after)$/.exec(text) ?? [];
  if (kind === undefined) throw new Error(`no point to die at: ${text}`);
  return { kind: kind as Point['kind'], number: Number(number), moment: moment as Moment };
}

/** The expected points at which this form of the test dies. */
export const ofThisForm = <T>(expected: Record<string, T>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(expected).filter(([point]) => {
      const { kind, moment } = parsePoint(point);
      return MOMENTS[kind].includes(moment);
    }),
  );

/** The points of each kind, from the first to the given number. */
export const pointsUpTo = (last: Partial<Record<Point['kind'], number>>): string[] =>
  Object.entries(MOMENTS).flatMap(([kind, moments]) =>
    Array.from({ length: last[kind as Point['kind']] ?? 0 }, (_, i) =>
      moments.map((moment) => `${kind}:${i + 1}:${moment}`),
    ).flat(),
  );

/**
 * Repeats the work, dying one point later each time, until it survives. Returns the points of all deaths. `vary`: the number of steps
 * differs between runs, for example after an acquirer was found away.
 * @throws if the steps are the same and a later moment of a point is not met
 */
export async function everyPoint(
  dies: (point: string) => Promise<boolean>,
  steps: 'same' | 'vary' = 'same',
): Promise<string[]> {
  const deaths: string[] = [];
  for (const kind of ['commit', 'call'] as const) {
    for (let number = 1; ; number++) {
      const died: string[] = [];
      for (const moment of MOMENTS[kind]) {
        const point = `${kind}:${number}:${moment}`;
        if (await dies(point)) died.push(point);
        else if (steps === 'same' && died.length > 0)
          throw new Error(`died at ${died.join(', ')}, but not at ${point}`);
        else if (steps === 'same') break;
      }
      if (died.length === 0) break;
      deaths.push(...died);
    }
  }
  return deaths;
}
