import type { ModelAnswer, ModelRequest, ModelToRun } from './model-messages.js';
import { loadModel, type RunModel } from './run-model.js';

/*
 * The program of a model's process: what a model computes holds up the thread that it is called on, and that must not be
 * the one that a service answers on.
 */

const model = JSON.parse(process.argv[2] ?? '') as ModelToRun; // written by startModel
let loading: Promise<RunModel> | undefined;

process.on('message', (request: ModelRequest) => {
  void answer(request).then((found) => process.send?.(found));
});
process.on('disconnect', () => process.exit());
// Those go to the whole group where somebody ends a service by its terminal: it still needs what was asked.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

async function answer(request: ModelRequest): Promise<ModelAnswer> {
  const { id } = request;
  let run: RunModel;
  try {
    run = await (loading ??= loadModel(model));
  } catch (error) {
    return { id, notLoaded: messageOf(error), isAway: error instanceof TypeError && error.message === 'fetch failed' };
  }
  try {
    return { id, rows: await run(request) };
  } catch (error) {
    return { id, failed: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
