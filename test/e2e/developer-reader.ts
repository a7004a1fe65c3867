import type { Stack } from '../../dev/stack/stack.ts';
import { type Answer, createClient } from './client.ts';
import { runAdmin } from './operator.ts';

/** Reads a path of the developer API as the first organization. */
export type DeveloperReader = <Body = Record<string, unknown>>(path: string) => Promise<Answer<Body>>;

/** A reader for polling: it takes a new key when the last one has no request left this minute. */
export function developerReader(stack: () => Stack): DeveloperReader {
  let key: Promise<string> | undefined;
  const newKey = async () => {
    const { organizationId } = stack().merchants;
    return (await runAdmin<{ key: string }>(stack(), 'keys', 'create', '--organization', organizationId)).key;
  };
  return async <Body>(path: string) => {
    for (;;) {
      const mine = (key ??= newKey());
      const answer = await createClient(stack().baseUrl, await mine).send<Body>('GET', path);
      if (answer.status !== 429) return answer;
      if (key === mine) key = undefined;
    }
  };
}
