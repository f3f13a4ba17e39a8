import { AttemptFailed, GiveUp, type EmbeddingSettings, type Progress } from '@quarry/contracts';
import { EmbeddingFailed, type EmbeddedText, type Embedder, type TruncatedText } from '@quarry/embedder';
import type { Fragment } from '@quarry/document-readers';
import type { KeptVectors, WarningLog } from './kept-vectors.js';

export interface Embedding {
  readonly settings: EmbeddingSettings;
  readonly embedderFor: (settings: EmbeddingSettings) => Embedder | undefined;
  /** What an earlier attempt has embedded, and what this one does. */
  readonly kept: KeptVectors;
  readonly signal: AbortSignal;
  readonly log: WarningLog;
  readonly onProgress: (progress: Progress) => void;
  /** Called once at the end with how many fragments were embedded by their beginnings, if any were. */
  readonly onTruncated: (fragments: number) => void;
}

const ADVICE =
  'the model takes no longer text. Use smaller fragments, or set QUARRY_EMBEDDING_MAX_TEXT_LENGTH to save the refused requests';

/** What is embedded of a fragment: it is found by what it stands under too. */
export function embeddedText({ context, text }: Pick<Fragment, 'context' | 'text'>): string {
  return `${context}\n\n${text}`;
}

/**
 * Embeds each text once, and those that an earlier attempt has embedded not at all.
 *
 * @returns a vector a text, in order
 * @throws GiveUp when no embedder is configured or the one there refuses; AttemptFailed when it is unavailable
 */
export async function embedTexts(texts: readonly string[], embedding: Embedding): Promise<readonly Float32Array[]> {
  const { settings, kept, signal, onProgress } = embedding;
  const embedder = embedding.embedderFor(settings);
  if (embedder === undefined) {
    throw new GiveUp(
      'embedder_not_configured',
      `The datastore is embedded with ${settings.model}, and no embedder is configured.`,
    );
  }
  const missing = [...new Set(texts)].filter((text) => kept.find(text) === undefined);
  let done = texts.length - missing.length;
  const tell = (): void => {
    onProgress({ done, total: texts.length, unit: 'fragments' });
  };
  const onEmbedded = (part: readonly EmbeddedText[]): void => {
    const embedded = part.map(({ index, vector }) => ({ text: missing[index] ?? '', vector }));
    kept.keep(embedded, { lastly: part.length === missing.length });
    done += part.length;
    tell();
  };
  tell();
  const truncated: TruncatedText[] = [];
  const onTruncated = (text: TruncatedText): void => void truncated.push(text);
  await embed(() => embedder.embedDocuments(missing, { signal, onEmbedded, onTruncated }));
  const [first] = truncated;
  if (first !== undefined) {
    const cut = new Set(truncated.map(({ index }) => missing[index]));
    const fragments = texts.filter((text) => cut.has(text)).length;
    embedding.onTruncated(fragments);
    embedding.log.warn(
      { model: settings.model, fragments, ...first },
      `fragments are embedded by their beginnings: ${ADVICE}`,
    );
  }
  return texts.map((text) => kept.find(text) ?? new Float32Array());
}

async function embed(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof EmbeddingFailed)) throw error;
    const Failure = error.code === 'embedder_unavailable' ? AttemptFailed : GiveUp;
    throw new Failure(error.code, error.message, { cause: error });
  }
}
