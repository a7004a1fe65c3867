/** `npm run drill -- mutation`: changes the rules and sees whether their tests notice, without running any other test. */
import { openRun } from '../../dev/stack/run.ts';
import { reportFailure } from '../../dev/stack/servers/server.ts';
import { stopOnSignals } from '../../dev/stack/stop-on-signals.ts';
import { mutateRules } from './mutate-rules.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);

const run = openRun();
const interrupted = stopOnSignals(run, say);
const code = await mutateRules(run).catch((error: unknown) => (interrupted() ? 130 : reportFailure(say)(error)));
await run.stop();
process.exit(code);
