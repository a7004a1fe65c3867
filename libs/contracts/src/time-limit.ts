/** Aborts the call after so many milliseconds, as AbortSignal.timeout does; that one leaves the collector a weak reference for each. */
export async function withTimeLimit<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('not in time', 'TimeoutError')), ms);
  try {
    return await call(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
