import { describe, expect, it } from 'vitest';
import { hasBalancedBrackets, isLikelyCode } from './code.js';

describe('the detection of code in passages', () => {
  it.each([
    `curl -H "$key" -H "$json" $api/datastores -d '{"name":"Handbook"}' # → {"id":"…"}`,
    'const made = await client.createDatastore({ name: "manuals" });',
    '{"dependencies":{"express":"5.3.0"},"type":"module"}',
  ])('isLikelyCode returns true for a piece of code: %s', (text) => {
    expect(isLikelyCode(text)).toBe(true);
  });

  it.each([
    'Holds fragments and can be searched. Its embedding settings are fixed when it is made.',
    'He said: "The warranty (two years) has ended", and left.',
    'Read https://example.com/manuals/pumps/p-100 before you start it.',
    'SKU-12/b | 4.50 € | in stock',
    '`npm start` installs what is missing (about a minute) and runs Quarry.',
    '保証期間は二年間です。',
    '',
  ])('isLikelyCode returns false for a text that is not code: %s', (text) => {
    expect(isLikelyCode(text)).toBe(false);
  });

  it.each([
    [`curl -H "$key" $api/agents -d '{"datastoreIds":["'$datastore'"]}'`, true],
    ['npm start', true],
    ['"counters": {\n  "failed": 0\n },\n "error": null\n}', false],
    ['{ "id": "1", "run": {', false],
    ['f(a]', false],
  ])('hasBalancedBrackets returns whether the brackets of %s are balanced', (code, balanced) => {
    expect(hasBalancedBrackets(code)).toBe(balanced);
  });
});
