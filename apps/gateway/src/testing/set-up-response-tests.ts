import type { AnswerEvent, AnswerRequest } from '@quarry/contracts';
import type { Test } from 'supertest';
import { beforeEach, expect } from 'vitest';
import { buildCompletedEvent, streamEvents } from './fake-query-service.js';
import { uploadText } from './create-resources.js';
import type { Api } from './start-test-gateway.js';
import { type UsedTenant, setUpTenant } from './set-up-tenant.js';

/** The fields of a response of `POST /v1/responses` that tests read. */
export interface ResponseBody {
  readonly id: string;
  readonly status: string;
  readonly conversation: { readonly id: string } | null;
  readonly output: readonly {
    readonly content?: readonly { readonly text: string; readonly annotations: unknown }[];
  }[];
}

interface StreamEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

type CompletedEvent = Extract<AnswerEvent, { readonly type: 'completed' }>;

interface ResponseTests {
  readonly used: UsedTenant;
  readonly postResponse: (body: object, api?: Api) => Test;
  /** Asks a question with `POST /v1/responses`, and returns the response. */
  readonly createResponse: (body: object) => Promise<ResponseBody>;
  /** Sets the answer to the next questions. */
  readonly setNextAnswer: (text: string, more?: Partial<CompletedEvent>) => void;
  readonly getLastQuestion: () => AnswerRequest | undefined;
  /** Uploads a file. Returns its id, and the sources of an answer that cites this file and a web page. */
  readonly createSources: () => Promise<{ readonly file: string; readonly sources: CompletedEvent['sources'] }>;
}

/**
 * Starts a gateway with the model `gpt_4o`, and returns functions that send questions with `POST /v1/responses`. Call
 * this function once at the top of a test file.
 */
export function setUpResponseTests(): ResponseTests {
  const used = setUpTenant();
  beforeEach(() => {
    const provider = { provider: 'openai', source: 'environment', model: null } as const;
    used.test.query.environmentProviders = [{ ...provider, baseUrl: 'https://openai.example/v1' }];
    used.test.query.models = ['gpt_4o'];
  });
  const postResponse: ResponseTests['postResponse'] = (body, api = used.tenant.api) =>
    api.post('/v1/responses').send({ model: `agent:${used.agent}`, input: 'Why?', ...body });
  return {
    used,
    postResponse,
    createResponse: async (body) => {
      const response = await postResponse(body);
      expect([response.status, response.text]).toMatchObject([200, expect.any(String)]);
      return response.body as ResponseBody; // the tests compare the fields
    },
    setNextAnswer: (text, more = {}) => {
      const deltas = text === '' ? [] : [{ type: 'delta', text } as const];
      used.test.query.answer = () => streamEvents([...deltas, buildCompletedEvent(text, more)]);
    },
    getLastQuestion: () => used.test.query.questions.at(-1),
    createSources: async () => {
      const file = await uploadText(used.tenant.api, used.datastore, 'x', 'a.txt');
      return { file, sources: buildSources(file) };
    },
  };
}

/** Builds the sources of an answer that cites a file and a web page. */
export function buildSources(datasourceId: string): CompletedEvent['sources'] {
  const fragment = { datasourceId, documentKey: 'd', customId: null, page: null, rectangles: [], score: 0.5 };
  return [
    { ...fragment, fragmentId: 'f1', source: null, text: 'one', cited: true },
    { ...fragment, fragmentId: 'f2', source: 'https://example.com/b', text: 'two', cited: true },
  ];
}

/** Parses the text of a streamed response, and returns its events. */
export function readResponseEvents(text: string): readonly StreamEvent[] {
  const frames = text.split('\n\n').filter((frame) => frame !== '');
  return frames.map((frame) => {
    const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
    const parsed = JSON.parse(data) as StreamEvent; // the tests compare the fields
    expect(parsed.type).toBe(event);
    return parsed;
  });
}
