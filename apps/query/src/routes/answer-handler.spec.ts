import type { AnswerEvent } from '@quarry/contracts';
import type { FragmentStore } from '@quarry/fragment-store';
import { afterEach, describe, expect, it } from 'vitest';
import { ModelFailed, type ChatCall } from '../models/chat-model.js';
import { ModelNotConfigured } from '../models/choose-model.js';
import { startQuery, type RunningQuery } from '../server.js';
import { EMBEDDING } from '../testing/knowledge.js';
import {
  METRICS_TOKEN,
  createModelSource,
  createQueryContext,
  TOKEN,
  type ContextParts,
} from '../testing/query-context.js';
import { createScriptedModel, SILENCE } from '../testing/scripted-model.js';

const DOCUMENTS = [
  { fragments: ['The warranty lasts two years. It covers water.'], context: 'Terms', datasourceId: 's1' },
  {
    fragments: [
      'The office is in Lisbon, by the river, and opens at nine. A warranty card for each guest lies on the desk.',
    ],
    datasourceId: 's2',
  },
];
const QUESTION = {
  query: 'How long does the warranty last?',
  history: [],
  generation: {},
  restrictToKnowledge: false,
  organizationId: 'o1',
  datastores: [{ id: 'd1' }],
};

let running: RunningQuery | undefined;
afterEach(async () => {
  await running?.close(0);
  running = undefined;
});

async function requestAnswer(parts: ContextParts, more: object = {}, signal?: AbortSignal): Promise<Response> {
  running = await startQuery(await createQueryContext({ documents: DOCUMENTS, ...parts }), {
    host: '127.0.0.1',
    port: 0,
  });
  return fetch(`${running.url}/internal/answer`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...QUESTION, ...more }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function readEvents(response: Response): Promise<AnswerEvent[]> {
  const lines = (await response.text()).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as AnswerEvent);
}

function joinText(events: readonly AnswerEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
}

describe('POST /internal/answer with a model', () => {
  it('POST /internal/answer streams the answer without its citation marks, then the complete answer with its sources', async () => {
    const usage = { promptTokens: 9, completionTokens: 4 };
    const model = createScriptedModel(['Two ', 'years [', '1]', '. 🙂', { usage }]);
    const response = await requestAnswer({ model });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const events = await readEvents(response);
    expect(joinText(events)).toBe('Two years. 🙂');
    expect(events.filter(({ type }) => type === 'delta').length).toBeGreaterThan(2);
    expect(events.at(-1)).toMatchObject({
      type: 'completed',
      answer: 'Two years. 🙂',
      answeredBy: 'model',
      sources: [
        { datasourceId: 's1', cited: true, text: DOCUMENTS[0]?.fragments[0] },
        { datasourceId: 's2', cited: false },
      ],
      usage,
    });
  });

  it('if the request sets `citationMarks`, POST /internal/answer keeps the marks, numbered in the order of the sources', async () => {
    const model = createScriptedModel(['Two years [', '1]', '.']);
    const events = await readEvents(await requestAnswer({ model }, { citationMarks: true }));
    expect(joinText(events)).toBe('Two years [1].');
    expect(events.at(-1)).toMatchObject({ answer: 'Two years [1].', sources: [{ cited: true }, { cited: false }] });
  });

  it('POST /internal/answer keeps text that only resembles the start of a citation mark', async () => {
    expect(joinText(await readEvents(await requestAnswer({ model: createScriptedModel(['Two years [', '1']) })))).toBe(
      'Two years [1',
    );
  });

  it('POST /internal/answer sends knowledge, history, question and settings to the model', async () => {
    const model = createScriptedModel(['yes']);
    const history = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: 'Hello!' },
    ];
    const generation = { temperature: 0.2, maxTokens: 50, modelName: 'gpt_4o' };
    await readEvents(await requestAnswer({ model }, { history, generation, systemPrompt: 'You are a pirate.' }));
    const [call] = model.calls;
    expect(call).toMatchObject({ system: 'You are a pirate.', settings: { temperature: 0.2, maxTokens: 50 } });
    expect(call?.settings).not.toHaveProperty('modelName');
    expect(call?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(call?.messages.at(-1)?.text).toMatch(/two years[^]*How long does the warranty last\?$/);
  });

  it('POST /internal/answer searches for the rewritten question, and sends the original question to the model', async () => {
    const history = [
      { role: 'user', text: 'Does the warranty cover water?' },
      { role: 'assistant', text: 'Yes.' },
    ];
    const usage = { promptTokens: 10, completionTokens: 5 };
    const model = createScriptedModel(['Where is the office?', { usage }], ['In Lisbon.', { usage }]);
    const events = await readEvents(
      await requestAnswer({ model, rewriteMs: 5_000 }, { query: 'And that one?', history }),
    );
    expect(events.at(-1)).toMatchObject({
      sources: [{ datasourceId: 's2' }],
      usage: { promptTokens: 20, completionTokens: 10 },
    });
    expect(model.calls[1]?.messages.at(-1)?.text).toMatch(/Lisbon[^]*And that one\?$/);
  });

  it('POST /internal/answer searches for the original question if the rewriting reaches its token limit, and counts the tokens of the rewriting', async () => {
    const history = [{ role: 'user', text: 'Hello' }];
    const usage = { promptTokens: 10, completionTokens: 5 };
    const rewriting = ['Where is the office', { note: 'answer_truncated' }, { usage }] as const;
    const model = createScriptedModel(rewriting, ['Two years.', { usage }]);
    const events = await readEvents(await requestAnswer({ model, rewriteMs: 5_000 }, { history }));
    expect(events.at(-1)).toMatchObject({
      ...{ answer: 'Two years.', sources: [{ datasourceId: 's1' }, {}], notes: [] },
      usage: { promptTokens: 20, completionTokens: 10 },
    });
  });

  it('POST /internal/answer searches for the original question if rewriting times out', async () => {
    const history = [{ role: 'user', text: 'Hello' }];
    const model = createScriptedModel([SILENCE], ['Two years.']);
    const events = await readEvents(await requestAnswer({ model, rewriteMs: 20 }, { history }));
    expect(events.at(-1)).toMatchObject({ answer: 'Two years.', sources: [{ datasourceId: 's1' }, {}] });
  });

  it('POST /internal/answer estimates the usage if the provider does not report it', async () => {
    const [end] = (await readEvents(await requestAnswer({ model: createScriptedModel(['Two years.']) }))).slice(-1);
    if (end?.type !== 'completed') throw new Error(`expected the event completed, found ${String(end?.type)}`);
    expect(end.usage.promptTokens).toBeGreaterThan(50);
    expect(end.usage.completionTokens).toBe(3);
  });

  it('POST /internal/answer sends any Unicode text unchanged, except unpaired surrogates', async () => {
    const model = createScriptedModel([
      'line\nbreak\r\n \u2028 \u0000 ',
      '\ud83d',
      '\ude42 ',
      'half \ud83d ',
      '"quoted"',
    ]);
    const events = await readEvents(await requestAnswer({ model }, { query: 'warranty \ud800' }));
    expect(joinText(events)).toBe('line\nbreak\r\n \u2028 \u0000 🙂 half \ufffd "quoted"');
    expect(events.at(-1)).toMatchObject({ type: 'completed', answer: joinText(events) });
  });

  it.each(['Hi', 'Thanks', 'Who are you?', 'zebra'])(
    'if the search for %j finds nothing, POST /internal/answer still calls a model that is restricted to the knowledge',
    async (query) => {
      const model = createScriptedModel(['Hello!']);
      const events = await readEvents(await requestAnswer({ model }, { query, restrictToKnowledge: true }));
      expect(events.at(-1)).toMatchObject({ answer: 'Hello!', answeredBy: 'model', sources: [] });
      const prompt = model.calls[0]?.messages.at(-1)?.text;
      expect(prompt).toMatch(/Nothing was found[^]*nothing from memory[^]*Greetings, thanks[^]*need no source/);
      expect(prompt?.endsWith(query)).toBe(true);
    },
  );

  it('POST /internal/answer does not forbid answers from memory if the request does not restrict the model to the knowledge', async () => {
    const model = createScriptedModel(['A horse.']);
    expect(joinText(await readEvents(await requestAnswer({ model }, { query: 'zebra' })))).toBe('A horse.');
    expect(model.calls[0]?.messages.at(-1)?.text).not.toContain('nothing from memory');
  });

  it('POST /internal/answer lists a truncated answer and an unsupported setting in `notes`', async () => {
    const model = createScriptedModel(['Two ', { note: 'answer_truncated' }, { note: 'top_p_not_supported' }]);
    const events = await readEvents(await requestAnswer({ model }));
    expect(events.at(-1)).toMatchObject({ answer: 'Two ', notes: ['answer_truncated', 'top_p_not_supported'] });
  });

  it('the event `failed` of POST /internal/answer contains the retry delay after a rate limit, and the value of a refused setting', async () => {
    const limited = new ModelFailed('model_rate_limited', 'slow down', { afterMs: 6_200 });
    const [failed] = await readEvents(await requestAnswer({ model: createScriptedModel([limited]) }));
    expect(failed).toMatchObject({ code: 'model_rate_limited', retryAfterSeconds: 7 });
    await running?.close(0);
    const refused = new ModelFailed('model_parameter_refused', 'too large', { refused: { maxTokens: 9 } });
    const [other] = await readEvents(await requestAnswer({ model: createScriptedModel([refused]) }));
    expect(other).toMatchObject({ message: expect.stringMatching(/refuses maxTokens = 9\./) as string });
  });

  it('POST /internal/answer includes the HTTP status of a provider error in the event `failed`', async () => {
    const fault = new ModelFailed('model_unavailable', 'oops', { status: 500 });
    const [failed] = await readEvents(await requestAnswer({ model: createScriptedModel([fault]) }));
    expect(failed).toMatchObject({ message: expect.stringContaining('HTTP 500') as string });
  });

  it.each([
    ['model_rate_limited', /limit/],
    ['model_unavailable', /cannot be reached/],
    ['model_timeout', /did not answer in time/],
    ['model_invalid_response', /cannot be parsed/],
    ['model_interrupted', /interrupted/],
    ['model_refused', /refused/],
    ['context_too_long', /longer/],
  ] as const)(
    'POST /internal/answer sends the event `failed` without the provider’s message if the model fails with %s',
    async (code, message) => {
      const model = createScriptedModel(['Two ', new ModelFailed(code, 'secret words')]);
      const events = await readEvents(await requestAnswer({ model }));
      expect(joinText(events)).toBe('Two');
      expect(events.at(-1)).toMatchObject({ type: 'failed', code, message: expect.stringMatching(message) as string });
      expect(JSON.stringify(events)).not.toContain('secret');
    },
  );

  it('POST /internal/answer sends the event `failed` without the error message after an unexpected error', async () => {
    const events = await readEvents(
      await requestAnswer({ model: createScriptedModel(['Two', new Error('secret words')]) }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'failed', code: 'internal_error' });
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('POST /internal/answer sends the event `failed` if the fragment store is unavailable', async () => {
    const { fragmentStore } = await createQueryContext();
    const unavailable = { ...fragmentStore, searchLexical: () => Promise.reject(new Error('refused')) };
    const events = await readEvents(
      await requestAnswer({ model: createScriptedModel(['x']), fragmentStore: unavailable }),
    );
    expect(events).toEqual([expect.objectContaining({ type: 'failed', code: 'dependency_unavailable' })]);
  });

  it('POST /internal/answer aborts the model call when the caller disconnects', async () => {
    const aborted = Promise.withResolvers<unknown>();
    const silent = createScriptedModel(['Two ', SILENCE]);
    const model = {
      ...silent,
      generate: (call: ChatCall) => {
        call.signal.addEventListener('abort', () => {
          aborted.resolve(call.signal.reason);
        });
        return silent.generate(call);
      },
    };
    const caller = new AbortController();
    const response = await requestAnswer({ model }, {}, caller.signal);
    const reader = response.body?.getReader();
    await reader?.read();
    caller.abort();
    await reader?.cancel().catch(() => undefined);
    expect(await aborted.promise).toMatchObject({ name: 'CallerDisconnected' });
  });

  it('before the query service stops, POST /internal/answer ends running answers with the event `failed`', async () => {
    const response = await requestAnswer({ model: createScriptedModel(['Two ', SILENCE]) });
    const closing = running?.close(200);
    expect((await readEvents(response)).at(-1)).toMatchObject({ type: 'failed', code: 'service_stopping' });
    await closing;
  });
});

describe('POST /internal/answer before the first byte', () => {
  it('POST /internal/answer rejects a request for a model that is not configured', async () => {
    const models = createModelSource(() => {
      throw new ModelNotConfigured('gpt_4o');
    });
    const response = await requestAnswer({ models }, { generation: { modelName: 'gpt_4o' } });
    expect(response.status).toBe(424);
    expect(await response.json()).toMatchObject({
      code: 'model_not_configured',
      detail: expect.stringContaining('set OPENAI_API_KEY or OPENROUTER_API_KEY') as string,
    });
  });

  it.each([
    [{ query: '' }, 'query'],
    [{ history: [{ role: 'system', text: 'x' }] }, 'history.0.role'],
    [{ generation: { temperature: 3 } }, 'generation.temperature'],
    [{ generation: { modelName: 'gpt_9' } }, 'generation.modelName'],
    [{ generation: undefined }, 'generation'],
  ])('POST /internal/answer rejects a request with %j and names the invalid field', async (wrong, path) => {
    const response = await requestAnswer({}, wrong);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ path }] });
  });

  it('POST /internal/answer sends the response headers before the search', async () => {
    const { fragmentStore } = await createQueryContext();
    const searched = Promise.withResolvers<[]>();
    const slow: FragmentStore = { ...fragmentStore, searchLexical: () => searched.promise };
    const response = await requestAnswer({ fragmentStore: slow, model: createScriptedModel(['yes']) });
    expect(response.status).toBe(200);
    searched.resolve([]);
    expect(joinText(await readEvents(response))).toBe('yes');
  });
});

describe('POST /internal/answer without any model provider', () => {
  it('without a model, POST /internal/answer adds citation marks to the answer if the request sets `citationMarks`', async () => {
    const marked = await readEvents(await requestAnswer({}, { citationMarks: true }));
    const plain = await readEvents(await requestAnswer({}));
    expect(joinText(marked)).toBe(`${joinText(plain)} [1]`);
    expect(marked.at(-1)).toMatchObject({ answeredBy: 'extractive', answer: joinText(marked) });
  });

  it('without a model, POST /internal/answer streams sentences of the sources, and marks the answer as extractive', async () => {
    const events = await readEvents(await requestAnswer({}, { generation: { modelName: 'gpt_4o' } }));
    expect(joinText(events)).toMatch(/^The warranty lasts two years\./);
    expect(events.length).toBeGreaterThan(4);
    expect(events.at(-1)).toMatchObject({
      type: 'completed',
      answer: joinText(events),
      answeredBy: 'extractive',
      sources: [
        { datasourceId: 's1', cited: true },
        { datasourceId: 's2', cited: expect.any(Boolean) as boolean },
      ],
      usage: { promptTokens: 0, completionTokens: 0 },
      notes: ['model_not_configured'],
    });
  });

  it('without a model, POST /internal/answer answers that nothing was found if the search finds nothing', async () => {
    const events = await readEvents(await requestAnswer({}, { query: 'zebra' }));
    expect(joinText(events)).toMatch(/found nothing about this/);
    expect(events.at(-1)).toMatchObject({ answeredBy: 'extractive', sources: [], notes: [] });
  });

  it('without a model, POST /internal/answer searches for a question together with the previous question of the conversation', async () => {
    const query = 'How long?';
    expect(joinText(await readEvents(await requestAnswer({}, { query })))).toMatch(/found nothing/);
    await running?.close(0);
    const history = [{ role: 'user', text: 'Does the warranty cover water?' }];
    expect(joinText(await readEvents(await requestAnswer({}, { query, history })))).toContain('two years');
  });

  it('POST /internal/answer completes the answer without sources if a datastore with an embedding contains no fragments', async () => {
    const datastores = [{ id: 'd1', embedding: EMBEDDING }];
    const events = await readEvents(await requestAnswer({}, { datastores }));
    expect(events.at(-1)).toMatchObject({ type: 'completed', sources: [] });
  });
});

describe('GET /metrics', () => {
  it('GET /metrics counts answers by outcome', async () => {
    await readEvents(await requestAnswer({ model: createScriptedModel(['yes']) }));
    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${running?.url ?? ''}/metrics`, { headers })).text();
    expect(text).toContain('quarry_answers_total{outcome="model",service="query"} 1');
    expect(text).toContain('quarry_answer_first_text_seconds_count{service="query"} 1');
    expect(text).toContain('quarry_answer_seconds_count{service="query"} 1');
    expect(text).toMatch(/quarry_model_tokens_total\{kind="prompt",service="query"\} [1-9]/);
  });
});
