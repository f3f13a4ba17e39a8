import { PageRectangle, type FragmentListResponse, type ListedFragment } from '@quarry/contracts';
import { IsArray, IsInt, IsOptional, IsString, Min, parse, Type, ValidateNested } from '@quarry/validation';

class Listed implements ListedFragment {
  @IsString() readonly fragmentId: string;
  @IsString() readonly documentKey: string;
  @IsInt() @Min(0) readonly ordinal: number;
  @IsString() readonly text: string;
  @IsString() readonly context: string;
  @IsOptional() @IsInt() readonly page: number | null = null;
  @IsOptional() @IsString() readonly location: string | null = null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PageRectangle)
  readonly rectangles: readonly PageRectangle[] = [];

  @IsInt() @Min(0) readonly tokens: number;
}

class FragmentList {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Listed)
  readonly fragments: readonly Listed[];
}

/** Parses a list of fragments that the query service sent. @throws ValidationError if the list violates the contract */
export function parseFragmentListResponse(value: unknown): FragmentListResponse {
  return parse(FragmentList, value, 'ignore');
}
