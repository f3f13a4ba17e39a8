ALTER TABLE "quarry"."conversations" ADD COLUMN "empty_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quarry"."conversations" ADD COLUMN "first_visitor_id" text;--> statement-breakpoint
CREATE INDEX "conversations_empty" ON "quarry"."conversations" USING btree ("empty_since") WHERE "quarry"."conversations"."empty_since" is not null;