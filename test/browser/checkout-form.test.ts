import { checkoutAddress } from '@cobro/checkout/checkout-address.ts';
import { describe, expect, test } from '@jest/globals';
import { browserForTests, describeInBrowser } from './browser-tests.ts';
import { checkoutUnderTest, payer, viewOf } from './checkout-under-test.ts';

const eachWay = [
  ['with the script', false],
  ['without the script', true],
] as const;

describeInBrowser('the form of the checkout', () => {
  const { id, served, open, opened, page, fill, valueOf, payButton, see } = checkoutUnderTest(browserForTests());

  describe('when it is sent', () => {
    test('with a fault posts nothing, sums up at the top and leads to the first field', async () => {
      await open();
      await fill({ cvc: '12', email: 'ana' });
      await payButton().click();
      expect(await page().evaluate(() => document.activeElement?.id)).toBe('cvc');
      expect(await page().getByRole('alert').getByRole('link').allTextContents()).toEqual([
        'El código de seguridad tiene 3 dígitos (Amex: 4).',
        'El correo no es válido. Escríbelo como nombre@ejemplo.com.',
      ]);
      expect(served().posts).toEqual([]);
      await page().locator('#cvc').fill('123');
      await page().locator('#email').fill('ana@example.com');
      served().view = viewOf('paid');
      await payButton().click();
      await see('Pago realizado');
      expect(served().posts).toHaveLength(1);
    });

    test.each(eachWay)(
      '%s posts what was filled in, and shows what became of it by GET',
      async (_how, withoutScript) => {
        await open({ withoutScript });
        for (const [name, text] of Object.entries(payer)) await page().locator(`#${name}`).fill(text);
        await page().getByLabel('3 pagos mensuales').check();
        served().onPost = () => {
          served().view = viewOf('paid');
          return checkoutAddress(id, { attempt: 'att-1', language: 'es' });
        };
        await payButton().click();
        await see('Pago realizado');
        expect(new URL(page().url()).search).toBe('?attempt=att-1&lang=es');
        expect(Object.fromEntries(served().posts[0] ?? [])).toEqual({
          token: 'eyJ0b2tlbiI6InRlc3QifQ.c2lnbmF0dXJl',
          lang: 'es',
          amount: '125050',
          ...payer,
          ...(withoutScript ? {} : { number: '4242 4242 4242 4242', expiry: '08/29' }),
          terms: '3',
          phoneNumber: '',
          addressLine: '',
          city: '',
          state: '',
          zip: '',
        });
        expect(opened().complaints).toEqual([]);
      },
    );

    test('three times in a moment posts it once', async () => {
      await open();
      await fill();
      served().onPost = () => viewOf('paid');
      const button = await page().evaluate(() => {
        const pay = document.querySelector('button');
        pay?.click();
        pay?.click();
        pay?.form?.requestSubmit();
        return [pay?.textContent, pay?.disabled];
      });
      expect(button).toEqual(['Procesando tu pago…', true]);
      await see('Pago realizado');
      expect(served().posts).toHaveLength(1);
    });

    test('and going back or reloading asks again what is true, and posts nothing', async () => {
      await open();
      await fill();
      served().onPost = () => {
        served().view = viewOf('paid');
        return checkoutAddress(id, { attempt: 'att-1' });
      };
      await payButton().click();
      await see('Pago realizado');
      await page().reload();
      served().view = viewOf('already-paid');
      await page().goBack();
      await see('Este enlace ya está pagado');
      expect(served().posts).toHaveLength(1);
    });

    test('and refused by the server it comes back without number and code', async () => {
      await open();
      await fill();
      served().onPost = () => viewOf('errors');
      await payButton().click();
      await see('Revisa estos datos');
      expect([await valueOf('number'), await valueOf('cvc'), await valueOf('holderName')]).toEqual([
        '',
        '',
        'Ana Torres',
      ]);
    });
  });

  describe('by the keyboard alone', () => {
    const press = (key: string) => page().keyboard.press(key);

    test('is reached in order, with a focus that can be seen', async () => {
      await open();
      const reached: string[] = [];
      for (;;) {
        await press('Tab');
        const focused = await page().evaluate(() => {
          const element = document.activeElement as HTMLElement;
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
          return { name: element.id || element.className || element.tagName.toLowerCase(), isSeen };
        });
        if (focused.name === 'body') break;
        expect(focused).toEqual({ name: focused.name, isSeen: true });
        reached.push(focused.name);
      }
      const card = ['number', 'expiry', 'cvc', 'holderName', 'terms'];
      expect(reached).toEqual(['language', ...card, 'email', 'firstName', 'lastName', 'summary', 'pay', 'a']);
    });

    test('is filled in and sent', async () => {
      await open();
      served().onPost = () => viewOf('paid');
      const typed = async (...texts: string[]) => {
        for (const text of texts) {
          await page().keyboard.type(text);
          await press('Tab');
        }
      };
      await press('Tab');
      await press('Tab');
      await typed(payer.number, payer.expiry, payer.cvc, payer.holderName);
      await press('ArrowDown');
      await press('Tab');
      await typed(payer.email, payer.firstName, payer.lastName);
      await press('Tab');
      await press('Enter');
      await see('Pago realizado');
      expect(served().posts[0]?.get('terms')).toBe('3');
    });
  });

  test.each(eachWay)(
    '%s the page that waits for the bank goes on by itself and posts nothing',
    async (_how, withoutScript) => {
      served().view = viewOf('confirming');
      await open({ withoutScript });
      await see('Estamos confirmando tu pago');
      served().view = viewOf('paid');
      await see('Pago realizado');
      expect(served().posts).toEqual([]);
      expect(opened().complaints).toEqual([]);
    },
  );

  test('the receipt is printed by a button where there is a script, and the button is on no paper', async () => {
    served().view = viewOf('paid');
    await open();
    const print = page().getByRole('button', { name: 'Imprimir comprobante' });
    await page().evaluate(() => {
      globalThis.print = () => void (document.title = 'printed');
    });
    await print.click();
    expect(await page().title()).toBe('printed');
    await page().emulateMedia({ media: 'print' });
    expect(await print.isVisible()).toBe(false);
    await open({ withoutScript: true });
    expect(await page().getByText('Imprimir comprobante').isVisible()).toBe(false);
    expect(await page().getByRole('link', { name: 'Volver a Café Tacuba' }).getAttribute('rel')).toBe(
      'noopener noreferrer',
    );
  });
});
