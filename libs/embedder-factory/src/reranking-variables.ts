import { BooleanFromText, IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl } from '@quarry/validation';
import type { RerankingSource } from './open-reranker.js';
import { RERANK_FORMS, type RerankForm } from './rerank-forms.js';

/** The variables that say what puts the passages of a search into a better order, if anything does. */
export class RerankingVariables {
  /** The whole address of a reranker, such as `https://api.jina.ai/v1/rerank` or `http://tei:80/rerank`. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_RERANK_URL?: string;

  /** How it is asked. Whatever has `/v1/rerank` or `/v2/rerank` takes Cohere's or Jina's form. */
  @IsIn(RERANK_FORMS)
  readonly QUARRY_RERANK_FORM: RerankForm = 'cohere';

  @IsOptional()
  @IsString()
  readonly QUARRY_RERANK_API_KEY?: string;

  /** A folder of ONNX models: a cross-encoder in it runs in the service itself. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_RERANK_FOLDER?: string;

  /** Whether a model that is not in the folder is fetched from Hugging Face's hub. */
  @BooleanFromText()
  readonly QUARRY_RERANK_DOWNLOAD: boolean = false;

  /** The model at the address, or the folder's name in the folder. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_RERANK_MODEL?: string;

  /** How many of the passages found are put into a new order. */
  @IntegerFromText({ min: 2, max: 500 })
  readonly QUARRY_RERANK_CANDIDATES: number = 30;

  /** How long a search waits for the new order, before it takes the one it has. */
  @IntegerFromText({ min: 10, max: 60_000 })
  readonly QUARRY_RERANK_TIMEOUT_MS: number = 3_000;
}

/** What is wrong with the variables together. */
export function rerankingProblems(variables: RerankingVariables): readonly string[] {
  const { QUARRY_RERANK_URL: url, QUARRY_RERANK_FOLDER: folder, QUARRY_RERANK_MODEL: model } = variables;
  if (url !== undefined && folder !== undefined)
    return [
      'QUARRY_RERANK_URL and QUARRY_RERANK_FOLDER exclude each other: the reranker is at an address or in a folder',
    ];
  if (url === undefined && folder === undefined)
    return model === undefined
      ? []
      : ['QUARRY_RERANK_MODEL needs QUARRY_RERANK_URL or QUARRY_RERANK_FOLDER: where the model is'];
  const isNeeded = folder !== undefined || variables.QUARRY_RERANK_FORM !== 'tei';
  return isNeeded && model === undefined ? ['QUARRY_RERANK_MODEL must be set: which model reranks'] : [];
}

/** @returns undefined where no reranker is configured */
export function rerankingSource(variables: RerankingVariables): RerankingSource | undefined {
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
