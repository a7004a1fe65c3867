/** What checkouts show of an organization. */
export interface OrganizationRow {
  name: string;
  websiteUrl: string | null;
  /** As `#rrggbb`. */
  color: string | null;
}
