import type { ServedRoute } from '@cobro/service-kit/serve-route.ts';

export interface UnderWay {
  /** The same route, whose use cases are followed until they have ended. */
  follow<Deps>(route: ServedRoute<Deps>): ServedRoute<Deps>;
  /** Resolves when no use case is running. */
  finish(): Promise<void>;
}

/**
 * A use case goes on when its caller has left, and then no answer tells when it has ended. A process waits here for those before it
 * closes its databases: otherwise one of them could claim a charge that is never sent.
 */
export function openUnderWay(): UnderWay {
  const running = new Set<Promise<unknown>>();
  return {
    follow: ({ contract, useCase }) => ({
      contract,
      useCase: async (deps, input) => {
        const answer = useCase(deps, input);
        running.add(answer);
        try {
          return await answer;
        } finally {
          running.delete(answer);
        }
      },
    }),
    finish: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
