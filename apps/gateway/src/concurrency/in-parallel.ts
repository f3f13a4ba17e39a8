/** Does something with each of many, at most `limit` at once. The first failure is thrown once what runs has ended. */
export async function inParallel<T>(
  limit: number,
  all: readonly T[],
  act: (one: T) => Promise<unknown>,
): Promise<void> {
  const rest = all.values();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const one of rest) {
      if (hasFailed) return;
      await act(one).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(limit, all.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
