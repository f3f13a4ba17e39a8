/** Describes the payload of a point. */
export type Payload = Readonly<Record<string, unknown>>;

export function getTextField(payload: Payload, key: string): string {
  const value = payload[key];
  if (typeof value !== 'string')
    throw new TypeError(
      `expected a string in payload field ${key} of a Qdrant point, found a value of type ${typeof value}`,
    );
  return value;
}

export function getNumberField(payload: Payload, key: string): number {
  const value = payload[key];
  if (typeof value !== 'number')
    throw new TypeError(
      `expected a number in payload field ${key} of a Qdrant point, found a value of type ${typeof value}`,
    );
  return value;
}

export function getOptionalTextField(payload: Payload, key: string): string | null {
  return payload[key] === null || payload[key] === undefined ? null : getTextField(payload, key);
}

export function getOptionalNumberField(payload: Payload, key: string): number | null {
  return payload[key] === null || payload[key] === undefined ? null : getNumberField(payload, key);
}

/** Replaces lone surrogates in the text fields of a payload by U+FFFD, because the server rejects lone surrogates. */
export function replaceLoneSurrogates(payload: Payload): Record<string, unknown> {
  const entries = Object.entries(payload).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
