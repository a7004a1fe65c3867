let cards = 0;
/** Another card for each attempt: a slot that died with its process is free again only after 10 minutes. */
export function anotherCard(): string {
  const body = `41111111${String(++cards).padStart(7, '0')}`;
  const sum = [...body].toReversed().reduce((all, digit, i) => {
    const n = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return all + (n > 9 ? n - 9 : n);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}
