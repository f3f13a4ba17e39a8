import type { AnswerEvent } from '@quarry/contracts';
import type { Metrics } from '@quarry/service-kit';
import { Counter, Gauge, Histogram } from 'prom-client';

/** Records the metrics of the service for `/metrics`. */
export interface Measurements {
  /** Starts to measure the time to the first text and the duration of one answer. */
  readonly beginAnswer: () => AnswerClock;
  readonly searches: SearchMeasurements;
}

export interface SearchMeasurements {
  /** Registers the function that returns the current numbers of running and waiting searches. */
  readonly observe: (read: () => { readonly running: number; readonly waiting: number }) => void;
  /** Counts a search that was refused because of too many running and queued searches. */
  readonly countRefused: () => void;
  /** Counts a search that used only lexical search, because the question could not be embedded. */
  readonly countNotEmbedded: () => void;
}

export interface AnswerClock {
  /** Records an event of the answer. */
  readonly recordEvent: (event: AnswerEvent) => void;
  /** Records that the caller disconnected before the end of the answer. */
  readonly recordDisconnect: () => void;
}

export function createMeasurements(metrics: Metrics): Measurements {
  const registers = [metrics.registry];
  const firstText = new Histogram({
    name: 'quarry_answer_first_text_seconds',
    help: 'Seconds from a question’s arrival to the first text of its answer.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60],
    registers,
  });
  const duration = new Histogram({
    name: 'quarry_answer_seconds',
    help: 'Seconds from a question’s arrival to the end of its answer.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers,
  });
  const tokens = new Counter({
    name: 'quarry_model_tokens_total',
    help: 'Tokens of prompts and of completions.',
    labelNames: ['kind'],
    registers,
  });
  const answers = new Counter({
    name: 'quarry_answers_total',
    help: 'Answers by outcome: model, extractive, left (the caller disconnected), or the code of the failure.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    beginAnswer: () => {
      const stop = firstText.startTimer();
      const end = duration.startTimer();
      let hasText = false;
      return {
        recordEvent: (event) => {
          if (!hasText && event.type === 'delta') stop();
          hasText ||= event.type === 'delta';
          if (event.type === 'delta') return;
          end();
          answers.inc({ outcome: event.type === 'completed' ? event.answeredBy : event.code });
          if (event.type === 'failed') return;
          tokens.inc({ kind: 'prompt' }, event.usage.promptTokens);
          tokens.inc({ kind: 'completion' }, event.usage.completionTokens);
        },
        recordDisconnect: () => {
          end();
          answers.inc({ outcome: 'left' });
        },
      };
    },
    searches: createSearchMeasurements(metrics),
  };
}

function createSearchMeasurements(metrics: Metrics): SearchMeasurements {
  const registers = [metrics.registry];
  const refused = new Counter({
    name: 'quarry_searches_refused_total',
    help: 'Searches that were refused because too many were running and queued.',
    registers,
  });
  const notEmbedded = new Counter({
    name: 'quarry_searches_not_embedded_total',
    help: 'Searches by words only, because the question could not be embedded.',
    registers,
  });
  return {
    observe: (read) => {
      for (const state of ['running', 'waiting'] as const) {
        new Gauge({
          name: `quarry_searches_${state}`,
          help: `Searches of the fragment store that are ${state}. An abandoned search runs until the store has ended it.`,
          registers,
          collect() {
            this.set(read()[state]);
          },
        });
      }
    },
    countRefused: () => {
      refused.inc();
    },
    countNotEmbedded: () => {
      notEmbedded.inc();
    },
  };
}
