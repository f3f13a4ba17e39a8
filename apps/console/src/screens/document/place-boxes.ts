import type { DatasourceFragment } from '@quarry/client';

/** A rectangle of a fragment on a page. The numbers are percentages of the width or the height of the page. */
export interface PageBox {
  readonly fragmentId: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type PlacedFragment = Pick<DatasourceFragment, 'id' | 'page' | 'rectangles'>;

/**
 * Returns the boxes of all fragments on a page. Larger boxes come first, so that smaller boxes lie above them and can
 * be clicked.
 */
export function listPageBoxes(fragments: readonly PlacedFragment[], page: number): readonly PageBox[] {
  return fragments
    .flatMap(({ id, rectangles }) =>
      rectangles
        .filter((rectangle) => rectangle.page === page)
        .map(({ x, y, width, height }) => ({
          fragmentId: id,
          left: toPercentage(x),
          top: toPercentage(y),
          width: toPercentage(width),
          height: toPercentage(height),
        })),
    )
    .sort((one, other) => other.width * other.height - one.width * one.height);
}

function toPercentage(share: number): number {
  return Math.round(share * 1_000_000) / 10_000;
}

/** Returns the number of the page on which a fragment begins; null if its document has no pages. */
export function findFirstPage({ page, rectangles }: PlacedFragment): number | null {
  return rectangles[0]?.page ?? page;
}

/** Returns the number of the last page that contains one of the fragments; 0 if the document has no pages. */
export function findLastPage(fragments: readonly PlacedFragment[]): number {
  return fragments.reduce(
    (last, { page, rectangles }) => Math.max(last, page ?? 0, ...rectangles.map((rectangle) => rectangle.page)),
    0,
  );
}
