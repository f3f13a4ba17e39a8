ALTER TABLE "quarry"."dispatch_locks" ADD COLUMN "state" jsonb;--> statement-breakpoint
ALTER TABLE "quarry"."organizations" ADD COLUMN "concurrent_jobs" integer;