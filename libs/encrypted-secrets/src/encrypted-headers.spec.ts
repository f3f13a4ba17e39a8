import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretCipher, decryptHeaders, DecryptionFailed, encryptHeaders } from './index.js';

const secretCipher = createSecretCipher([randomBytes(32)]);
const owner = { organizationId: 'organization', datasourceId: 'datasource' };

describe('encrypted headers', () => {
  it('decryptHeaders returns the headers that encryptHeaders encrypted, and the encrypted text does not contain the headers', () => {
    const encrypted = encryptHeaders(secretCipher, owner, { 'X-API-Key': 'a secret' });
    expect(encrypted).not.toMatch(/secret|API/);
    expect(decryptHeaders(secretCipher, owner, encrypted)).toEqual({ 'X-API-Key': 'a secret' });
  });

  it('decryptHeaders throws if the headers were encrypted for another datasource or another organization', () => {
    const encrypted = encryptHeaders(secretCipher, owner, { 'X-API-Key': 'a secret' });
    expect(() => decryptHeaders(secretCipher, { ...owner, datasourceId: 'another' }, encrypted)).toThrow(
      DecryptionFailed,
    );
    expect(() => decryptHeaders(secretCipher, { ...owner, organizationId: 'another' }, encrypted)).toThrow(
      DecryptionFailed,
    );
  });

  it('decryptHeaders rejects headers whose values are not texts', () => {
    const encrypted = secretCipher.encrypt('{"X-API-Key":7}', 'headers/organization/datasource');
    expect(() => decryptHeaders(secretCipher, owner, encrypted)).toThrow(/contains no headers/);
  });
});
