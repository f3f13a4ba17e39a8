import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealing, openHeaders, SealBroken, sealHeaders } from './index.js';

const sealing = createSealing([randomBytes(32)]);
const owner = { organizationId: 'organization', datasourceId: 'datasource' };

describe('sealed headers', () => {
  it('come back as they were, without showing on the way', () => {
    const sealed = sealHeaders(sealing, owner, { 'X-API-Key': 'a secret' });
    expect(sealed).not.toMatch(/secret|API/);
    expect(openHeaders(sealing, owner, sealed)).toEqual({ 'X-API-Key': 'a secret' });
  });

  it('open for no other datasource and no other organization', () => {
    const sealed = sealHeaders(sealing, owner, { 'X-API-Key': 'a secret' });
    expect(() => openHeaders(sealing, { ...owner, datasourceId: 'another' }, sealed)).toThrow(SealBroken);
    expect(() => openHeaders(sealing, { ...owner, organizationId: 'another' }, sealed)).toThrow(SealBroken);
  });

  it('are texts by name, and nothing else', () => {
    const sealed = sealing.seal('{"X-API-Key":7}', 'headers/organization/datasource');
    expect(() => openHeaders(sealing, owner, sealed)).toThrow(/holds no headers/);
  });
});
