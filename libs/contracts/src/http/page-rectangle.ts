import { Describe, IsInt, IsNumber, Max, Min } from '@quarry/validation';

/** Number of units into which stored rectangles divide the width of a page. The height has the same number of units. */
const UNITS_PER_PAGE = 10_000;
const NUMBERS_PER_RECTANGLE = 5;

/** Describes the rectangle that a line of a fragment covers on a page of its document. */
@Describe(
  'A rectangle on a page of the document. Coordinates are shares of the width and height of the page as it is displayed, from its upper left corner.',
)
export class PageRectangle {
  @IsInt()
  @Min(1)
  @Describe('Page number, starting at 1.')
  readonly page: number;

  @IsNumber()
  @Min(0)
  @Max(1)
  readonly x: number;

  @IsNumber()
  @Min(0)
  @Max(1)
  readonly y: number;

  @IsNumber()
  @Min(0)
  @Max(1)
  readonly width: number;

  @IsNumber()
  @Min(0)
  @Max(1)
  readonly height: number;
}

/** Parses stored rectangles: five integers each, the page and x, y, width and height in ten-thousandths of the page. */
export function parsePageRectangles(numbers: readonly number[]): readonly PageRectangle[] {
  return Array.from({ length: Math.floor(numbers.length / NUMBERS_PER_RECTANGLE) }, (_, index) => {
    const start = index * NUMBERS_PER_RECTANGLE;
    const toShare = (at: number): number => (numbers[start + at] ?? 0) / UNITS_PER_PAGE;
    return { page: numbers[start] ?? 1, x: toShare(1), y: toShare(2), width: toShare(3), height: toShare(4) };
  });
}
