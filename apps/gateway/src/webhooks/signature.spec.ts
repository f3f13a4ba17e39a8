import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildSignatureHeaders } from './signature.js';
import { generateWebhookSecret } from './webhook-secret.js';

describe('buildSignatureHeaders', () => {
  it('buildSignatureHeaders returns the signature of the example in the Standard Webhooks specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const headers = buildSignatureHeaders(
      [secret],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      new Date(1_614_265_330_000),
      '{"test": 2432232314}',
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('buildSignatureHeaders signs a request with the key that follows the prefix of a generated secret', () => {
    const secret = generateWebhookSecret();
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update('id.1.body').digest('base64');
    expect(buildSignatureHeaders([secret], 'id', new Date(1_999), 'body')['webhook-signature']).toBe(`v1,${expected}`);
  });
});
