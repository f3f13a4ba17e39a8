import type { EmbeddingSettings } from '@quarry/contracts';
import type { Embedder } from '@quarry/embedder';
import { openLangChainEmbedder } from '@quarry/embedder-langchain';

/** Where fragments are embedded. */
export interface EmbeddingAddress {
  /** OpenAI-compatible, up to and with `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Goes in front of a passage, for models that were trained with one. */
  readonly documentPrefix: string | undefined;
}

/** @returns the embedder of a datastore's settings, opened once; undefined where no address is configured */
export function openEmbedders(
  address: EmbeddingAddress | undefined,
): (settings: EmbeddingSettings) => Embedder | undefined {
  const opened = new Map<string, Embedder>();
  return ({ model, dimensions }) => {
    if (address === undefined) return undefined;
    const { baseUrl, apiKey, documentPrefix } = address;
    const name = JSON.stringify([model, dimensions]);
    const embedder =
      opened.get(name) ??
      openLangChainEmbedder({
        baseUrl,
        model,
        dimensions,
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(documentPrefix === undefined ? {} : { documentPrefix }),
      });
    opened.set(name, embedder);
    return embedder;
  };
}
