/** A payment system that is measured: ours, or one beside ours. */
export interface MeasuredSystem {
  name: 'ours' | 'kill-bill' | 'medusa';
  /** Its name in tables, with its version. */
  title: string;
  baseUrl: string;
  /** The merchants that its driver sends for. */
  merchants: PeerMerchant[];
  /** The processes of its servers, whose CPU counts. A table has one line for each name. */
  pids(): Record<string, number[]>;
  /** Whether the broker works for it too. */
  hasBroker: boolean;
}

/** What one merchant of a system needs to send a pair of authorize and capture: keys, tokens and ids, by name. */
export type PeerMerchant = Readonly<Record<string, string>>;

/** Pairs, one after the other from each merchant. */
export interface PeerOrder {
  system: MeasuredSystem['name'];
  baseUrl: string;
  merchants: PeerMerchant[];
  seconds: number;
}
