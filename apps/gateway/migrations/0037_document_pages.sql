ALTER TABLE "quarry"."datasources" ADD COLUMN "pages" jsonb;--> statement-breakpoint
ALTER TABLE "quarry"."documents" ADD COLUMN "pages" jsonb;