import type { Gateway } from '../../../gateway.js';
import { withQueryReservation } from '../../../usage/with-query-reservation.js';
import { buildQuestionRequest, type ClientQuestion, type QuestionCall } from './start-answer.js';

/**
 * Counts the tokens of the prompt of a question, including the passages that the search for the question finds. The
 * model is not called. A search counts as a datastore query. If no model would answer the question, the count is 0.
 *
 * @throws Problem 402 above the monthly limit, and the problems of the query service
 */
export async function countInputTokens(
  { db, clock, queryService }: Pick<Gateway, 'db' | 'clock' | 'queryService'>,
  question: ClientQuestion,
  { caller: { organizationId }, client, signal, log }: QuestionCall,
): Promise<number> {
  const request = buildQuestionRequest(question, organizationId);
  const countTokens = async (): Promise<number> => (await queryService.previewPrompt(request, signal)).promptTokens;
  if (request.datastores.length === 0) return countTokens();
  const reservation = { organizationId, kind: 'datastoreQueries', askedAt: clock() } as const;
  return withQueryReservation({ db }, { reservation, client, log }, countTokens);
}
