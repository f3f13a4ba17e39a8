import { EmbeddingFailed, type EmbeddedText, type EmbedDocumentsOptions } from '@quarry/embedder';
import { truncate } from './truncate.js';
import { isPerhapsTooLarge } from './failed-request.js';

/** A text as it is sent, and its place among the texts that were given. */
export interface SentText {
  readonly index: number;
  readonly text: string;
}

/** How texts are embedded in as many requests as it takes. */
export interface Parts extends Pick<EmbedDocumentsOptions, 'onEmbedded' | 'onTruncated'> {
  /** Embeds texts with one request. Throws EmbeddingFailed. */
  readonly request: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
  /** The most texts of a request, as far as the provider's answers have shown. It is lowered here. */
  readonly size: { texts: number };
}

/** A shorter text that is refused is refused for another reason. In UTF-16 code units. */
const MIN_LENGTH = 200;

/**
 * Embeds a batch with as few requests as the provider accepts. What it refuses as too large or invalid is sent in halves; a single
 * text that it refuses is sent by its beginning, halved until it is accepted.
 *
 * @throws EmbeddingFailed with the reason of the first refusal, where less is refused too
 */
export async function embedInParts(batch: readonly SentText[], parts: Parts): Promise<readonly EmbeddedText[]> {
  if (batch.length > parts.size.texts) return embedHalves(batch, parts);
  try {
    return await embedAtOnce(batch, parts);
  } catch (error) {
    if (!(error instanceof EmbeddingFailed) || !isPerhapsTooLarge(error.cause)) throw error;
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) return embedBeginning(only, parts, error);
    return embedLess(batch, parts);
  }
}

async function embedAtOnce(batch: readonly SentText[], parts: Parts): Promise<readonly EmbeddedText[]> {
  const vectors = await parts.request(batch.map(({ text }) => text));
  const embedded = vectors.map((vector, at) => ({ index: batch[at]?.index ?? at, vector }));
  parts.onEmbedded?.(embedded);
  return embedded;
}

/** One after the other: where the provider refuses whatever it is sent, the first text says so. */
async function embedHalves(batch: readonly SentText[], parts: Parts): Promise<readonly EmbeddedText[]> {
  const half = Math.ceil(batch.length / 2);
  return [...(await embedInParts(batch.slice(0, half), parts)), ...(await embedInParts(batch.slice(half), parts))];
}

/** Embeds the halves of a refused batch. That both are accepted as they are shows that it had too many texts. */
async function embedLess(batch: readonly SentText[], parts: Parts): Promise<readonly EmbeddedText[]> {
  let requests = 0;
  const counted: Parts = {
    ...parts,
    request: (texts) => {
      requests += 1;
      return parts.request(texts);
    },
  };
  const embedded = await embedHalves(batch, counted);
  if (requests === 2) parts.size.texts = Math.min(parts.size.texts, Math.ceil(batch.length / 2));
  return embedded;
}

/** @throws EmbeddingFailed the refusal of the whole text, where its beginning is refused too */
async function embedBeginning(
  { index, text }: SentText,
  parts: Parts,
  refusal: EmbeddingFailed,
): Promise<readonly EmbeddedText[]> {
  for (let length = Math.floor(text.length / 2); length >= MIN_LENGTH; length = Math.floor(length / 2)) {
    const beginning = truncate(text, length);
    try {
      const embedded = await embedAtOnce([{ index, text: beginning }], parts);
      parts.onTruncated?.({ index, embedded: beginning.length, length: text.length });
      return embedded;
    } catch (error) {
      if (!(error instanceof EmbeddingFailed) || !isPerhapsTooLarge(error.cause)) throw error;
    }
  }
  throw refusal;
}
