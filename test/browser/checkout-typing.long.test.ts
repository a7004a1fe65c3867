import { testCards } from '@cobro/contracts/test-cards.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { browserForTests, describeInBrowser } from './browser-tests.ts';
import { checkoutUnderTest } from './checkout-under-test.ts';

describeInBrowser('as one types into the checkout', () => {
  const { open, page, opened, type, fill, valueOf, errorOf, payButton } = checkoutUnderTest(browserForTests());
  const isInvalid = (field: string) => page().locator(`#${field}`).getAttribute('aria-invalid');
  beforeEach(() => open());

  test.each([
    ['Visa', testCards.approved, '4242 4242 4242 4242'],
    ['Mastercard', testCards.mastercardDebit, '5200 8282 8282 8210'],
    ['American Express', testCards.amexCredit, '3782 822463 10005'],
    ['Carnet', '5062000000000004', '5062 0000 0000 0004'],
  ])('the number of a %s card is grouped and its network shown', async (network, number, grouped) => {
    await type('number', number);
    expect(await valueOf('number')).toBe(grouped);
    expect(await page().locator('#network').textContent()).toBe(network);
    expect(await page().locator('.mark:not(.other)').getAttribute('data-network')).toBe(network);
    expect(await errorOf('number')).toBe('');
  });

  test('a digit in the middle leaves the caret behind it, and pasted spaces and dashes do no harm', async () => {
    const number = page().locator('#number');
    await type('number', '42424242');
    await number.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 2));
    await page().keyboard.type('99');
    expect(await valueOf('number')).toBe('4299 4242 42');
    expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(4);
    await number.fill('4242-4242 42424242');
    expect(await valueOf('number')).toBe('4242 4242 4242 4242');
  });

  test('a wrong digit is named when the number is complete, and no longer once it is changed', async () => {
    await type('number', '4242424242424241');
    expect(await errorOf('number')).toBe('El número de tarjeta no es válido. Revísalo.');
    expect(await isInvalid('number')).toBe('true');
    await page().keyboard.press('Backspace');
    expect(await errorOf('number')).toBe('');
    await page().keyboard.type('2');
    expect(await isInvalid('number')).toBeNull();
  });

  test.each([
    ['0829', '08/29', ''],
    ['829', '08/29', ''],
    ['08/29', '08/29', ''],
    ['8/29', '08/29', ''],
    ['1/30', '01/30', ''],
    ['082029', '08/2029', ''],
    ['1126', '11/26', ''],
    ['1026', '10/26', 'Esta tarjeta ya venció. Revisa la fecha.'],
    ['1329', '13/29', 'El vencimiento no es válido: usa MM/AA, como 08/29.'],
  ])('an expiry typed as %s becomes %s', async (typed, shown, error) => {
    await type('expiry', typed);
    await page().keyboard.press('Tab');
    expect([await valueOf('expiry'), await errorOf('expiry')]).toEqual([shown, error]);
  });

  test('an expiry can be deleted through its slash', async () => {
    await type('expiry', '0829');
    for (let i = 0; i < 4; i += 1) await page().keyboard.press('Backspace');
    expect(await valueOf('expiry')).toBe('0');
  });

  test('the code has three digits, and four on American Express', async () => {
    const error = 'El código de seguridad tiene 3 dígitos (Amex: 4).';
    await type('number', testCards.approved);
    await type('cvc', '12');
    await page().keyboard.press('Tab');
    expect(await errorOf('cvc')).toBe(error);
    await page().locator('#cvc').fill('123');
    expect(await errorOf('cvc')).toBe('');
    await page().locator('#number').fill('');
    await type('number', testCards.amexCredit);
    await page().keyboard.press('Tab');
    expect(await errorOf('cvc')).toBe(error);
    await page().locator('#cvc').fill('1234');
    expect(await errorOf('cvc')).toBe('');
  });

  test('nothing moves but by what was typed', async () => {
    await fill({ number: '4242424242424241', email: 'ana' });
    await payButton().click();
    expect(await opened().layoutShift()).toBe(0);
    expect(opened().complaints).toEqual([]);
  });
});
