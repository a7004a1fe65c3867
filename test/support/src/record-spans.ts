import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';

type Processor = NonNullable<NodeSDKConfiguration['spanProcessors']>[number];
export type EndedSpan = Parameters<Processor['onEnd']>[0];

/** Records all spans of this process and keeps those that have ended. */
export function recordSpans(): { ended: EndedSpan[]; stop: () => Promise<void> } {
  const ended: EndedSpan[] = [];
  const processor: Processor = {
    onStart: () => {},
    onEnd: (span) => void ended.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const sdk = new NodeSDK({
    spanProcessors: [processor],
    metricReaders: [],
    instrumentations: [],
    autoDetectResources: false,
  });
  sdk.start();
  return { ended, stop: () => sdk.shutdown() };
}
