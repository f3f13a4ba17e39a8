import type { ROUTES } from './generated/routes.js';
import type { operations } from './generated/schema.js';

export type OperationId = keyof typeof ROUTES;

/** Maps the id of an operation to the type of the JSON in its successful response. */
export type AnswerOf<Id extends OperationId> = Json<Succeeded<operations[Id]['responses']>>;
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;
export type PathOf<Id extends OperationId> = operations[Id]['parameters']['path'];
export type JsonBodyOf<Id extends OperationId> = operations[Id] extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer Body } };
}
  ? Body
  : never;

type Succeeded<Responses> = Responses[Extract<keyof Responses, 200 | 201>];
type Json<Response> = Response extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never;
