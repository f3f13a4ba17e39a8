import { SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCurrentTrace, getTraceHeaders } from './spans.js';
import { startTracing } from './start-tracing.js';
import { traceCalls } from './trace-calls.js';

class Store {
  readonly name = 'store';
  readonly #values = new Map<string, number>();

  async put(key: string, value: number): Promise<number> {
    if (value < 0) throw new RangeError(`expected a number that is not negative, found ${value}`);
    this.#values.set(key, value);
    return this.#values.size;
  }

  get(key: string): number {
    const value = this.#values.get(key);
    if (value === undefined) throw new Error(`there is no ${key}`);
    return value;
  }
}

describe('a port whose calls are traced', () => {
  it('a traced call returns the result of the wrapped method', async () => {
    const store = traceCalls('store', new Store());
    expect(await store.put('a', 1)).toBe(1);
    expect(store.get('a')).toBe(1);
    expect(store.name).toBe('store');
  });

  it('a traced call throws the error of the wrapped method', async () => {
    const store = traceCalls('store', new Store());
    await expect(store.put('a', -1)).rejects.toThrow(RangeError);
    expect(() => store.get('a')).toThrow('there is no a');
  });
});

describe('the spans of a port', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  beforeAll(() => trace.setGlobalTracerProvider(provider));
  afterAll(async () => {
    trace.disable();
    await provider.shutdown();
  });

  it('a span has the status ERROR if its call throws, unless `isAnswer` accepts the error as an expected result', async () => {
    const isAnswer = (error: unknown): boolean => error instanceof RangeError;
    const store = traceCalls('store', new Store(), { isAnswer });
    await store.put('a', 1);
    await expect(store.put('a', -1)).rejects.toThrow(RangeError);
    expect(() => store.get('b')).toThrow('there is no b');
    expect(exporter.getFinishedSpans().map(({ name, status }) => [name, status.code])).toEqual([
      ['store.put', SpanStatusCode.UNSET],
      ['store.put', SpanStatusCode.UNSET],
      ['store.get', SpanStatusCode.ERROR],
    ]);
  });
});

describe('a process without a collector', () => {
  it('without a trace collector, a process has no current trace and sends no trace headers', async () => {
    const tracing = await startTracing('test', undefined);
    expect(getCurrentTrace()).toBeUndefined();
    expect(getTraceHeaders()).toEqual({});
    await tracing.close();
  });
});
