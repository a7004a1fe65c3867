/** What the seeder needs of a stack's record. */
export interface SeededStack {
  /** Address of the main API; ends in /api. */
  baseUrl: string;
  bankUrl: string;
  /** Addresses of the other acquirers, by name. A part of the history is theirs. */
  otherBanks?: Readonly<Record<string, string>>;
  /** The administrator's. */
  databaseUrl: string;
  /** Key of the organization that becomes the giant. */
  apiKey: string;
  /** The giant's part of all payments; two fifths unless given. */
  giantShare?: number;
}
