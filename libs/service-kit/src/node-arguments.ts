/**
 * How every process of ours is started, wherever: `node ...NODE_ARGUMENTS <main.ts>` with NODE_ENVIRONMENT. What each of them
 * saves and costs is in docs/performance.md, "Memory".
 */
export const NODE_ARGUMENTS: readonly string[] = [
  // Young objects get a few MB and not 100: when a request has been answered nearly all that it made is garbage.
  '--max-semi-space-size=4',
  // The old generation is collected when it has grown by 60 %, and not by up to 300 %.
  '--heap-growing-percent=60',
  // Whoever may send a signal would otherwise read cards and keys out of the memory with a debugger.
  '--disable-sigusr1',
  '--disable-warning=ExperimentalWarning',
];

/** glibc would otherwise keep a heap for each of Node's threads. */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '2' };
