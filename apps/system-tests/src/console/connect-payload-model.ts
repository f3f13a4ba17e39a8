import { onTestFinished } from 'vitest';
import { startFakeModel } from '../quarry/fake-model.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { PAYLOADS } from './script-payloads.js';

/** Connects a simulated model until the end of the test. Its answers contain all texts of `PAYLOADS`. */
export async function connectPayloadModel({ operator }: ConsoleUnderTest): Promise<void> {
  const model = await startFakeModel(` ${PAYLOADS.join('\n\n')}`);
  await operator.setModelConnection('custom', { baseUrl: model.url, model: 'fake' });
  onTestFinished(async () => {
    await operator.deleteModelConnection('custom');
    await model.stop();
  });
}
