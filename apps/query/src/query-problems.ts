import type { ModelName } from '@quarry/contracts';
import { BASIC_PROBLEMS, createProblemMaker } from '@quarry/service-kit';
import type { ChatModel } from './models/chat-model.js';
import { ModelNotConfigured } from './models/choose-model.js';
import type { Models } from './models/open-models.js';

/** Creates problems with the error codes of the query service. */
export const problem = createProblemMaker({
  ...BASIC_PROBLEMS,
  overloaded: { status: 503, title: 'The service is overloaded' },
  model_not_configured: { status: 424, title: 'The model is not configured' },
});

/** Chooses the model for a request. @returns undefined if no provider is configured @throws Problem `model_not_configured` */
export function chooseModelOrThrow(models: Models, name: ModelName | undefined): ChatModel | undefined {
  try {
    return models.choose(name);
  } catch (error) {
    if (error instanceof ModelNotConfigured) throw problem('model_not_configured', error.message, { cause: error });
    throw error;
  }
}
