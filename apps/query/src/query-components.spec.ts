import { describe, expect, it } from 'vitest';
import { listQueryComponents } from './query-components.js';
import { readQuerySettings } from './settings.js';

function listComponents(environment: NodeJS.ProcessEnv): readonly unknown[] {
  const settings = readQuerySettings(environment);
  return listQueryComponents(settings.models, settings).map(({ kind, name }) => `${kind} ${name}`);
}

describe('listQueryComponents', () => {
  it('listQueryComponents returns an empty list if nothing is configured', () => {
    expect(listComponents({})).toEqual([]);
  });

  it('listQueryComponents lists models and embedders without their addresses and keys', () => {
    const listed = listComponents({
      QUARRY_MODEL_BASE_URL: 'http://user:password@models.internal:11434/v1',
      QUARRY_MODEL: 'llama3',
      ANTHROPIC_API_KEY: 'secret',
      QUARRY_EMBEDDING_BASE_URL: 'http://embeddings.internal/v1',
      QUARRY_EMBEDDING_FOLDER: '/models',
      QUARRY_RERANK_URL: 'http://rerank.internal/rerank',
      QUARRY_RERANK_MODEL: 'rerank-v3',
    });
    expect(listed).toEqual([
      'model_provider anthropic',
      'model_provider custom',
      'default_model custom/llama3',
      'embedder openai-compatible',
      'embedder local',
      'reranker rerank-v3',
    ]);
  });
});
