import { Describe, IsIn, IsInt, IsISO8601, IsOptional, IsString, Min, OrNull } from '@quarry/validation';
import { DOCUMENT_OUTCOMES, type DocumentOutcome } from '../queues/document-settled.js';
import { PageQuery } from './pagination.js';

/** Describes the query string of `GET /datasources/{id}/documents`. */
export class DocumentListQuery extends PageQuery {
  @IsOptional()
  @IsIn(DOCUMENT_OUTCOMES)
  readonly outcome?: DocumentOutcome;
}

/** Describes a document of a datasource and its outcome in the last run that reported it. */
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

  @OrNull()
  @IsISO8601()
  @Describe('Time at which the document settled. Null until then.')
  readonly settledAt: string | null;
}
