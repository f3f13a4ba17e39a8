/**
 * Describes the limits of certain models, and the default limit of all other models. A default of undefined means no
 * limit.
 */
export interface LimitsByModel {
  readonly default: number | undefined;
  readonly models: ReadonlyMap<string, number>;
}

/** Matches entries separated by commas: `model=number` for one model, or a number for all other models. */
export const LIMITS_BY_MODEL = /^(?:[^=,\s]+=)?[1-9]\d{0,6}(?:,(?:[^=,\s]+=)?[1-9]\d{0,6})*$/;

/** Parses a text that `LIMITS_BY_MODEL` matches, such as `32,bge-m3=8`. */
export function parseLimitsByModel(text: string): LimitsByModel {
  const entries = text.split(',').map((entry) => entry.split('='));
  const models = entries.flatMap(([model, limit]) =>
    model === undefined || limit === undefined ? [] : [[model, Number(limit)] as const],
  );
  const [fallback] = entries.findLast(([, limit]) => limit === undefined) ?? [];
  return { default: fallback === undefined ? undefined : Number(fallback), models: new Map(models) };
}

/** Returns the limit of a model, or undefined when there is none. */
export function getLimit(limits: LimitsByModel | undefined, model: string): number | undefined {
  return limits?.models.get(model) ?? limits?.default;
}
