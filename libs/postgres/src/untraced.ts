import { AsyncLocalStorage } from 'node:async_hooks';

/** Runs a function in the context of the process's start, where there is no request and so no span to make a child of. */
export const untraced = AsyncLocalStorage.snapshot();
