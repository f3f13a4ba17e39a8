/**
 * Calls `action` for each item, at most `limit` at once. After a failure no further call starts, and the first error is thrown
 * when the running calls have ended.
 */
export async function forEachConcurrently<T>(
  limit: number,
  items: readonly T[],
  action: (item: T) => Promise<unknown>,
): Promise<void> {
  const remaining = items.values();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const item of remaining) {
      if (hasFailed) return;
      await action(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
