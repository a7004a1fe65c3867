import type { Language } from '@cobro/html/language.ts';
import { accountScreens } from './account-screens.ts';
import { calculatorScreens } from './calculator-screens.ts';
import { clockScreens } from './clock-screens.ts';
import { linkScreens } from './link-screens.ts';
import { terminalScreens } from './terminal-screens.ts';
import { developerScreens } from './developer-screens.ts';
import { paymentScreens, type Screen } from './payment-screens.ts';
import { accountSettingsScreens, settingsScreens } from './settings-screens.ts';

/** Every screen of the dashboard, by a name for tests and pictures. */
export const dashboardScreens = (language: Language): Record<string, Screen> => ({
  ...paymentScreens(language),
  ...accountScreens(language),
  ...accountSettingsScreens(language),
  ...settingsScreens(language),
  ...linkScreens(language),
  ...terminalScreens(language),
  ...calculatorScreens(language),
  ...clockScreens(language),
  ...developerScreens(language),
});
