import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretCipher, decryptHeaders, DecryptionFailed, encryptHeaders } from './index.js';

const secretCipher = createSecretCipher([randomBytes(32)]);
const owner = { organizationId: 'organization', datasourceId: 'datasource' };

describe('encrypted headers', () => {
  it('come back as they were, without showing on the way', () => {
    const encrypted = encryptHeaders(secretCipher, owner, { 'X-API-Key': 'a secret' });
    expect(encrypted).not.toMatch(/secret|API/);
    expect(decryptHeaders(secretCipher, owner, encrypted)).toEqual({ 'X-API-Key': 'a secret' });
  });

  it('can be decrypted for no other datasource and no other organization', () => {
    const encrypted = encryptHeaders(secretCipher, owner, { 'X-API-Key': 'a secret' });
    expect(() => decryptHeaders(secretCipher, { ...owner, datasourceId: 'another' }, encrypted)).toThrow(
      DecryptionFailed,
    );
    expect(() => decryptHeaders(secretCipher, { ...owner, organizationId: 'another' }, encrypted)).toThrow(
      DecryptionFailed,
    );
  });

  it('are texts by name, and nothing else', () => {
    const encrypted = secretCipher.encrypt('{"X-API-Key":7}', 'headers/organization/datasource');
    expect(() => decryptHeaders(secretCipher, owner, encrypted)).toThrow(/holds no headers/);
  });
});
