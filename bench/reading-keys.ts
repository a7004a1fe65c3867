import { runCommand } from '../dev/seed/run-command.ts';

/** Less than a key may send in a minute. */
const REQUESTS_OF_A_KEY = 110;

/** Makes another key of the organization whenever one has nearly used its budget. */
export function readingKeys(databaseUrl: string, organizationId: string) {
  let current: Promise<string> | undefined;
  let used = 0;
  const create = async () => {
    const { key = '' } = await runCommand(databaseUrl, 'keys', 'create', '--organization', organizationId);
    return key;
  };
  return {
    /** A key with budget left. */
    next: () => {
      if (current === undefined || used >= REQUESTS_OF_A_KEY) {
        current = create();
        used = 0;
      }
      used++;
      return current;
    },
  };
}
