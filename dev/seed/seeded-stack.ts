/** What the seeder needs of a stack's record. */
export interface SeededStack {
  /** Of the main API; ends in /api. */
  baseUrl: string;
  bankUrl: string;
  /** Acquirers besides the one at `bankUrl`, by their names. A part of the history is theirs. */
  otherBanks?: Readonly<Record<string, string>>;
  /** The administrator's. */
  databaseUrl: string;
  /** Of the organization that becomes the giant. */
  apiKey: string;
  /** The part of all payments that its organization gets; two fifths unless given. */
  giantShare?: number;
}
