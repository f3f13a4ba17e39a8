import { Describe, IsIn, IsInt, IsISO8601, IsOptional, IsString, Min, OrNull } from '@quarry/validation';
import { DOCUMENT_OUTCOMES, type DocumentOutcome } from '../queues/document-settled.js';
import { PageQuery } from './page.js';

/** Query string of `GET /datasources/{id}/documents`. */
export class DocumentListQuery extends PageQuery {
  @IsOptional()
  @IsIn(DOCUMENT_OUTCOMES)
  readonly outcome?: DocumentOutcome;
}

/** One document of a datasource, as the last run that named it left it. */
@Describe('One document of a datasource, such as a page of a site, as the last run that named it left it.')
export class DocumentResponse {
  @IsString()
  @Describe('Names the document inside its datasource: an address, a file name, the id of an item.')
  readonly documentKey: string;

  @OrNull()
  @IsString()
  readonly name: string | null;

  @OrNull()
  @IsString()
  @Describe('The address a reader can open.')
  readonly source: string | null;

  @OrNull()
  @IsIn(DOCUMENT_OUTCOMES)
  @Describe('What the run did with it; null while that is not known.')
  readonly outcome: DocumentOutcome | null;

  @OrNull()
  @IsString()
  @Describe('Why: stable, such as `robots_disallowed`, `duplicate_of` or `file_unreadable`.')
  readonly code: string | null;

  @OrNull()
  @IsString()
  @Describe('The same for people.')
  readonly message: string | null;

  @IsInt()
  @Min(0)
  @Describe('How many fragments of it can be found now.')
  readonly fragments: number;

  @OrNull()
  @IsISO8601()
  @Describe('When the run was done with it; null while it is not.')
  readonly settledAt: string | null;
}
