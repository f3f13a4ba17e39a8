ALTER TABLE "quarry"."conversations" ADD COLUMN "feedback_up" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."conversations" ADD COLUMN "feedback_down" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."conversations" ADD COLUMN "unanswered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."messages" ADD COLUMN "feedback" jsonb;--> statement-breakpoint
UPDATE "quarry"."conversations" SET "unanswered" = "counted"."unanswered" FROM (
  SELECT "conversation_id", count(*)::int AS "unanswered" FROM "quarry"."messages"
  WHERE "role" = 'assistant' AND ("state" = 'failed' OR ("state" = 'complete' AND NOT jsonb_path_exists("sources", '$[*] ? (@.cited == true)')))
  GROUP BY "conversation_id") AS "counted"
WHERE "counted"."conversation_id" = "conversations"."id";--> statement-breakpoint
CREATE INDEX "conversations_rated_up" ON "quarry"."conversations" USING btree ("organization_id","id","agent_id") WHERE "quarry"."conversations"."feedback_up" > 0;--> statement-breakpoint
CREATE INDEX "conversations_rated_down" ON "quarry"."conversations" USING btree ("organization_id","id","agent_id") WHERE "quarry"."conversations"."feedback_down" > 0;--> statement-breakpoint
CREATE INDEX "conversations_rated" ON "quarry"."conversations" USING btree ("organization_id","id","agent_id") WHERE ("quarry"."conversations"."feedback_up" > 0 or "quarry"."conversations"."feedback_down" > 0);--> statement-breakpoint
CREATE INDEX "conversations_unanswered" ON "quarry"."conversations" USING btree ("organization_id","id","agent_id") WHERE "quarry"."conversations"."unanswered" > 0;