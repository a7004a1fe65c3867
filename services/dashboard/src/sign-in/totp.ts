import { Secret } from '@cobro/contracts/secret.ts';
import { Secret as TotpSecret, TOTP } from 'otpauth';

const PERIOD_S = 30;
/** A clock that is half a minute wrong is forgiven. */
const STEPS_AROUND = 1;

export const newTotpSecret = (): Secret<string> => new Secret(new TotpSecret({ size: 20 }).base32);

const totpOf = (secret: Secret<string>, email: string) =>
  new TOTP({
    issuer: 'Cobro',
    label: email,
    secret: TotpSecret.fromBase32(secret.reveal()),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
  });

/** `otpauth://totp/…`, as an app reads it from a QR code. */
export const totpUri = (secret: Secret<string>, email: string): string => totpOf(secret, email).toString();

/** The step whose code this is; undefined if it is no current code. */
export function stepOfCode(secret: Secret<string>, code: string, now: Date): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret, '').validate({ token, timestamp: now.getTime(), window: STEPS_AROUND });
  return delta === null ? undefined : Math.floor(now.getTime() / 1_000 / PERIOD_S) + delta;
}
