import {
  ValidateNested,
  Type,
  IsArray,
  Describe,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Min,
  OrNull,
} from '@quarry/validation';
import { PageRectangle } from './page-rectangle.js';
import { PageQuery } from './pagination.js';

/** Describes the query string of `GET /datasources/{id}/fragments`. */
export class FragmentListQuery extends PageQuery {
  @Describe('Selects the fragments of this document. Default: the fragments of all documents.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly documentKey?: string;
}

/** Describes a stored fragment of a datasource. */
@Describe('A stored fragment of a document: the unit that searches return.')
export class FragmentResponse {
  @IsString()
  @Describe('Equals the `chunk_id` of the sources of an answer.')
  readonly id: string;

  @IsString()
  @Describe('Identifies the document within its datasource, as in the list of documents.')
  readonly documentKey: string;

  @IsInt()
  @Min(0)
  @Describe('Position in the document, starting at 0.')
  readonly ordinal: number;

  @IsString()
  readonly text: string;

  @IsString()
  @Describe('The document name and the headings above the passage. Searches match it, too.')
  readonly context: string;

  @OrNull()
  @IsInt()
  @Min(1)
  @Describe('Page number, starting at 1. Null if the document has no pages.')
  readonly page: number | null;

  @OrNull()
  @IsString()
  @Describe(
    'Human-readable position, such as `sheet Prices, rows 40–80`. Null if the position is unknown, or only the page is known.',
  )
  readonly location: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PageRectangle)
  @Describe(
    'Rectangles of the passage on the pages of its document, at most one per line. Empty if the document has no pages, or was last indexed by a version without rectangles.',
  )
  readonly rectangles: readonly PageRectangle[];

  @IsInt()
  @Min(0)
  @Describe('Number of tokens of the text (encoding `cl100k_base`).')
  readonly tokens: number;
}
