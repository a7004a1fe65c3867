/**
 * Ends the program on Ctrl-C, TERM and a closed terminal, after stopping the run. That happens once, however many signals come.
 * Returns a function that says whether it has begun, because failures from then on are a result of it.
 */
export function stopOnSignals(
  run: { stop: () => Promise<void> },
  say: (line: string) => void,
  exitCode = 130,
): () => boolean {
  let begun = false;
  const stopAndExit = async () => {
    if (begun) return;
    begun = true;
    say('stopping');
    try {
      await run.stop();
      process.exit(exitCode);
    } catch (error) {
      say(String(error));
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAndExit());
  return () => begun;
}
