/** Preloaded into a service under test (NODE_OPTIONS): the clock of its machine is AHEAD_MS ahead. */
const AHEAD_MS = Number(process.env['AHEAD_MS']);
const { now } = Date;

globalThis.Date = new Proxy(Date, {
  construct: (of, given: [], as) => Reflect.construct(of, given.length === 0 ? [now() + AHEAD_MS] : given, as) as Date,
});
Date.now = () => now() + AHEAD_MS;
