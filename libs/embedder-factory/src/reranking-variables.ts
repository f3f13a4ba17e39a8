import { BooleanFromText, IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl } from '@quarry/validation';
import type { RerankingSource } from './open-reranker.js';
import { RERANK_FORMS, type RerankForm } from './rerank-protocols.js';

/** Declares the variables that select a reranker for the passages of a search. */
export class RerankingVariables {
  /** The complete address of a reranker, such as `https://api.jina.ai/v1/rerank` or `http://tei:80/rerank`. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_RERANK_URL?: string;

  /**
   * The protocol of the server at `QUARRY_RERANK_URL`. Servers with the path `/v1/rerank` or `/v2/rerank` support
   * `cohere` or `jina`.
   */
  @IsIn(RERANK_FORMS)
  readonly QUARRY_RERANK_FORM: RerankForm = 'cohere';

  @IsOptional()
  @IsString()
  readonly QUARRY_RERANK_API_KEY?: string;

  /** A folder with ONNX models. The service itself runs a cross-encoder from this folder. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_RERANK_FOLDER?: string;

  /** If true, a model that is not in `QUARRY_RERANK_FOLDER` is downloaded from the Hugging Face hub. */
  @BooleanFromText()
  readonly QUARRY_RERANK_DOWNLOAD: boolean = false;

  /** The name of the model at `QUARRY_RERANK_URL`, or of the subfolder of `QUARRY_RERANK_FOLDER` with the model. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_RERANK_MODEL?: string;

  /** Number of passages of a search that are reranked. */
  @IntegerFromText({ min: 2, max: 500 })
  readonly QUARRY_RERANK_CANDIDATES: number = 30;

  /**
   * Timeout for reranking, in milliseconds. After the timeout, the search returns the passages in their original order.
   */
  @IntegerFromText({ min: 10, max: 60_000 })
  readonly QUARRY_RERANK_TIMEOUT_MS: number = 3_000;
}

/** Returns a message for each invalid combination of variables. */
export function findRerankingProblems(variables: RerankingVariables): readonly string[] {
  const { QUARRY_RERANK_URL: url, QUARRY_RERANK_FOLDER: folder, QUARRY_RERANK_MODEL: model } = variables;
  if (url !== undefined && folder !== undefined)
    return ['QUARRY_RERANK_URL and QUARRY_RERANK_FOLDER must not both be set: remove one of them'];
  if (url === undefined && folder === undefined)
    return model === undefined
      ? []
      : ['QUARRY_RERANK_MODEL requires QUARRY_RERANK_URL or QUARRY_RERANK_FOLDER: set the location of the model, too'];
  const isModelRequired = folder !== undefined || variables.QUARRY_RERANK_FORM !== 'tei';
  return isModelRequired && model === undefined
    ? ['QUARRY_RERANK_MODEL must be set to the name of the reranking model']
    : [];
}

/** Returns the configured reranker, or undefined when none is configured. */
export function readRerankingSource(variables: RerankingVariables): RerankingSource | undefined {
  const { QUARRY_RERANK_URL: url, QUARRY_RERANK_FOLDER: folder, QUARRY_RERANK_MODEL: model } = variables;
  if (folder !== undefined && model !== undefined)
    return { local: { folder, model, download: variables.QUARRY_RERANK_DOWNLOAD } };
  if (url === undefined) return undefined;
  const apiKey = variables.QUARRY_RERANK_API_KEY;
  return {
    address: {
      ...{ form: variables.QUARRY_RERANK_FORM, url },
      ...(model === undefined ? {} : { model }),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
  };
}
