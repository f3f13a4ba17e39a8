ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "next_attempt_at" timestamp with time zone DEFAULT now() + interval '2 hours' NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "claimed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quarry"."webhooks" ADD COLUMN "disabled_reason" jsonb;--> statement-breakpoint
ALTER TABLE "quarry"."webhooks" ADD COLUMN "failing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quarry"."webhooks" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."webhooks" ADD COLUMN "paused_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "quarry"."webhook_deliveries" USING btree ("webhook_id","next_attempt_at","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_claimed" ON "quarry"."webhook_deliveries" USING btree ("organization_id","webhook_id") WHERE "quarry"."webhook_deliveries"."claimed_until" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_age" ON "quarry"."webhook_deliveries" USING btree ("created_at");