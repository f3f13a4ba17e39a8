import { EmbeddingFailed, type EmbeddedText, type EmbedDocumentsOptions } from '@quarry/embedder';
import { isPossiblyTooLargeRequest } from './decide-retry.js';

/** Describes a text that is sent to the provider, and its index among the texts of the caller. */
export interface SentText {
  readonly index: number;
  readonly text: string;
}

/** Describes the settings for embedding texts in several requests. */
export interface PartialRequests extends Pick<EmbedDocumentsOptions, 'onEmbedded' | 'onTruncated'> {
  /** Embeds texts with one request. @throws EmbeddingFailed */
  readonly request: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
  /** Maximum number of texts per request. `embedInParts` reduces it when the provider rejects a batch as too large. */
  readonly size: { texts: number };
}

/**
 * Minimum length of a truncated text, in UTF-16 code units. If a provider rejects so short a text, the length is not
 * the reason.
 */
const MIN_LENGTH = 200;

/**
 * Embeds a batch with as few requests as the provider accepts. A batch that is rejected as too large or invalid is
 * split in halves. A single rejected text is truncated to half its length, repeatedly until the provider accepts it.
 *
 * @throws EmbeddingFailed if a request fails for another reason, or the provider rejects a single text and all its
 * beginnings
 */
export async function embedInParts(
  batch: readonly SentText[],
  parts: PartialRequests,
): Promise<readonly EmbeddedText[]> {
  if (batch.length > parts.size.texts) return embedHalvesSeparately(batch, parts);
  try {
    return await embedBatchInOneRequest(batch, parts);
  } catch (error) {
    if (!(error instanceof EmbeddingFailed) || !isPossiblyTooLargeRequest(error.cause)) throw error;
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) return embedTruncatedText(only, parts, error);
    return embedRejectedBatch(batch, parts);
  }
}

async function embedBatchInOneRequest(
  batch: readonly SentText[],
  parts: PartialRequests,
): Promise<readonly EmbeddedText[]> {
  const vectors = await parts.request(batch.map(({ text }) => text));
  const embedded = vectors.map((vector, at) => ({ index: batch[at]?.index ?? at, vector }));
  parts.onEmbedded?.(embedded);
  return embedded;
}

/**
 * Embeds the halves of a batch, the second one only if the first succeeds. So a provider that rejects every text
 * receives few requests.
 */
async function embedHalvesSeparately(
  batch: readonly SentText[],
  parts: PartialRequests,
): Promise<readonly EmbeddedText[]> {
  const half = Math.ceil(batch.length / 2);
  return [...(await embedInParts(batch.slice(0, half), parts)), ...(await embedInParts(batch.slice(half), parts))];
}

/**
 * Embeds the halves of a rejected batch. If the provider accepts both halves without further splits, the batch had too
 * many texts. Later batches then contain at most half as many texts.
 */
async function embedRejectedBatch(
  batch: readonly SentText[],
  parts: PartialRequests,
): Promise<readonly EmbeddedText[]> {
  let requests = 0;
  const countedParts: PartialRequests = {
    ...parts,
    request: (texts) => {
      requests += 1;
      return parts.request(texts);
    },
  };
  const embedded = await embedHalvesSeparately(batch, countedParts);
  if (requests === 2) parts.size.texts = Math.min(parts.size.texts, Math.ceil(batch.length / 2));
  return embedded;
}

/**
 * Embeds the beginning of a text that the provider has rejected. Halves the beginning until the provider accepts it.
 *
 * @throws EmbeddingFailed `refusal`, the rejection of the whole text, if the provider rejects all beginnings
 */
async function embedTruncatedText(
  { index, text }: SentText,
  parts: PartialRequests,
  refusal: EmbeddingFailed,
): Promise<readonly EmbeddedText[]> {
  for (let length = Math.floor(text.length / 2); length >= MIN_LENGTH; length = Math.floor(length / 2)) {
    const beginning = truncateText(text, length);
    const onEmbedded = (part: readonly EmbeddedText[]): void => {
      parts.onTruncated?.({ index, embedded: beginning.length, length: text.length });
      parts.onEmbedded?.(part);
    };
    try {
      return await embedBatchInOneRequest([{ index, text: beginning }], { ...parts, onEmbedded });
    } catch (error) {
      if (!(error instanceof EmbeddingFailed) || !isPossiblyTooLargeRequest(error.cause)) throw error;
    }
  }
  throw refusal;
}

const CUT_PAIR = /[\ud800-\udbff]$/;

/** Returns the beginning of a text, with at most `length` UTF-16 code units and without a split surrogate pair. */
export function truncateText(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(CUT_PAIR, '');
}
