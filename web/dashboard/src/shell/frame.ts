import type { Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';

export type Role = 'read-only' | 'operator' | 'owner' | 'viewer' | 'admin';

/** For whom a signed-in person acts. */
export interface Acting {
  scope: 'organization' | 'partner' | 'platform';
  role: Role;
  /** Of the organization or partner; of the platform, Cobro. */
  scopeName: string;
  personName: string;
  email: string;
  /** Until when an owner lends this person a look; null where it is a membership. */
  lentUntil: Date | null;
}

/** What every page is given besides what it shows. */
export interface Frame {
  language: Language;
  /** Path and query of this page, or where it answers a form of the page on which that stood. */
  address: string;
  answersForm: boolean;
  /** Whether a band says that no real money moves. */
  isTest: boolean;
  /** Business time, where it may be moved from here; null elsewhere. */
  clockNow: Date | null;
  /** Null: nobody is signed in, and there is no navigation. */
  acting: Acting | null;
  /** Goes into each form that changes something. */
  formToken: string;
}

/** What one page puts into its frame. */
export interface Content {
  status: number;
  /** Of the tab and the page's heading; plain text. */
  title: string;
  main: Html;
  /** The navigation's entry that the page belongs to. */
  section?: string;
  /** Beside the heading; at the foot of a phone. */
  action?: Html;
  /** Above the heading: where the page lies. */
  trail?: { href: string; label: string };
  headers?: Record<string, string>;
  /** Whether a form of it asks a device for a passkey. */
  needsPasskeys?: boolean;
}

/** A page to be sent as it is. */
export interface Page {
  status: number;
  headers: Record<string, string>;
  html: string;
}

/** Whether the person may capture, release, refund, and make links. */
export const mayOperate = ({ acting }: Frame): boolean =>
  acting?.scope === 'organization' && (acting.role === 'operator' || acting.role === 'owner');
