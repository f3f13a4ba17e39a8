DROP INDEX "quarry"."webhook_deliveries_due";--> statement-breakpoint
DROP INDEX "quarry"."webhook_deliveries_by_age";--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ALTER COLUMN "next_attempt_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "type" text GENERATED ALWAYS AS (coalesce(payload->'event'->>'type', payload->'testEvent'->>'type')) STORED;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "state" text DEFAULT 'waiting' NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "attempts_before" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "tries" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quarry"."webhook_deliveries" ADD COLUMN "expires_at" timestamp with time zone DEFAULT now() + interval '30 days' NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."webhooks" ADD COLUMN "previous_secrets" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."webhooks" ADD COLUMN "previous_secrets_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_next" ON "quarry"."webhook_deliveries" USING btree ("webhook_id","next_attempt_at","event_id") WHERE "quarry"."webhook_deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_state" ON "quarry"."webhook_deliveries" USING btree ("webhook_id","state","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_expiry" ON "quarry"."webhook_deliveries" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_tests" ON "quarry"."webhook_deliveries" USING btree ("next_attempt_at") WHERE type = 'webhook.test' and next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_tests" ON "quarry"."webhook_deliveries" USING btree ("webhook_id","created_at") WHERE type = 'webhook.test';--> statement-breakpoint
CREATE INDEX "webhooks_previous_secrets" ON "quarry"."webhooks" USING btree ("previous_secrets_until") WHERE "quarry"."webhooks"."previous_secrets_until" is not null;