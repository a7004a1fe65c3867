import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { newId, timeOfId, uuid } from '@cobro/contracts/ids.ts';

/** As long as a session lives; an older form is refused. */
const FORM_LIVES_MS = 43_200_000;

/** The id of a new form, which contains the time. An id that looks like a card number is not used. */
export function newFormId(now: Date): string {
  const id = newId(now.getTime());
  return holdsCardData(id) ? newFormId(now) : id;
}

/** When the form with this id was made; undefined if it is too old, or the id is not ours. */
export function formMadeAt(formId: string, now: Date): Date | undefined {
  if (!uuid.safeParse(formId).success || holdsCardData(formId)) return undefined;
  const madeAt = timeOfId(formId);
  const isOurs = madeAt !== undefined && madeAt <= now.getTime() && now.getTime() - madeAt <= FORM_LIVES_MS;
  return isOurs ? new Date(madeAt) : undefined;
}
