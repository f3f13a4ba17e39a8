import { QuarryError } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { describeDatasetError } from './describe-dataset-error.js';

function createRefusal(...errors: readonly (readonly [path: string, message: string])[]): QuarryError {
  const problems = errors.map(([path, message]) => ({ path, message }));
  return new QuarryError(400, 'validation_failed', 'Invalid.', { errors: problems });
}

describe('describeDatasetError', () => {
  it('describeDatasetError names the line and the field of each problem in the language of the console', () => {
    const error = createRefusal(
      ['dataset.jsonl line 1: question', 'must be a string, found 5'],
      ['dataset.jsonl line 2', 'must be a JSON object, found "What"'],
      ['dataset.csv line 3: relevant.0', 'must have exactly one field with text, found 2'],
      ['dataset', 'must contain a question, found none'],
    );
    expect(describeDatasetError(error, 'en')).toBe(
      'Line 1: “question” must be a string, found 5.\nLine 2 must be a JSON object, found "What".\nLine 3: “relevant.0” must have exactly one field with text, found 2.\nThe text must contain a question, found none.',
    );
    expect(describeDatasetError(error, 'de')).toBe(
      'Zeile 1: „question“ muss ein Text sein, gefunden: 5.\nZeile 2 muss ein JSON-Objekt sein, gefunden: "What".\nZeile 3: „relevant.0“ muss genau ein Feld mit Text haben, gefunden: 2.\nDer Text muss eine Frage enthalten.',
    );
  });

  it('describeDatasetError describes five problems, and states that there are more', () => {
    const lines = Array.from({ length: 7 }, (_, at) => [`dataset.jsonl line ${at + 1}`, 'must be an object'] as const);
    const texts = describeDatasetError(createRefusal(...lines), 'en')?.split('\n') ?? [];
    expect(texts.slice(4)).toEqual(['Line 5 must be an object.', 'There are more problems.']);
    expect(describeDatasetError(createRefusal(...lines.slice(0, 5)), 'en')).not.toContain('more');
  });

  it('describeDatasetError names a field whose name contains spaces', () => {
    const error = createRefusal(['dataset.jsonl line 1: my question', 'is not a field of this request']);
    expect(describeDatasetError(error, 'en')).toBe('Line 1: “my question” is not a field of this request.');
  });

  it('describeDatasetError returns undefined for an error that does not concern the questions', () => {
    expect(describeDatasetError(createRefusal(['settings.topK', 'must be a number']), 'en')).toBeUndefined();
    expect(describeDatasetError(createRefusal(['datasetId', 'must be a UUID']), 'en')).toBeUndefined();
    expect(describeDatasetError(new Error('offline'), 'en')).toBeUndefined();
    expect(describeDatasetError(null, 'en')).toBeUndefined();
  });
});
