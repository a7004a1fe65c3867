import type { Html } from '@cobro/html/html.ts';
import { tabs } from '../parts/tabs.ts';
import type { Frame } from '../shell/frame.ts';
import { organizationWords } from './organization-words.ts';
import { settingsWords } from './words.ts';

/** Links to the other settings that this person may see. */
export function settingsLinks({ language, acting, address }: Frame): Html {
  const { profile, devices, people, signOn, audit, settings } = settingsWords[language];
  const ofOrganization =
    acting?.scope === 'organization' ? [['/settings/organization', organizationWords[language].tab]] : [];
  const leads = acting?.role === 'owner' || acting?.role === 'admin';
  const own = [
    ['/settings/profile', profile],
    ['/settings', devices],
  ];
  const ofLeaders = [
    ...ofOrganization,
    ['/settings/people', people],
    ['/settings/sign-on', signOn],
    ['/settings/audit', audit],
  ];
  const [here] = address.split('?', 1);
  const all = [...own, ...(leads ? ofLeaders : [])];
  return tabs({
    label: settings,
    tabs: all.map(([href = '', label = '']) => ({ href, label, isCurrent: href === here })),
  });
}
