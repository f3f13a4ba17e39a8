import { describe, expect, it } from 'vitest';
import { createPrecisionMatcher, createSubjectMatcher, createTitleMatcher } from './section-match.js';

describe('the match of a question with the title of a section', () => {
  it('the title matcher returns 1 for a title with all words of the question and no others', () => {
    expect(createTitleMatcher('How do I upload a file?')('Upload a file')).toBe(1);
  });

  it('the title matcher returns less than 1 for a title that differs from the question, and 0 for a title without words of the question', () => {
    const matchTitle = createTitleMatcher('How do I upload a file?');
    expect(matchTitle('Upload an item listing and a file')).toBeLessThan(1);
    expect(matchTitle('Files')).toBeLessThan(matchTitle('Upload a file'));
    expect(matchTitle('Webhooks')).toBe(0);
    expect(matchTitle('')).toBe(0);
  });

  it.each([
    ['What is a glacier?', 'A glacier', 'Glaciers'],
    ['Was ist ein Gletscher?', 'Gletscher', 'Gletschers'],
  ])(
    'for the question %j, the subject matcher lowers the match of another form of the asked word, but the title matcher does not',
    (question, same, other) => {
      const matchSubject = createSubjectMatcher(question);
      expect(matchSubject(same)).toBeGreaterThan(0.85);
      expect(matchSubject(other)).toBeLessThan(0.75);
      expect(createTitleMatcher(question)(other)).toBeGreaterThan(0.85);
    },
  );

  it('the subject matcher ignores the article `a`, and returns 1 for “run” and “A run” if the question is “What is a run?”', () => {
    const matchSubject = createSubjectMatcher('What is a run?');
    expect(matchSubject('run')).toBe(1);
    expect(matchSubject('A run')).toBe(1);
    expect(matchSubject('dry run')).toBeLessThan(0.9);
    expect(createSubjectMatcher('What is vitamin C?')('vitamin')).toBeLessThan(0.9);
  });
});

describe('createPrecisionMatcher', () => {
  const matchShare = createPrecisionMatcher('What was the total revenue of lamps in the last quarter?');

  it('the precision matcher returns the share of a subject’s words that the question contains', () => {
    expect(matchShare('Total revenue')).toBe(1);
    expect(matchShare('Total revenue of drills')).toBeLessThan(1);
  });

  it('the precision matcher returns 0 if the question contains less than 60 % of a subject’s words', () => {
    expect(matchShare('Other income before taxes')).toBe(0);
    expect(matchShare('')).toBe(0);
  });
});
