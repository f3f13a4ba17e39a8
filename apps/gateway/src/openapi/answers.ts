import type { Shape } from '@quarry/validation';
import type { Answer, SchemaFrom } from './operation.js';

/** A JSON body. */
export function json(description: string, schema: SchemaFrom, headers: Answer['headers'] = {}): Answer {
  return { description, content: { 'application/json': schema }, headers };
}

/** What was made, and where it is. */
export function made(description: string, shape: Shape<object>): Answer {
  return json(description, one(shape), { Location: 'Where it can be asked for.' });
}

/** `204`. */
export const REMOVED: Answer = { description: 'It is removed.' };

export function one(shape: Shape<object>): SchemaFrom {
  return (refTo) => refTo(shape);
}

export function listOf(shape: Shape<object>): SchemaFrom {
  return (refTo) => ({ type: 'array', items: refTo(shape) });
}

/** A part of a list, as `Page` has it. */
export function pageOf(shape: Shape<object>): SchemaFrom {
  return (refTo) => ({
    type: 'object',
    properties: {
      items: { type: 'array', items: refTo(shape) },
      next_cursor: {
        type: ['string', 'null'],
        description: 'Asks for the items after these; null when there are none.',
      },
    },
    required: ['items', 'next_cursor'],
  });
}
