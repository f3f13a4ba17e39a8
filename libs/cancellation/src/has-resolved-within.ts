/**
 * Returns true if a promise resolves within `ms` milliseconds, and false after this time. If the promise rejects,
 * throws its error.
 */
export async function hasResolvedWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.max(ms, 0), false);
  });
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
