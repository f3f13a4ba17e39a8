import { onTestFinished } from 'vitest';
import { startPausableModel, type PausableModel } from '../quarry/pausable-model.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** Connects a simulated model until the end of the test. The test can pause the model in the middle of an answer. */
export async function connectPausableModel({ operator }: ConsoleUnderTest): Promise<PausableModel> {
  const model = await startPausableModel();
  onTestFinished(async () => model.close());
  await operator.setModelConnection('custom', { baseUrl: model.url, model: 'held' });
  onTestFinished(async () => operator.deleteModelConnection('custom'));
  return model;
}
