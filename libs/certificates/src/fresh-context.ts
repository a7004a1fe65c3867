import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

/**
 * A secure context that is made anew for each connection, from what the files hold then, so that a certificate is turned without a
 * restart. Clients that connect again by themselves keep the options that they were opened with. While files are just being replaced,
 * and certificate and key do not fit, it stays as it was.
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
