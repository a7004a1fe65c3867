import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { newId, timeOfId, uuid } from '@cobro/contracts/ids.ts';

/** As long as a session: a form that is older was kept by somebody. */
const FORM_LIVES_MS = 43_200_000;

/** The id of a new form, which has the time in it. By chance one could look like a card number. */
export function newFormId(now: Date): string {
  const id = newId(now.getTime());
  return holdsCardData(id) ? newFormId(now) : id;
}

/** When the form with this id was made; undefined where it is too old, or of no page of ours. */
export function formMadeAt(formId: string, now: Date): Date | undefined {
  if (!uuid.safeParse(formId).success || holdsCardData(formId)) return undefined;
  const madeAt = timeOfId(formId);
  const isOurs = madeAt !== undefined && madeAt <= now.getTime() && now.getTime() - madeAt <= FORM_LIVES_MS;
  return isOurs ? new Date(madeAt) : undefined;
}
