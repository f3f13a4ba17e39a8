import { countTokens, findLongestStart } from '@quarry/text-analysis/tokens';
import { IsInt, IsOptional, Max, Min } from '@quarry/validation';

/** Maximum number of tokens of a tool result if the call does not contain `maxTokens`. */
const DEFAULT_MAX_TOKENS = 4_000;
/** Estimated number of tokens of a tool result without its items. */
const ENVELOPE_TOKENS = 60;

/** The argument with which a call limits the size of the result of a tool. */
export class BudgetedInput {
  @IsOptional()
  @IsInt()
  @Min(200)
  @Max(50_000)
  readonly maxTokens?: number | null;
}

/** The items of a list that fit into a token budget. */
export interface FittedItems<Item> {
  readonly items: readonly Item[];
  /** True if an item was shortened or omitted. */
  readonly truncated: boolean;
}

/** Tracks how many tokens a tool result can still use. */
export interface TokenBudget {
  /**
   * Subtracts the tokens of the JSON of a value from the budget, if enough tokens are left.
   *
   * @returns false if too few are left
   */
  trySubtract(value: unknown): boolean;
  /**
   * Returns the longest beginning of a text that fits into the budget, and subtracts its tokens from the budget.
   *
   * @param reserved number of tokens of the budget that the text must not use. Default: 0
   */
  fitText(text: string, reserved?: number): string;
  /**
   * Returns the first items, up to the first item that does not fit, and subtracts their tokens. If not even the first
   * item fits, returns that item with a shortened text.
   */
  fitItems<Item extends { readonly text: string }>(items: readonly Item[]): FittedItems<Item>;
}

/** Creates the token budget of a tool result. Tokens are counted with the encoding `cl100k_base`. */
export function createTokenBudget(maxTokens: number | null | undefined): TokenBudget {
  let left = (maxTokens ?? DEFAULT_MAX_TOKENS) - ENVELOPE_TOKENS;
  const trySubtract = (value: unknown, reserved = 0): boolean => {
    const cost = countTokens(JSON.stringify(value)) + 1;
    if (cost > left - reserved) return false;
    left -= cost;
    return true;
  };
  const fitText = (text: string, reserved = 0): string => {
    if (trySubtract(text, reserved)) return text;
    const start = findLongestStart(text, (part) => countTokens(JSON.stringify(part)) < left - reserved);
    trySubtract(start);
    return start;
  };
  return {
    trySubtract,
    fitText,
    fitItems: (items) => {
      const fitting = items.slice(0, subtractFittingItems(items, trySubtract));
      if (fitting.length === items.length) return { items, truncated: false };
      const [first] = items;
      if (first === undefined || fitting.length > 0) return { items: fitting, truncated: true };
      trySubtract({ ...first, text: '' });
      return { items: [{ ...first, text: fitText(first.text) }], truncated: true };
    },
  };
}

/** Subtracts the tokens of items from a budget until an item does not fit. @returns the number of items that fit */
function subtractFittingItems(items: readonly unknown[], trySubtract: TokenBudget['trySubtract']): number {
  const firstTooLarge = items.findIndex((item) => !trySubtract(item));
  return firstTooLarge === -1 ? items.length : firstTooLarge;
}
