/** Wakes one waiting caller. A wake-up without a waiting caller is stored for the next call of `wait`, so that none is lost. */
export interface Signal {
  wake(): void;
  /** Resolves after the next call of `wake`, or after `timeoutMs` milliseconds. */
  wait(timeoutMs: number): Promise<void>;
}

export function createSignal(): Signal {
  let pending = false;
  let release: (() => void) | undefined;
  return {
    wake: () => {
      pending = true;
      release?.();
    },
    wait: async (timeoutMs) => {
      if (!pending) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        release = undefined;
      }
      pending = false;
    },
  };
}
