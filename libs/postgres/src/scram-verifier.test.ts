import { describe, expect, test } from '@jest/globals';
import { scramVerifier } from './scram-verifier.ts';

describe('the verifier of a password', () => {
  test('is the one that the exchange of RFC 7677 was made with', () => {
    const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
    expect(scramVerifier('pencil', salt)).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    );
  });

  test.each(['', 'contraseña', 'a\nb'])('is not made of %j', (password) => {
    expect(() => scramVerifier(password)).toThrow('printable ASCII');
  });
});
