/**
 * Calls `action` once for each item, with at most `limit` calls in progress. After a call fails, no further call
 * starts. Rejects with the error of a failed call when the calls in progress have ended.
 */
export async function forEachConcurrently<T>(
  limit: number,
  items: readonly T[],
  action: (item: T) => Promise<unknown>,
): Promise<void> {
  const remaining = items.values();
  let hasFailed = false;
  const processRemaining = async (): Promise<void> => {
    for (const item of remaining) {
      if (hasFailed) return;
      await action(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, processRemaining));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
