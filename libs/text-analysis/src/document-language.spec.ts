import { describe, expect, it } from 'vitest';
import { detectDocumentLanguage } from './index.js';
import { TEXTS_IN_LANGUAGES } from './testing/index.js';

const KNOWN = ['ar', 'bg', 'de', 'el', 'en', 'es', 'fr', 'hu', 'nl', 'pt', 'ro', 'vi', 'ko', 'th', 'ja'];

describe('detectDocumentLanguage', () => {
  it.each(TEXTS_IN_LANGUAGES.filter(({ language }) => KNOWN.includes(language)))(
    'detectDocumentLanguage detects the language of prose ($language)',
    ({ language, text }) => {
      expect(detectDocumentLanguage([text])).toBe(language);
    },
  );

  it.each(['pl', 'cs', 'zu', 'eu', 'am', 'he', 'kk', 'mn'])(
    'detectDocumentLanguage returns undefined for a language without stop words (%s)',
    (code) => {
      const { text } = TEXTS_IN_LANGUAGES.find(({ language }) => language === code) ?? { text: 'the'.repeat(9) };
      expect(detectDocumentLanguage([text])).toBeUndefined();
    },
  );

  it('detectDocumentLanguage detects the language of a document whose first parts contain no sentence', () => {
    expect(detectDocumentLanguage(['Index', 'A', 'The batteries of the cameras were not charging.'])).toBe('en');
  });

  it('detectDocumentLanguage returns the main language of a document that also contains words in another script', () => {
    expect(detectDocumentLanguage(['The sign says 東京都 and the map of the city is on the other side of it.'])).toBe(
      'en',
    );
    expect(detectDocumentLanguage(['东京都的首都是东京，人口很多，The city is big。中国的首都是北京。'])).toBe('zh');
  });

  it.each(['', 'The Who', 'White cabinet 3-door, oak, 40 cm', 'Smith 12, Jones 14, Miller 9, Young 3, Old 5, New 6'])(
    'detectDocumentLanguage returns undefined if the language of %j is unclear',
    (text) => {
      expect(detectDocumentLanguage([text])).toBeUndefined();
    },
  );
});
