/** What the server keeps beside a point's vectors. */
export type Payload = Readonly<Record<string, unknown>>;

export function textOf(payload: Payload, key: string): string {
  const value = payload[key];
  if (typeof value !== 'string') throw new TypeError(`payload ${key} is to be text, found ${typeof value}`);
  return value;
}

export function numberOf(payload: Payload, key: string): number {
  const value = payload[key];
  if (typeof value !== 'number') throw new TypeError(`payload ${key} is to be a number, found ${typeof value}`);
  return value;
}

export function optionalTextOf(payload: Payload, key: string): string | null {
  return payload[key] === null || payload[key] === undefined ? null : textOf(payload, key);
}

export function optionalNumberOf(payload: Payload, key: string): number | null {
  return payload[key] === null || payload[key] === undefined ? null : numberOf(payload, key);
}
