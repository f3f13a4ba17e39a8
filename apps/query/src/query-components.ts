import { listEmbeddingSourceNames } from '@quarry/embedder-factory';
import type { ServiceComponent } from '@quarry/service-kit';
import { chooseModel } from './models/choose-model.js';
import type { ModelSettings } from './models/model-settings.js';
import type { QuerySettings } from './settings.js';

/** Lists the models and providers that the query service uses, by kind and name, for the state of the installation. */
export function listQueryComponents(
  models: ModelSettings,
  { embedding, reranking }: Pick<QuerySettings, 'embedding' | 'reranking'>,
): readonly ServiceComponent[] {
  const standard = chooseModel(models, undefined);
  const createComponents = (kind: string, names: readonly string[]): readonly ServiceComponent[] =>
    names.map((name) => ({ kind, name }));
  return [
    ...createComponents('model_provider', Object.keys(models.providers)),
    ...createComponents('default_model', standard === undefined ? [] : [`${standard.provider}/${standard.model}`]),
    ...createComponents('embedder', listEmbeddingSourceNames(embedding)),
    ...createComponents('reranker', reranking === undefined ? [] : [getRerankerName(reranking.source)]),
  ];
}

type Source = NonNullable<QuerySettings['reranking']>['source'];

/** Returns the model name of a reranker, or else the protocol of its server. Never returns the server's address. */
function getRerankerName(source: Source): string {
  return 'local' in source ? source.local.model : (source.address.model ?? source.address.form);
}
