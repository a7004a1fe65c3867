import type { Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';

export type Role = 'read-only' | 'operator' | 'owner' | 'viewer' | 'admin';

/** The signed-in person and the scope they act in. */
export interface Acting {
  scope: 'organization' | 'partner' | 'platform';
  role: Role;
  /** The name of the organization, or a word for another scope. */
  scopeName: string;
  personName: string;
  email: string;
  /** Until when an owner lends this person a look; null for a membership. */
  lentUntil: Date | null;
}

/** Given to every page, besides what it shows. */
export interface Frame {
  language: Language;
  /** Path and query of this page; if it answers a form, of the page that showed the form. */
  address: string;
  answersForm: boolean;
  /** Whether a band says that no real money moves. */
  isTest: boolean;
  /** Business time if it may be moved from here, else null. */
  clockNow: Date | null;
  /** Null if nobody is signed in; then there is no navigation. */
  acting: Acting | null;
  /** Goes into each form that changes something. */
  formToken: string;
}

/** What one page puts into its frame. */
export interface Content {
  status: number;
  /** The title of the tab and the page's heading; plain text. */
  title: string;
  main: Html;
  /** The navigation's entry that the page belongs to. */
  section?: string;
  /** Shown beside the heading; on a phone, at the foot. */
  action?: Html;
  /** The link above the heading to the parent page. */
  trail?: { href: string; label: string };
  headers?: Record<string, string>;
  /** Whether one of its forms asks a device for a passkey. */
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
