/** Does something costly at the first call; what failed is tried again at the next. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return async () => {
    running ??= work();
    try {
      return await running;
    } catch (error) {
      running = undefined;
      throw error;
    }
  };
}
