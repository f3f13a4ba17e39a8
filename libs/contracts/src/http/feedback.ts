import {
  ArrayMaxSize,
  ArrayUnique,
  Describe,
  IsArray,
  IsIn,
  IsISO8601,
  IsOptional,
  IsString,
  MaxLength,
  OrNull,
} from '@quarry/validation';

const FEEDBACK_RATINGS = ['up', 'down'] as const;
export type FeedbackRating = (typeof FEEDBACK_RATINGS)[number];

const FEEDBACK_REASONS = ['wrong', 'incomplete', 'outdated', 'wrong_source', 'not_understood', 'other'] as const;
export type FeedbackReason = (typeof FEEDBACK_REASONS)[number];

const MAX_COMMENT_LENGTH = 2_000;

/** Describes the body of `PUT /conversations/{id}/messages/{messageId}/feedback`. */
export class SetFeedbackRequest {
  @IsIn(FEEDBACK_RATINGS)
  readonly rating: FeedbackRating;

  @Describe('Reasons for the rating. Default: none.')
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(FEEDBACK_REASONS.length)
  @ArrayUnique()
  @IsIn(FEEDBACK_REASONS, { each: true })
  readonly reasons?: readonly FeedbackReason[] | null;

  @Describe('Reason in words. Absent, null or blank: none.')
  @IsOptional()
  @IsString()
  @MaxLength(MAX_COMMENT_LENGTH)
  readonly comment?: string | null;
}

/** Describes the feedback on an answer. */
@Describe('The feedback of a visitor on an answer.')
export class MessageFeedback {
  @IsIn(FEEDBACK_RATINGS)
  readonly rating: FeedbackRating;

  @IsArray()
  @IsIn(FEEDBACK_REASONS, { each: true })
  readonly reasons: readonly FeedbackReason[];

  @OrNull()
  @IsString()
  readonly comment: string | null;

  @IsISO8601()
  @Describe('Time of the latest change.')
  readonly updatedAt: string;
}
