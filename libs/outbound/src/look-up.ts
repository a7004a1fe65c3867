import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { callbackify } from 'node:util';

/** As `lookup` of `node:dns`, with every address. */
export type LookUp = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** c-ares first waits for a second, or as long as a server mostly takes, and twice as long at each retry. */
const [TRIES, FIRST_TRY_MS] = [3, 1_000];

/**
 * Asks name servers by sockets of its own. The system's `lookup` keeps one of this process's few threads until it is answered, so a
 * stranger's silent name server would keep every other name waiting, the database's too.
 */
export function openLookUp(servers?: readonly string[]): LookUp {
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const find = async (name: string): Promise<LookupAddress[]> => {
    if (isIP(name) !== 0) return [{ address: name, family: isIP(name) }];
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    const of = (found: PromiseSettledResult<string[]>, family: 4 | 6) =>
      found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];
    return [...of(four, 4), ...of(six, 6)];
  };
  const found = callbackify(find);
  return (name, _options, callback) => found(name, callback);
}
