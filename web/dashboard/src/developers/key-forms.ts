import type { ApiKey, CreatedApiKey } from '@cobro/contracts/api-keys.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, choice, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { button, copyable, facts, lines } from '../parts/small-parts.ts';
import { timeOf } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { type DeveloperProblem, formId, problemNotice, statusOf } from './developer-parts.ts';
import { developerWords } from './developer-words.ts';
import { keyWords } from './key-words.ts';
import { type KeyAction, keyEnding, keyHref, keyName, keyStatus, lastUse } from './keys-page.ts';

const LIST = '/developers/keys';
const trailOf = ({ language }: Frame) => ({ href: LIST, label: developerWords[language].keys });

export interface CreateView {
  /** The form's id: sent twice, it makes one key. */
  externalId: string;
  name: string;
  problem: DeveloperProblem | { kind: 'wrong-name' } | null;
}

/** GET /developers/keys/new, and a POST that was refused */
export function createKeyPage(frame: Frame, { externalId, name, problem }: CreateView): Content {
  const words = keyWords[frame.language];
  const isWrong = problem?.kind === 'wrong-name';
  return {
    status: isWrong ? 400 : statusOf(problem),
    title: words.create,
    section: 'developers',
    trail: trailOf(frame),
    main: html`${problem !== null && problem.kind !== 'wrong-name' && problemNotice(frame.language, problem)}
      <div class="panel">
        <p class="explain">${words.createText}</p>
        ${actionForm(frame, {
          action: LIST,
          fields: html`${formId(externalId)}${field(frame, {
            name: 'name',
            label: words.name,
            hint: words.nameHint,
            value: name,
            maxlength: 100,
            error: isWrong ? words.wrongName : undefined,
          })}`,
          button: words.createButton,
          back: { href: LIST, label: words.back },
        })}
      </div>`,
  };
}

export interface KeyActionView {
  action: KeyAction;
  key: ApiKey;
  externalId: string;
  /** Whether no other key works. */
  isOnlyActive: boolean;
  problem: DeveloperProblem | null;
}

/** GET /developers/keys/{id}/{action}, and a POST that was refused */
export function keyActionPage(
  frame: Frame,
  { action, key, externalId, isOnlyActive, problem }: KeyActionView,
): Content {
  const { language } = frame;
  const words = keyWords[language];
  const { title, explain, button: label } = words[action];
  const endsIt = action !== 'roll';
  return {
    status: statusOf(problem),
    title,
    section: 'developers',
    trail: trailOf(frame),
    main: html`${problem && problemNotice(language, problem)}
      ${endsIt && isOnlyActive && notice(language, { kind: 'wait', title: words.lastActive })}
      <div class="panel">
        ${facts([
          [words.name, keyName(words, key.name)],
          [words.key, keyEnding(key)],
          [words.status, keyStatus(language, key)],
          [words.lastUsed, lastUse(language, key)],
        ])}
        <p class="explain">${explain}</p>
        ${actionForm(frame, {
          action: keyHref(key.id, action),
          fields: action === 'roll' ? rollFields(frame, externalId) : [],
          button: label,
          kind: endsIt ? 'danger' : '',
          back: { href: LIST, label: words.back },
        })}
      </div>`,
  };
}

function rollFields({ language }: Frame, externalId: string): Html {
  const { overlap, overlaps } = keyWords[language].roll;
  return html`${formId(externalId)}${choice({ name: 'oldKeyLivesForSeconds', label: overlap, value: '86400', options: overlaps })}`;
}

export interface KeyMadeView {
  made: CreatedApiKey;
  /** The key that it replaces; null if it replaces none. */
  old: { lastFour: string; endsAt: string | null } | null;
  /** The API's address as merchants know it; null if it is not configured. */
  apiBaseUrl: string | null;
  isPartner: boolean;
}

/** Shows the key this once. */
export function keyMadePage(frame: Frame, { made, old, apiBaseUrl, isPartner }: KeyMadeView): Content {
  const { language } = frame;
  const words = keyWords[language];
  const saidOfOld = (was: NonNullable<KeyMadeView['old']>) =>
    was.endsAt === null
      ? words.oldEnded(was.lastFour)
      : words.oldEnds(was.lastFour, timeOf(language, new Date(was.endsAt)));
  const commands = commandsFor(made.key, apiBaseUrl, isPartner, frame.isTest);
  return {
    status: 201,
    title: words.made,
    section: 'developers',
    trail: trailOf(frame),
    main: html`<div class="stack"><div class="panel">
        <p><strong>${keyName(words, made.name)}</strong></p>
        <p class="shown-once">${copyable(language, made.key)}</p>
        <p class="explain">${words.madeText} ${old && saidOfOld(old)}</p>
      </div>
      <div class="panel">
        <h2>${words.tryIt}</h2>
        <p>${words.tryText}</p>
        ${lines(language, commands)}
      </div>
      <p class="actions">${button(LIST, words.back)}</p></div>`,
  };
}

/** For a shell: a first charge with a test card, or a list if money is real. */
function commandsFor(key: string, apiBaseUrl: string | null, isPartner: boolean, isTest: boolean): string {
  const api = apiBaseUrl === null ? 'API=https://example.com/api' : `API=${apiBaseUrl}`;
  const first = `KEY=${key}`;
  const header = '-H "x-api-key: $KEY"';
  const json = "-H 'content-type: application/json'";
  if (isPartner) return [first, `curl -s "$PARTNER_API/developer/payment" ${header}`].join('\n');
  if (!isTest) return [first, api, `curl -s "$API/payment-method" ${header}`].join('\n');
  const card = {
    number: testCards.approved,
    expirationMonth: 12,
    expirationYear: 2039,
    cvc: '123',
    holderName: 'Ana Torres',
  };
  return [
    first,
    api,
    `CARD=$(curl -s "$API/payment-method" ${header} ${json} \\`,
    `  -d '${JSON.stringify({ card })}' \\`,
    `  | sed 's/^{"id":"\\([^"]*\\)".*/\\1/')`,
    `curl -s "$API/payment-method/$CARD/payment" ${header} ${json} \\`,
    `  -d '{"amount":150.25}'`,
  ].join('\n');
}
