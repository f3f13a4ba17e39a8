import { parametersOf, type Parameters } from '@quarry/item-listing';

/** The parameters of a request as the service makes it. */
export function inOrder(query: { readonly take: number; readonly skip?: number; readonly after?: string }): Parameters {
  return parametersOf({ take: query.take, skip: query.skip ?? 0, modifiedAfter: query.after ?? '' });
}
