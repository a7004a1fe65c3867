/**
 * How each of our processes is started: `node ...NODE_ARGUMENTS <main.ts>` with NODE_ENVIRONMENT. What each argument
 * saves and costs is in docs/performance.md, "Memory".
 */
export const NODE_ARGUMENTS: readonly string[] = [
  // Young objects get a few MB instead of 100, because nearly all objects of a request are garbage once it is answered.
  '--max-semi-space-size=4',
  // The old generation is collected when it has grown by 60 %, and not by up to 300 %.
  '--heap-growing-percent=60',
  // Otherwise anyone who may send a signal could read cards and keys from memory with a debugger.
  '--disable-sigusr1',
  '--disable-warning=ExperimentalWarning',
];

/** glibc would otherwise keep a heap for each of Node's threads. */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '2' };
