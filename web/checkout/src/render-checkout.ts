import type { CheckoutAssets } from './assets.ts';
import type { CheckoutView } from './checkout-view.ts';
import { type Content, documentOf, type Page } from './document.ts';
import { formPage } from './form-page.ts';
import { messagesIn } from './messages-in.ts';
import { closedPage, confirmingPage, nothingPage, paidPage } from './outcome-pages.ts';

/**
 * A page of the hosted checkout: its status, all its headers and its text, to be sent as they are. The same view gives the same
 * page; nothing is read and no clock is asked.
 */
export function renderCheckout(view: CheckoutView, assets: CheckoutAssets): Page {
  return documentOf(view, contentOf(view), assets);
}

function contentOf(view: CheckoutView): Content {
  const messages = messagesIn[view.language];
  switch (view.state) {
    case 'form':
      return formPage(view, messages);
    case 'confirming':
      return confirmingPage(view, messages);
    case 'paid':
      return paidPage(view, messages);
    case 'already-paid':
    case 'cancelled':
    case 'expired':
    case 'inactive':
    case 'sold-out':
    case 'foreign-origin':
      return closedPage(view, messages);
    case 'not-found':
    case 'unavailable':
      return nothingPage(view, messages);
  }
}
