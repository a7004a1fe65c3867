import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

/**
 * A secure context that is made anew for each connection from the current files, so that a certificate is turned over without a
 * restart, although clients that reconnect by themselves keep their first options. If certificate and key do not fit, because files
 * are just being replaced, the context stays as it was.
 */
export function freshContext(read: () => SecureContextOptions): SecureContext {
  let made = createSecureContext(read());
  let isFresh = false;
  return {
    get context() {
      if (!isFresh) {
        isFresh = true;
        // Node asks more than once while it begins to connect.
        queueMicrotask(() => (isFresh = false));
        try {
          made = createSecureContext(read());
        } catch {
          // As it was.
        }
      }
      return made.context as unknown;
    },
  };
}
