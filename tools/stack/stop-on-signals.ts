/**
 * Ends the program on Ctrl-C, TERM and a closed terminal: the run is stopped first. Once, however many signals come. Answers
 * whether that has begun: what fails from then on fails because of it.
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
