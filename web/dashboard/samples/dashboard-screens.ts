import type { Language } from '@cobro/html/language.ts';
import { depositScreens } from './deposit-screens.ts';
import { holdScreens } from './hold-screens.ts';
import { homeScreens } from './home-screens.ts';
import { partnerScreens } from './partner-screens.ts';
import { accountScreens } from './account-screens.ts';
import { calculatorScreens } from './calculator-screens.ts';
import { clockScreens } from './clock-screens.ts';
import { linkScreens } from './link-screens.ts';
import { paymentLinkScreens } from './payment-link-screens.ts';
import { productScreens } from './product-screens.ts';
import { promotionScreens } from './promotion-screens.ts';
import { sellerScreens } from './seller-screens.ts';
import { subscriptionScreens } from './subscription-screens.ts';
import { terminalScreens } from './terminal-screens.ts';
import { developerScreens } from './developer-screens.ts';
import { platformScreens } from './platform-screens.ts';
import { paymentScreens, type Screen } from './payment-screens.ts';
import { accountSettingsScreens, settingsScreens } from './settings-screens.ts';

/** Every screen of the dashboard, by a name for tests and pictures. */
export const dashboardScreens = (language: Language): Record<string, Screen> => ({
  ...homeScreens(language),
  ...holdScreens(language),
  ...depositScreens(language),
  ...partnerScreens(language),
  ...paymentScreens(language),
  ...accountScreens(language),
  ...accountSettingsScreens(language),
  ...settingsScreens(language),
  ...platformScreens(language),
  ...linkScreens(language),
  ...paymentLinkScreens(language),
  ...subscriptionScreens(language),
  ...productScreens(language),
  ...promotionScreens(language),
  ...terminalScreens(language),
  ...sellerScreens(language),
  ...calculatorScreens(language),
  ...clockScreens(language),
  ...developerScreens(language),
});
