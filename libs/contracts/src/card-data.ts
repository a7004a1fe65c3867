/** Finds card numbers and codes in free text, so that they are refused: such text is stored, logged and shown. */

const LONGEST = 16;

const NETWORKS = [
  // Visa, Mastercard, Carnet
  /^(?:4|5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|506|286900|502275|588772|604622|606333|627535|63(?:6318|6379|9388|9484|9559))/,
  // American Express
  /^3[47]/,
] as const;

/** The check digit of ISO/IEC 7812-1. `number` has digits only. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let position = 0; position < number.length; position++) {
    const digit = Number(number[number.length - 1 - position]) * (position % 2 === 1 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

function isCardNumber(digits: string): boolean {
  const network = digits.length === LONGEST ? NETWORKS[0] : digits.length === LONGEST - 1 ? NETWORKS[1] : undefined;
  return network !== undefined && network.test(digits) && passesLuhn(digits);
}

/** A group of digits without a letter beside it, or a UUID, whose digits do not count. */
const GROUP =
  /(?<![\p{L}\d])(?:[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|\d+)(?![\p{L}\d])/giu;
const SEPARATOR = /^[\s\p{Pd}.]$/u;

function holdsNumber(text: string, shortest: number): boolean {
  // Runs of digits that end with the last group. A run begins with each group.
  let runs: string[] = [];
  let end = 0;
  for (const { 0: group, index } of text.matchAll(GROUP)) {
    const isUuid = group.includes('-');
    const goesOn = SEPARATOR.test(text.slice(end, index));
    // Each group has at least one digit, so there are at most sixteen runs, and the time is in proportion to the text's length.
    runs = isUuid ? [] : [...(goesOn ? runs : []), ''].map((run) => run + group).filter((run) => run.length <= LONGEST);
    if (runs.some((run) => run.length >= shortest && isCardNumber(run))) return true;
    end = index + group.length;
  }
  return false;
}

const WRITTEN_CODE = /(?<![\p{L}\d])cv[cv]2?[^\p{L}\d]*\d{3,4}(?![\p{L}\d])/iu;

/**
 * Whether the text holds a card's number, or the word cvc or cvv with a code of three or four digits behind it. A number shorter than
 * `shortest` does not count. Single blanks, dashes and dots may separate a number's digits. Digits with a letter beside them do
 * not count.
 */
export function holdsCardData(text: string, shortest = 0): boolean {
  // NFKC turns digits and blanks of other widths into plain ones.
  const plain = text.normalize('NFKC');
  return holdsNumber(plain, shortest) || WRITTEN_CODE.test(plain);
}
