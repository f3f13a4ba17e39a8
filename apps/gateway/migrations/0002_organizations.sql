ALTER TABLE "quarry"."organizations" ADD COLUMN "agent_queries_per_month" bigint;--> statement-breakpoint
ALTER TABLE "quarry"."organizations" ADD COLUMN "stored_tokens" bigint;--> statement-breakpoint
ALTER TABLE "quarry"."organizations" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "api_keys_newest" ON "quarry"."api_keys" USING btree ("organization_id","id");