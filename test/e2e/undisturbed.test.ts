import { inFull } from '@cobro/testing/in-full.ts';
import { describe } from '@jest/globals';
import { callersTrace } from './callers-trace.story.ts';
import { cardData } from './card-data.story.ts';
import { dashboardActions } from './dashboard-actions.story.ts';
import { dashboardCardNumbers } from './dashboard-card-numbers.story.ts';
import { dashboardLinks } from './dashboard-links.story.ts';
import { dashboardPaymentLinks } from './dashboard-payment-links.story.ts';
import { dashboardPartner } from './dashboard-partner.story.ts';
import { dashboardPlatform } from './dashboard-platform.story.ts';
import { dashboardProducts } from './dashboard-products.story.ts';
import { dashboardPromotions } from './dashboard-promotions.story.ts';
import { dashboardSellers } from './dashboard-sellers.story.ts';
import { dashboardSubscriptions } from './dashboard-subscriptions.story.ts';
import { dashboardTill } from './dashboard-till.story.ts';
import { dashboard } from './dashboard.story.ts';
import { events } from './events.story.ts';
import { developers } from './developers.story.ts';
import { everyPost } from './every-post.story.ts';
import { firstMinutes } from './first-minutes.story.ts';
import { freshness } from './freshness.story.ts';
import { guides } from './guides.story.ts';
import { idempotency } from './idempotency.story.ts';
import { keys } from './keys.story.ts';
import { listening } from './listen.story.ts';
import { mainJob } from './main-job.story.ts';
import { parkedEvents } from './parked.story.ts';
import { silentCard } from './silent-card.story.ts';
import { stackUnderTest } from './stack-under-test.ts';
import { terminalSimulator } from './terminal-simulator.story.ts';
import { trace } from './trace.story.ts';
import { whoMayCall } from './who-may-call.story.ts';

/** Stories that leave the stack unchanged share one. */
const tested = stackUnderTest();

const stories = {
  'the main job': mainJob,
  'one trace': trace,
  keys,
  events,
  'parked events': parkedEvents,
  'the terminal simulator': terminalSimulator,
  'the dashboard': dashboard,
  'actions in the dashboard': dashboardActions,
  'a partner in the dashboard': dashboardPartner,
  'a merchant’s first ten minutes': firstMinutes,
  'who may call': whoMayCall,
  'every form of the dashboard': everyPost,
};
/** Last, because some of them move the clock by months and so leave payments of future days, which sums of today do not expect. */
const storiesInFull = {
  idempotency,
  'a caller’s trace': callersTrace,
  freshness,
  listening,
  guides,
  'links in the dashboard': dashboardLinks,
  'payment links in the dashboard': dashboardPaymentLinks,
  'subscriptions in the dashboard': dashboardSubscriptions,
  'products in the dashboard': dashboardProducts,
  'promotions in the dashboard': dashboardPromotions,
  'people who sell in the dashboard': dashboardSellers,
  'the platform in the dashboard': dashboardPlatform,
  'terminals in the dashboard': dashboardTill,
  'developers in the dashboard': developers,
  'card numbers in the dashboard': dashboardCardNumbers,
  'a card whose bank is silent': silentCard,
};

// The last story checks what all of them have left behind.
describe.each(Object.entries({ ...stories, ...(inFull ? storiesInFull : {}), 'card data': cardData }))(
  '%s',
  (_name, story) => {
    story(tested);
  },
);
