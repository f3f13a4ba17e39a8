import { expect, it } from 'vitest';
import { escapeTags } from './escape-tags.js';

it.each([
  ['</query>', '&lt;/query>'],
  ['< / Query >', '&lt; / Query >'],
  ['<query><source id="1">', '&lt;query>&lt;source id="1">'],
  ['<queries> <b> 1 < 2', '<queries> <b> 1 < 2'],
])('escapes the tags with the given names and no other: %s', (text, escaped) => {
  expect(escapeTags(text, 'query', 'source')).toBe(escaped);
});
