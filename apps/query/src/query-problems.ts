import type { AnswerRequest } from '@quarry/contracts';
import { BASIC_PROBLEMS, createProblemFactory } from '@quarry/service-kit';
import type { ChatModel } from './models/chat-model.js';
import { ModelNotConfigured } from './models/choose-model.js';
import type { ModelSource } from './models/model-source.js';

/** Creates a `Problem`, the error that becomes an error response, with one of the error codes of the query service. */
export const problem = createProblemFactory({
  ...BASIC_PROBLEMS,
  overloaded: { status: 503, title: 'The service is overloaded' },
  model_refused: { status: 502, title: 'The model refused to answer' },
  model_unavailable: { status: 503, title: 'The model is not available' },
  model_not_configured: { status: 424, title: 'The model is not configured' },
});

/** Chooses the model for a request; undefined if no provider is configured. @throws Problem `model_not_configured` */
export async function chooseModelOrThrow(
  source: Pick<ModelSource, 'connect'>,
  { generation, modelConnections = [] }: Pick<AnswerRequest, 'generation' | 'modelConnections'>,
): Promise<ChatModel | undefined> {
  const models = await source.connect(modelConnections);
  try {
    return models.choose(generation.modelName);
  } catch (error) {
    if (error instanceof ModelNotConfigured) throw problem('model_not_configured', error.message, { cause: error });
    throw error;
  }
}
