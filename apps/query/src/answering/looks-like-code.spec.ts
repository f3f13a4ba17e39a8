import { expect, it } from 'vitest';
import { looksLikeCode } from './looks-like-code.js';

it.each([
  `curl -H "$key" -H "$json" $api/datastores -d '{"name":"Handbook"}' # → {"id":"…"}`,
  'const made = await client.createDatastore({ name: "manuals" });',
  '{"dependencies":{"express":"5.3.0"},"type":"module"}',
])('takes for code: %s', (text) => {
  expect(looksLikeCode(text)).toBe(true);
});

it.each([
  'Holds fragments and can be searched. Its embedding settings are fixed when it is made.',
  'He said: "The warranty (two years) has ended", and left.',
  'Read https://example.com/manuals/pumps/p-100 before you start it.',
  'SKU-12/b | 4.50 € | in stock',
  '`npm start` installs what is missing (about a minute) and runs Quarry.',
  '保証期間は二年間です。',
  '',
])('takes for prose: %s', (text) => {
  expect(looksLikeCode(text)).toBe(false);
});
