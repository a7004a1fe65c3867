/** Preloaded into a service under test (NODE_OPTIONS): the clock of its machine is five seconds ahead. */
const AHEAD_MS = 5_000;
const { now } = Date;

globalThis.Date = new Proxy(Date, {
  construct: (of, given: [], as) => Reflect.construct(of, given.length === 0 ? [now() + AHEAD_MS] : given, as) as Date,
});
Date.now = () => now() + AHEAD_MS;
