import { describe, expect, it } from 'vitest';
import { Problem } from '@quarry/service-kit';
import { parseDatasetQuestions } from './parse-dataset-questions.js';

const LIMITS = { evaluationQuestions: 3, queryCharacters: 100 };
const QUESTION = {
  id: 'q1',
  question: 'When?',
  expected: ['at 9'],
  relevant: [{ document: 'a.txt' }],
  unanswerable: false,
};

function listFieldErrors(dataset: object): readonly unknown[] {
  try {
    parseDatasetQuestions(dataset, LIMITS);
  } catch (error) {
    if (error instanceof Problem) return error.errors ?? [];
    throw error;
  }
  return [];
}

describe('the questions of a dataset', () => {
  it('a dataset is parsed to the same questions from a list, from JSONL and from CSV', () => {
    const expected = [QUESTION, { id: '2', question: 'Who, "me"?', expected: [], relevant: [], unanswerable: true }];
    const list = [QUESTION, { question: 'Who, "me"?', unanswerable: true }];
    expect(parseDatasetQuestions({ questions: list }, LIMITS)).toEqual(expected);
    const jsonl = `\uFEFF${list.map((question) => JSON.stringify(question)).join('\r\n\n')}\n`;
    expect(parseDatasetQuestions({ jsonl }, LIMITS)).toEqual(expected);
    const csv = '\uFEFFid,question,expected,document,unanswerable\nq1,When?,at 9,a.txt,\n,"Who, ""me""?",,,TRUE\n';
    expect(parseDatasetQuestions({ csv }, LIMITS)).toEqual(expected);
  });

  it('a CSV cell can contain several values, and a quoted cell can contain line breaks', () => {
    const csv =
      'question,expected,text,source\n"Where\nis it?",here | there,some text,https://a.example|https://b.example';
    expect(parseDatasetQuestions({ csv }, LIMITS)).toMatchObject([
      {
        question: 'Where\nis it?',
        expected: ['here', 'there'],
        relevant: [{ source: 'https://a.example' }, { source: 'https://b.example' }, { text: 'some text' }],
      },
    ]);
  });

  it('the fields of a reference without text are omitted', () => {
    const relevant = [{ document: ' ', source: 'https://a.example/x' }];
    const [question] = parseDatasetQuestions({ questions: [{ question: 'When?', relevant }] }, LIMITS);
    expect(question?.relevant).toEqual([{ source: 'https://a.example/x' }]);
  });

  it.each([
    [{}, 'dataset', 'exactly one of questions, jsonl, csv and feedback, found 0'],
    [{ jsonl: '{}', csv: 'question' }, 'dataset', 'found 2'],
    [{ jsonl: '\n \n' }, 'dataset', 'must contain a question, found none'],
    [{ csv: 'question\na\nb\nc\nd' }, 'dataset', 'at most 3 questions, found 4'],
    [{ jsonl: '{"question":"a"}\n{"question":' }, 'dataset.jsonl line 2', 'must be a JSON object'],
    [{ jsonl: '\n{"question":"a","topK":3}' }, 'dataset.jsonl line 2: topK', 'is not a field'],
    [{ jsonl: '{"question":7}' }, 'dataset.jsonl line 1: question', 'must be a string'],
    [{ jsonl: '[1]' }, 'dataset.jsonl line 1', 'must be an object'],
    [{ questions: [{ question: ' ' }] }, 'dataset.questions.0.question', 'must contain text'],
    [
      { questions: [{ question: 'a'.repeat(101) }] },
      'dataset.questions.0.question',
      'at most 100 characters, found 101',
    ],
    [{ questions: [{ question: 'a', relevant: [{}] }] }, 'dataset.questions.0.relevant.0', 'exactly one field'],
    [
      { questions: [{ question: 'a', relevant: [{ text: 'a', source: 'b' }] }] },
      'dataset.questions.0.relevant.0',
      'found 2',
    ],
    [
      { questions: [{ question: 'a', expected: ['x'], unanswerable: true }] },
      'dataset.questions.0.unanswerable',
      'false',
    ],
    [{ questions: [QUESTION, QUESTION] }, 'dataset.questions.1.id', 'must be unique, found "q1" again'],
    [{ csv: 'question\nid\n"unclosed' }, 'dataset.csv', 'must be CSV'],
    [{ csv: 'Question,answer\na,b' }, 'dataset.csv', 'must begin with a header'],
    [{ csv: 'question,unanswerable\na,maybe' }, 'dataset.csv line 2: unanswerable', 'must be true or false'],
  ])('the dataset %j is refused with an error of the field %s: %s', (dataset, path, message) => {
    expect(listFieldErrors(dataset)).toMatchObject([{ path, message: expect.stringContaining(message) as unknown }]);
  });

  it('the length of a question is counted in characters, not in UTF-16 units', () => {
    expect(listFieldErrors({ questions: [{ question: '😀'.repeat(100), unanswerable: true }] })).toEqual([]);
  });

  it('parsed questions contain no characters that PostgreSQL cannot store', () => {
    const [question] = parseDatasetQuestions(
      { jsonl: String.raw`{"question":"a\u0000","expected":["b\u0000"]}` },
      LIMITS,
    );
    expect(JSON.stringify(question)).not.toContain(String.raw`\u0000`);
  });

  it('the error for an invalid dataset lists at most 20 invalid lines', () => {
    const lines = Array.from({ length: 30 }, () => '{}').join('\n');
    expect(listFieldErrors({ jsonl: lines })).toHaveLength(20);
  });
});
