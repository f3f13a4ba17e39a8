import { isHubUnavailable } from './fetch-from-hub.js';
import type { ModelResponse, ModelRequest, ModelSpec } from './model-messages.js';
import { loadModel, type RunModel } from './run-model.js';

// This module runs in the child process of a model, because a running model blocks its thread. The main thread of a
// service must not be blocked.

const model = JSON.parse(process.argv[2] ?? '') as ModelSpec; // written by startModelProcess
let loading: Promise<RunModel> | undefined;

process.on('message', (request: ModelRequest) => {
  void runModelRequest(request).then((response) => process.send?.(response));
});
process.on('disconnect', () => process.exit());
// A terminal sends these signals to the whole process group. The process ignores them, because the service still needs
// the results of pending requests. The process exits when the service disconnects.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

async function runModelRequest(request: ModelRequest): Promise<ModelResponse> {
  const { id } = request;
  let run: RunModel;
  try {
    run = await (loading ??= loadModel(model));
  } catch (error) {
    return { id, loadError: getErrorMessage(error), isUnavailable: isHubUnavailable(error) };
  }
  try {
    return { id, output: await run(request) };
  } catch (error) {
    return { id, error: getErrorMessage(error) };
  }
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
