import { QuarryError, type QuarryClient } from '@quarry/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';

/** The page of a document, and the width of its picture. */
export interface PictureRequest {
  readonly datasourceId: string;
  readonly page: number;
  /** Width of the picture in pixels. Undefined until the page is laid out; no picture is then loaded. */
  readonly width: number | undefined;
}

export interface PagePicture {
  /**
   * The address of the picture. Undefined until the browser has loaded the picture, and for a document without
   * pictures.
   */
  readonly url: string | undefined;
  /**
   * The error with which the picture could not be loaded. Null without a failure, and for a document without pictures.
   */
  readonly error: Error | null;
  /** True while no picture of the page is loaded yet. */
  readonly isPending: boolean;
  readonly retry: () => void;
}

/**
 * Loads the picture of a page. Returns the previous picture of the same page while a picture with another width is
 * loaded.
 */
export function usePagePicture({ datasourceId, page, width }: PictureRequest): PagePicture {
  const client = useClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['page-pictures', datasourceId, page, width],
    enabled: width !== undefined,
    staleTime: Infinity,
    queryFn: async ({ signal }) => ({
      page,
      url: await loadPagePicture(client, { datasourceId, page, width }, signal),
    }),
    placeholderData: keepPreviousData,
  });
  const url = data?.page === page ? data.url : undefined;
  return {
    url,
    error,
    isPending: url === undefined && (isPending || data?.page !== page),
    retry: () => void refetch(),
  };
}

/**
 * Loads a picture into the cache of the browser, because an `<img>` does not report the reason of an error. Returns the
 * address of the picture; undefined if the document has no pictures.
 */
async function loadPagePicture(
  client: QuarryClient,
  { datasourceId, page, width = 0 }: PictureRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const response = await client.getPagePicture(datasourceId, page, { width, signal });
    await response.arrayBuffer();
    return client.getPagePictureUrl(datasourceId, page, { width });
  } catch (error) {
    if (error instanceof QuarryError && error.code === 'no_page_pictures') return undefined;
    throw error;
  }
}
