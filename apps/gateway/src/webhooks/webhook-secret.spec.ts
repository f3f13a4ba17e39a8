import { describe, expect, it } from 'vitest';
import { generateWebhookSecret } from './webhook-secret.js';

describe('generateWebhookSecret', () => {
  it('generateWebhookSecret generates a new secret of 256 random bits in base64 on each call', () => {
    const secret = generateWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(generateWebhookSecret()).not.toBe(secret);
  });
});
