/** What the seeder needs of a stack's record. */
export interface SeededStack {
  /** Of the main API; ends in /api. */
  baseUrl: string;
  bankUrl: string;
  /** The administrator's. */
  databaseUrl: string;
  /** Of the organization that becomes the giant. */
  apiKey: string;
}
