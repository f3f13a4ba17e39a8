import {
  Describe,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { PageConfidence } from '../datasource/page-confidence.js';
import { DOCUMENT_OUTCOMES, type DocumentOutcome } from '../queues/document-settled.js';
import { PageQuery } from './pagination.js';

/** Describes the query string of `GET /datasources/{id}/documents`. */
export class DocumentListQuery extends PageQuery {
  @IsOptional()
  @IsIn(DOCUMENT_OUTCOMES)
  readonly outcome?: DocumentOutcome;

  @Describe('Selects the document with this key. Default: all documents.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly documentKey?: string;
}

/** Counts all pages of a document, the pages with incomplete text, and the pages whose text OCR recognized. */
@Describe('The pages of a document, and how many of them have text that is incomplete or recognized.')
export class DocumentPages {
  @IsInt()
  @Min(1)
  @Describe('Number of pages.')
  readonly total: number;

  @IsInt()
  @Min(0)
  @Describe('Number of pages with text that could not be decoded, because a font has no character map.')
  readonly undecoded: number;

  @IsInt()
  @Min(0)
  @Describe('Number of pages that are images and whose text was not recognized.')
  readonly images: number;

  @IsInt()
  @Min(0)
  @Describe('Number of pages whose text was recognized in their image.')
  readonly recognized: number;

  @OrNull()
  @IsInt()
  @Min(0)
  @Max(100)
  @Describe('Mean confidence of the recognized words in percent. Null if no word was recognized.')
  readonly confidence: number | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PageConfidence)
  @Describe(
    'The confidence of the pages with recognized words, by page number. Of more than 100 pages, those with the lowest confidence. Empty if no word was recognized, or if the document was last indexed by a version without this field.',
  )
  readonly confidences: readonly PageConfidence[];
}

/** Describes a document of a datasource, with the outcome from the last run that reported the document. */
@Describe(
  'A document of a datasource, such as a page of a web site, with its outcome in the last run that reported it.',
)
export class DocumentResponse {
  @IsString()
  @Describe('Identifies the document within its datasource: a URL, a file name or an item id.')
  readonly documentKey: string;

  @OrNull()
  @IsString()
  readonly name: string | null;

  @OrNull()
  @IsString()
  @Describe('URL that a reader can open. Null if there is none.')
  readonly source: string | null;

  @OrNull()
  @IsIn(DOCUMENT_OUTCOMES)
  @Describe('Outcome of the document in its run. Null until it is known.')
  readonly outcome: DocumentOutcome | null;

  @OrNull()
  @IsString()
  @Describe(
    'Stable reason code, such as `robots_disallowed`, `duplicate_of` or `file_unreadable`. Null if there is none.',
  )
  readonly code: string | null;

  @OrNull()
  @IsString()
  @Describe('Human-readable explanation of `code`.')
  readonly message: string | null;

  @IsInt()
  @Min(0)
  @Describe('Number of searchable fragments.')
  readonly fragments: number;

  @IsInt()
  @Min(0)
  @Describe('Number of tokens in the fragments.')
  readonly storedTokens: number;

  @OrNull()
  @ValidateNested()
  @Type(() => DocumentPages)
  @Describe('Null if the document has no pages, or is not read yet.')
  readonly pages: DocumentPages | null;

  @OrNull()
  @IsISO8601()
  @Describe('Time at which the document settled. Null until then.')
  readonly settledAt: string | null;
}
