import { expect, it } from 'vitest';
import { createTitleMatcher } from './section-match.js';

it('returns 1 for a title with all words of the question and no others', () => {
  expect(createTitleMatcher('How do I upload a file?')('Upload a file')).toBe(1);
});

it('returns less for a title with further words or without some of them, and 0 without any', () => {
  const matchTitle = createTitleMatcher('How do I upload a file?');
  expect(matchTitle('Upload an item listing and a file')).toBeLessThan(1);
  expect(matchTitle('Files')).toBeLessThan(matchTitle('Upload a file'));
  expect(matchTitle('Webhooks')).toBe(0);
  expect(matchTitle('')).toBe(0);
});
